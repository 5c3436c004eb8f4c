import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { members, sessions } from "#db/schema/index.ts";
import { makeRecoveryCodes } from "#server/domains/account/recovery-codes.ts";
import { logIn } from "#server/domains/session/login.ts";
import { recover } from "#server/domains/session/recover.ts";
import { kickMember } from "#server/domains/session/end-sessions.ts";
import { resetPassword } from "#server/domains/session/reset-password.ts";
import { give } from "../../support/credentials.ts";
import { Meanwhile } from "../../support/meanwhile.ts";
import { lock } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";

const OLD = "the old password";
const NEXT = "battery staple";

let w: World;
let id: number;
let passwords: Meanwhile;

beforeEach(async () => {
  w = await world();
  id = (await w.player("mia_1")).memberId;
  await give(w, id, { password: OLD });
  passwords = new Meanwhile(w.deps.keys);
});
afterEach(() => w.close());

const enter = (password = OLD, newPassword?: string) =>
  logIn(w.deps, passwords, {
    username: "mia_1",
    password,
    newPassword,
    ip: "192.0.2.1",
    agent: "test",
    locale: "en_us",
    isDirect: true,
  });

const codeOf = async () => (await w.deps.db.transact((tx) => makeRecoveryCodes(tx, w.deps, id)))[0]!;
const comeBack = (code: string) =>
  recover(w.deps, passwords, { username: "mia_1", code, newPassword: NEXT, ip: "192.0.2.1", agent: "test" });

/** As `member:lock` and an erasure begin: locked first, then every session is ended. */
async function lockOut(): Promise<void> {
  await lock(w, id, true);
  await w.deps.db.transact((tx) => kickMember(tx, w.deps, id, "Asked for by letter"));
}
const reset = () => w.deps.db.transact((tx) => resetPassword(tx, w.deps, id, "Somebody else had it"));

const open = async () =>
  (await w.deps.db.read.select().from(sessions).where(eq(sessions.memberId, id))).filter(
    ({ endedAt }) => endedAt === null,
  );
const hashOf = async () => (await w.deps.db.read.select().from(members).where(eq(members.id, id)))[0]!.passwordHash;

describe("what happened while a password was hashed counts", () => {
  it("a member who was locked and logged out is not in", async () => {
    passwords.happens = lockOut;
    expect(await enter()).toEqual({ locked: id });
    expect(await open()).toEqual([]);
  });

  it("nobody is in with a password that the operator took away", async () => {
    passwords.happens = reset;
    await expect(enter()).rejects.toThrow("login.failed");
    expect(await open()).toEqual([]);
    expect(await hashOf()).toBeNull();
  });

  it("nobody is in with a password that the member changed", async () => {
    passwords.happens = () => give(w, id, { password: NEXT });
    const before = (await open()).length;
    await expect(enter()).rejects.toThrow("login.failed");
    expect(await open()).toHaveLength(before);
  });

  it("a password that was hashed anew is the same one", async () => {
    passwords.happens = () => give(w, id, { password: OLD });
    expect(await enter()).toMatchObject({ memberId: id });
  });

  it("a member who was locked chooses no password with the operator's secret", async () => {
    const { secret } = await reset();
    passwords.happens = lockOut;
    expect(await enter(secret, NEXT)).toEqual({ locked: id });
    expect([await open(), await hashOf()]).toEqual([[], null]);
  });

  it("nor with a recovery code", async () => {
    const [code, before] = [await codeOf(), await hashOf()];
    passwords.happens = lockOut;
    expect(await comeBack(code)).toEqual({ locked: id });
    expect([await open(), await hashOf()]).toEqual([[], before]);
  });

  it("codes that were taken away let nobody in", async () => {
    const code = await codeOf();
    passwords.happens = reset;
    await expect(comeBack(code)).rejects.toThrow("recovery.failed");
    expect([await open(), await hashOf()]).toEqual([[], null]);
  });
});
