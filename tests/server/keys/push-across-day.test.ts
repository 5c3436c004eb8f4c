import { afterEach, beforeEach, expect, it } from "vitest";
import { pushSubscriptions } from "#db/schema/push.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { openSession } from "#server/domains/session/open-session.ts";
import { PushReceiver, PushServer } from "../../support/push-server.ts";
import type { Player, World } from "../../support/world.ts";
import { DAY_START, owner, RING, ringWorld, until, withKeys } from "./ring-world.ts";

let w: World;
let service: PushServer;
let mia: Player;
beforeEach(async () => {
  service = await new PushServer().listen();
  w = await ringWorld({ PUSH_SERVICES: service.url });
  mia = await owner(w, "mia_1");
  await withKeys(w, RING);
});
afterEach(async () => {
  await w.close();
  await service.close();
});

/** A device that logs in now: the sessions of ten days ago are over. */
async function device(): Promise<Player["call"]> {
  const who = { ip: "127.0.0.1", agent: "test" };
  const token = await w.deps.db.transact((tx) => openSession(tx, w.deps, mia.memberId, who));
  return (path, input, options) => w.call(path, input, { token, ...options });
}
/** The key that browsers subscribe with today. */
const named = async (call: Player["call"]): Promise<string> =>
  (await call("/member/push", undefined, { method: "GET" })).data.key;

async function tell(): Promise<string[]> {
  service.pushed.length = 0;
  await w.deps.db.transact((tx) => tellSecurity(tx, w.deps, mia.memberId, "passwordChanged"));
  await w.site.pushes.tick();
  return service.pushed.map(({ headers }) => String(headers.authorization).replace(/^.* k=/, ""));
}

it("a browser that subscribed before the day gets its messages under the key of then, until it subscribes anew", async () => {
  await until(w, DAY_START - 60_000);
  const call = await device();
  const phone = new PushReceiver();
  const subscribe = () =>
    call("/member/subscribePush", { endpoint: `${service.url}/phone`, ...phone.keys, kinds: "security" });
  expect((await subscribe()).code).toBe(200);
  const before = await named(call);
  expect(await tell()).toEqual([before]);

  await until(w, DAY_START + 1_000);
  const after = await named(call);
  expect(after).not.toBe(before);
  expect(await tell()).toEqual([before]);
  expect(phone.read(service.pushed[0]!.body)).toMatchObject({ path: "/Messages" });

  expect((await subscribe()).code).toBe(200);
  expect(await tell()).toEqual([after]);
  expect(await w.deps.db.read.select().from(pushSubscriptions)).toHaveLength(1);
});
