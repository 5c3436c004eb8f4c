import { createHmac } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { members } from "#db/schema/member.ts";
import { keysOf } from "#server/config/keys.ts";
import { OPERATOR } from "#server/domains/account/hash-lanes.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import { readDeviceToken } from "#server/domains/session/known-device.ts";
import { set } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";
import { send } from "../http/endpoints.ts";
import { INVITE, logIn, PASSWORD, register } from "../session/people.ts";

const EASY = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const PIN = "246810";
const PEPPERED = /^p1\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

let w: World;
let id: number;
let token: string;

beforeEach(async () => {
  w = await world({ env: { RATE_LIMIT: "off" } });
  await w.invite(INVITE);
  const { data } = await register(w, "anna_1");
  [id, token] = [Number(data.user.id.slice("mem_".length)), data.token];
});
afterEach(() => w.close());

const stored = async () => {
  const { passwordHash, payPinHash } = await readMember(w.deps.db.read, id);
  return { password: passwordHash!, pin: payPinHash! };
};
/** The member's secrets as they were stored before there was a pepper. */
const age = async () => {
  const older = { passwordHash: await hash(PASSWORD, EASY), payPinHash: await hash(PIN, EASY) };
  await w.deps.db.transact((tx) => tx.update(members).set(older).where(eq(members.id, id)));
};
const call = (path: string, fields: Record<string, string>) =>
  send(w, { method: "POST", path, token, payload: new URLSearchParams(fields).toString() });
const prove = (fields: Record<string, string>) => call("/member/prove", fields);

describe("what is stored of a password and a passcode", () => {
  it("matches nothing without the key derived from the master key", async () => {
    await call("/member/setPayPassword", { paypassword: PIN });
    for (const [secret, kept] of [
      [PASSWORD, (await stored()).password],
      [PIN, (await stored()).pin],
    ] as const) {
      expect(kept).toMatch(PEPPERED);
      expect(await verify(kept.slice(2), secret)).toBe(false);
      const pepper = w.deps.keys.now.derive("password pepper 1");
      expect(await verify(kept.slice(2), createHmac("sha256", pepper).update(secret).digest("base64url"))).toBe(true);
      expect(await new Passwords(keysOf(Buffer.alloc(32, 7))).verify(kept, secret, OPERATOR)).toBe(false);
    }
  });
});

describe("a hash from before the pepper", () => {
  beforeEach(age);

  it.each([
    ["a log-in", async () => (await logIn(w, "anna_1", PASSWORD)).code],
    ["a proof", async () => (await prove({ password: PASSWORD })).code],
  ])("of a password is renewed by %s, and opens the account before and after", async (_, enter) => {
    expect(await enter()).toBe(200);
    const { password } = await stored();
    expect(password).toMatch(PEPPERED);
    expect(await enter()).toBe(200);
    expect((await stored()).password).toBe(password);
  });

  it("of a passcode is renewed by the next right one", async () => {
    expect((await prove({ passcode: PIN })).code).toBe(200);
    const { pin } = await stored();
    expect(pin).toMatch(PEPPERED);
    expect((await prove({ passcode: PIN })).code).toBe(200);
    expect((await stored()).pin).toBe(pin);
  });

  it("stays as it is after a wrong one", async () => {
    const before = await stored();
    expect((await logIn(w, "anna_1", "guess it")).code).toBe(422);
    expect((await prove({ password: "guess it" })).code).toBe(422);
    expect((await prove({ passcode: "135791" })).code).toBe(422);
    expect(await stored()).toEqual(before);
  });

  it("gives way to a changed password and passcode at once", async () => {
    await set(w, "edit_paypwd", "1");
    expect((await call("/member/editPayPassword", { oldpaypwd: PIN, paypassword: "864209" })).code).toBe(200);
    const next = { old_password: PASSWORD, new_password: "battery staple" };
    expect((await call("/member/setLoginPassword", next)).code).toBe(200);
    const { password, pin } = await stored();
    expect(password).toMatch(PEPPERED);
    expect(pin).toMatch(PEPPERED);
    expect((await logIn(w, "anna_1", "battery staple")).code).toBe(200);
  });

  it("keeps a device known from the log-in that renewed it", async () => {
    const { device } = (await logIn(w, "anna_1", PASSWORD)).data;
    expect(readDeviceToken(w.deps, await readMember(w.deps.db.read, id), device)).not.toBeNull();
  });
});

it("a member whom an operator adds, without any key, gets the pepper at the first log-in", async () => {
  const kept = await new Passwords(null).hash(PASSWORD, OPERATOR);
  expect(kept).toMatch(/^\$argon2id\$/);
  await w.deps.db.transact((tx) => tx.update(members).set({ passwordHash: kept }).where(eq(members.id, id)));
  expect((await logIn(w, "anna_1", PASSWORD)).code).toBe(200);
  expect((await stored()).password).toMatch(PEPPERED);
});
