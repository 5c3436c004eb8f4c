import fastify from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { sessions, withdrawals } from "#db/schema/index.ts";
import { resetPasscode } from "#server/domains/account/passcode.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { withdrawalRoutes } from "#server/domains/payments/withdrawal-routes.ts";
import { endSessions } from "#server/domains/session/end-sessions.ts";
import { sessionRoutes } from "#server/domains/session/routes.ts";
import { handleErrors } from "#server/http/errors.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { Reply } from "../../support/call.ts";
import { give } from "../../support/credentials.ts";
import { beforeNextWrite, Meanwhile } from "../../support/meanwhile.ts";
import { kick, lock } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { everything } from "../http/furnished.ts";
import { ACCOUNT, PIN, saver } from "../payments/purse.ts";
import { allSessions } from "./people.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterEach(() => w.close());

const answer = ({ code, reason }: Reply) => [code, reason];

async function end(): Promise<void> {
  const open = await allSessions(w);
  await w.deps.db.transact((tx) => endSessions(tx, w.deps, open, "member", null));
}

/** Calls while something else is committed first. Fails unless the call itself has written nothing. */
async function callAfter(happens: () => Promise<unknown>, path: string, input: Record<string, string>, key?: string) {
  let before: unknown;
  beforeNextWrite(w, async () => {
    await happens();
    before = await everything(w);
  });
  const reply = await mia.call(path, input, { lang: "en_us", ...(key !== undefined && { key }) });
  return { reply, isUnchanged: JSON.stringify(await everything(w)) === JSON.stringify(before) };
}

describe("a call that was let in, and waits for its turn to write", () => {
  const writes: [path: string, input: Record<string, string>][] = [
    ["/member/setBank", ACCOUNT],
    ["/member/setPayPassword", { paypassword: PIN }],
    ["/member/recoveryCodes", {}],
    ["/member/endSession", {}],
  ];

  beforeEach(() => w.player("ben_1"));

  it.each(writes)("is refused once its session was ended: %s", async (path, input) => {
    if (path === "/member/setBank") await give(w, mia.memberId, { pin: PIN });
    const { reply, isUnchanged } = await callAfter(end, path, input);
    expect([reply.code, isUnchanged]).toEqual([401, true]);
  });

  it.each(writes)("is refused once the operator ended it, and says why: %s", async (path, input) => {
    if (path === "/member/setBank") await give(w, mia.memberId, { pin: PIN });
    const { reply, isUnchanged } = await callAfter(() => kick(w, mia.memberId, "Please call us"), path, input);
    expect([...answer(reply), reply.msg, isUnchanged]).toEqual([10001, "session.kicked", "Please call us", true]);
  });

  it.each(writes)("is refused once its member was locked, and says why: %s", async (path, input) => {
    if (path === "/member/setBank") await give(w, mia.memberId, { pin: PIN });
    const reason = "Two accounts";
    const { reply, isUnchanged } = await callAfter(
      async () => {
        await lock(w, mia.memberId, true);
        await w.deps.db.transact((tx) => tellSecurity(tx, w.deps, mia.memberId, "locked", { reason }));
      },
      path,
      input,
    );
    const text = w.deps.text("en_us", "refusal.lockedFor", { reason });
    expect([...answer(reply), reply.msg, isUnchanged]).toEqual([403, "member.locked", text, true]);
  });

  it("is done where it is open to locked members", async () => {
    const { reply } = await callAfter(() => lock(w, mia.memberId, true), "/support/send", { text: "Why?" });
    expect(reply.code).toBe(200);
  });

  it("is answered as the same call was that ended the session itself", async () => {
    let first: Reply | undefined;
    beforeNextWrite(w, async () => {
      first = await mia.call("/member/doLogout", {}, { key: "tap" });
    });
    const second = await mia.call("/member/doLogout", {}, { key: "tap" });
    expect([first!.code, second.code]).toEqual([200, 200]);
  });
});

describe("while a passcode is being checked", () => {
  let passwords: Meanwhile;

  beforeEach(async () => {
    passwords = new Meanwhile(w.deps.keys);
    mia = await saver(w, "mia_2", 1_000);
    passwords.happens = () => w.deps.db.transact((tx) => resetPasscode(tx, mia.memberId));
  });

  /** Asks a server on which something happens while secrets are hashed. */
  async function ask(url: string, payload: Record<string, string>) {
    const app = fastify();
    handleErrors(app, w.deps);
    withdrawalRoutes(app, w.deps, passwords);
    sessionRoutes(app, w.deps, passwords);
    const headers = { token: Buffer.from(mia.token).toString("base64"), "x-data-encoding": "json" };
    const response = await app.inject({ method: "POST", url, headers, payload });
    await app.close();
    const { code, data } = response.json<{ code: number; data: unknown }>();
    return [code, data];
  }

  it("the operator takes it away: it confirms no withdrawal", async () => {
    const refused = [422, { reason: "passcode.wrong" }];
    expect(await ask("/member/setUserWirhdraw", { money: "100", paypwd: PIN })).toEqual(refused);
    expect(await w.deps.db.read.select().from(withdrawals)).toEqual([]);
  });

  it("the operator takes it away: it proves nothing", async () => {
    w.pass(5 * MINUTE_MS);
    expect(await ask("/member/prove", { passcode: PIN })).toEqual([422, { reason: "passcode.wrong" }]);
    const [own] = await w.deps.db.read.select().from(sessions).where(eq(sessions.memberId, mia.memberId));
    expect(own!.provenAt).toBe(w.now() - 5 * MINUTE_MS);
  });

  it("nothing happens: it confirms the withdrawal", async () => {
    passwords.happens = null;
    expect((await ask("/member/setUserWirhdraw", { money: "100", paypwd: PIN }))[0]).toBe(200);
  });
});
