import fastify from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Caller } from "#server/app/deps.ts";
import { handleErrors } from "#server/http/errors.ts";
import { storeReplays } from "#server/http/replay.ts";
import { servePrepared, type Call } from "#server/http/serve.ts";
import { setPayPassword } from "#shared/contract/member.ts";
import { Refusal } from "#shared/refusal.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
let asked = 0;

beforeAll(async () => {
  w = await world();
});
afterAll(() => w.close());

/** Asks with a key for a first passcode, which is refused while it is prepared, after `meanwhile`. */
async function ask(meanwhile: (call: Pick<Call<unknown>, "keyed"> & { caller: Caller }) => Promise<void>) {
  const { token } = await w.player(`mia_${++asked}`);
  const app = fastify();
  handleErrors(app, w.deps);
  const prepare = async (call: Call<unknown>) => {
    await meanwhile(call);
    throw new Refusal("passcode.set");
  };
  servePrepared(app, w.deps, setPayPassword, prepare, async () => null);
  const response = await app.inject({
    method: "POST",
    url: setPayPassword.path,
    headers: { token: Buffer.from(token).toString("base64"), "idempotency-key": "tap", "x-data-encoding": "json" },
    payload: { paypassword: "246813" },
  });
  await app.close();
  return response.json<{ code: number; data: unknown }>();
}

it("answers as the same call did that another process finished meanwhile, and was refused only because of it", async () => {
  const done = await ask(async ({ keyed, caller: { memberId } }) => {
    const answered = { ...keyed!, memberId, path: setPayPassword.path, answer: null };
    await w.deps.db.transact((tx) => storeReplays(tx, [answered], w.now()));
  });
  expect([done.code, done.data]).toEqual([200, null]);
});

it("refuses as the same key's other call, which another process finished meanwhile, has it", async () => {
  const { code, data } = await ask(async ({ keyed, caller: { memberId } }) => {
    const answered = { ...keyed!, requestHash: "another", memberId, path: setPayPassword.path, answer: null };
    await w.deps.db.transact((tx) => storeReplays(tx, [answered], w.now()));
  });
  expect([code, data]).toEqual([409, { reason: "key.reused" }]);
});

it("is refused where no process finished the same call", async () => {
  const { code, data } = await ask(() => Promise.resolve());
  expect([code, data]).toEqual([409, { reason: "passcode.set" }]);
});
