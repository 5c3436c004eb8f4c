import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anchors } from "#db/schema/lottery.ts";
import { members } from "#db/schema/member.ts";
import { pushSubscriptions } from "#db/schema/push.ts";
import { newDeviceToken, readDeviceToken } from "#server/domains/session/known-device.ts";
import { dayOf } from "#shared/time.ts";
import { problemsOf } from "../../support/audited.ts";
import type { Player, World } from "../../support/world.ts";
import { added, allKeys, enter, logInWith, loginOptions } from "../session/passkey-world.ts";
import { DAY_START, move, owner, RING, ringWorld, until, withKeys } from "./ring-world.ts";

let w: World;
let mia: Player;
beforeEach(async () => {
  w = await ringWorld();
  mia = await owner(w, "mia_1");
});
afterEach(() => w.close());

describe("across the day of another master key", () => {
  it("a passkey stays, with the challenge that it was asked before midnight, and its handle is written down", async () => {
    const key = await added(mia);
    await withKeys(w, RING);
    await until(w, DAY_START - 1_000);
    const asked = await loginOptions(w);
    await until(w, DAY_START + 1_000);
    expect((await enter(w, key.answer(asked))).code).toBe(200);
    expect((await logInWith(w, key)).code).toBe(200);
    await move(w);
    expect((await allKeys(w))[0]).toMatchObject({ handle: key.userHandle });
    expect((await logInWith(w, key)).code).toBe(200);
  });

  it("a known device stays known, and a token of the day before is never of the day after", async () => {
    const member = (await w.deps.db.read.select().from(members))[0]!;
    const before = newDeviceToken(w.deps, member);
    await withKeys(w, RING);
    await until(w, DAY_START + 1_000);
    expect(readDeviceToken(w.deps, member, before)).toEqual(expect.any(String));
    const [, device, signature] = before.split(".");
    expect(readDeviceToken(w.deps, member, `${w.now()}.${device}.${signature}`)).toBeNull();
    expect(readDeviceToken(w.deps, member, newDeviceToken(w.deps, member))).toEqual(expect.any(String));
  });

  it("Web Push names another key to browsers, and keeps what is subscribed", async () => {
    const state = () => mia.call("/member/push", undefined, { method: "GET" });
    const before = (await state()).data.key;
    await withKeys(w, RING);
    expect((await state()).data.key).toBe(before);
    const subscribed = await w.deps.db.read.select().from(pushSubscriptions);
    await until(w, DAY_START + 1_000);
    const { data } = await w.call("/member/doLogin", { username: "mia_1", password: "a-long-pass-word" });
    const after = await w.call("/member/push", undefined, { token: data.token, method: "GET" });
    expect([after.code, after.data.key === before]).toEqual([200, false]);
    expect(await w.deps.db.read.select().from(pushSubscriptions)).toEqual(subscribed);
  });

  it("anchors of days from then on are made before it, by the key that is to come", async () => {
    await withKeys(w, RING);
    await until(w, DAY_START - 60_000);
    const days = (await w.deps.db.read.select().from(anchors)).map(({ day }) => day);
    expect(Math.max(...days)).toBeGreaterThan(dayOf(DAY_START));
    // The audit derives each anchor from the key of its day.
    expect(await problemsOf(w)).toEqual([]);
  });
});
