import { and, eq, like } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { members, messages, passkeys, passwordResets, recoveryCodes, replays } from "#db/schema/index.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { Reply } from "../../support/call.ts";
import { beProven } from "../../support/credentials.ts";
import { lock } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";
import { send } from "../http/endpoints.ts";
import { ask } from "../admin/operate.ts";
import { INVITE, logIn, PASSWORD, register, whoIs } from "./people.ts";

const NEXT = "battery staple";
const CODE = /^[A-HJKMNP-Z0-9]{4}(-[A-HJKMNP-Z0-9]{4}){3}$/;

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

const post = <P extends string>(path: P, form: Record<string, string>, by?: string, key?: string) =>
  send(w, {
    method: "POST",
    path,
    payload: new URLSearchParams(form).toString(),
    ...(by !== undefined && { token: by }),
    ...(key !== undefined && { key }),
  });
const make = async (key?: string): Promise<string[]> =>
  (await post("/member/recoveryCodes", {}, token, key)).data.codes;
const recover = (code: string, { username = "anna_1", next = NEXT } = {}) =>
  post("/member/recover", { username, code, new_password: next });
const rows = () => w.deps.db.read.select().from(recoveryCodes).where(eq(recoveryCodes.memberId, id));
const told = async () => {
  const about = and(eq(messages.memberId, id), like(messages.kind, "security.recover%"));
  return (await w.deps.db.read.select().from(messages).where(about)).map(({ kind, facts }) => ({ kind, ...facts }));
};
const answer = ({ code, reason }: Reply) => [code, reason];

describe("a set of recovery codes", () => {
  it("is ten codes that differ, of which only hashes are stored, and the member hears of it", async () => {
    const codes = await make("a-key");
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(CODE);
    const stored = JSON.stringify([await rows(), await w.deps.db.read.select().from(replays)]);
    for (const code of codes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll("-", ""));
    }
    expect(w.logged.join("")).not.toContain(codes[0]!);
    expect(await told()).toEqual([{ kind: "security.recoveryMade" }]);
    const { data } = await send(w, { method: "GET", path: "/member/security", token });
    expect(data).toMatchObject({ recovery_left: 10, recovery_made: Math.floor(w.now() / 1000) });
  });

  it("replaces the one before, whole", async () => {
    const [before, after] = [await make(), await make()];
    expect(await rows()).toHaveLength(10);
    expect(answer(await recover(before[0]!))).toEqual([422, "recovery.failed"]);
    expect((await recover(after[0]!)).code).toBe(200);
  });

  it("needs a fresh proof", async () => {
    w.pass(6 * MINUTE_MS);
    expect(answer(await post("/member/recoveryCodes", {}, token))).toEqual([403, "proof.needed"]);
    await beProven(w, id);
    expect(await make()).toHaveLength(10);
  });

  it.each([
    ["member:reset-password", 0],
    ["member:end-sessions", 0],
    ["member:kick", 10],
  ])("after %s has %i codes left", async (command, left) => {
    await make();
    await ask(w, command, "anna_1", "--reason", "asked by phone");
    expect(await rows()).toHaveLength(left);
  });
});

describe("a recovery code", () => {
  it("chooses a new password, ends every session, cools withdrawals down, and says so", async () => {
    const [codes, elsewhere] = [await make(), (await logIn(w, "anna_1")).data.token];
    const { code, data } = await recover(codes[3]!);
    expect([code, data.user.username]).toEqual([200, "anna_1"]);
    for (const old of [token, elsewhere]) expect((await whoIs(w, old)).code).toBe(401);
    expect((await whoIs(w, data.token)).code).toBe(200);
    expect([(await logIn(w, "anna_1", PASSWORD)).code, (await logIn(w, "anna_1", NEXT)).code]).toEqual([422, 200]);
    expect((await readMember(w.deps.db.read, id)).coolingUntil).toBeGreaterThan(w.now());
    expect((await told()).at(-1)).toEqual({ kind: "security.recovered", ip: "127.0.0.1", left: "9" });
  });

  it("takes passkeys away, as whoever knew the password may have added one", async () => {
    const [code] = await make();
    const key = { credentialId: "id", publicKey: "key", counter: 0n, rpId: "localhost", transports: "", synced: true };
    const row = { ...key, memberId: id, name: "A thief's phone", createdAt: w.now() };
    await w.deps.db.transact((tx) => tx.insert(passkeys).values(row));
    expect((await recover(code!)).code).toBe(200);
    expect(await w.deps.db.read.select().from(passkeys)).toEqual([]);
    const isTold = eq(messages.kind, "security.passkeyRemoved");
    expect(await w.deps.db.read.select().from(messages).where(isTold)).toMatchObject([{ facts: { name: row.name } }]);
  });

  it.each([
    ["small letters", (code: string) => code.toLowerCase()],
    ["spaces", (code: string) => ` ${code.replaceAll("-", "  ")} `],
    ["no groups", (code: string) => code.replaceAll("-", "")],
    ["letters that look like digits", (code: string) => code.replaceAll("0", "o").replaceAll("1", "l")],
  ])("is forgiven %s, and the name its capitals", async (_, typed) => {
    const [code] = await make();
    expect((await recover(typed(code!), { username: " Anna_1 " })).code).toBe(200);
  });

  it("works once, and the others go on working", async () => {
    const [first, second] = await make();
    expect((await recover(first!)).code).toBe(200);
    expect(answer(await recover(first!, { next: "another horse" }))).toEqual([422, "recovery.failed"]);
    expect((await recover(second!, { next: "another horse" })).code).toBe(200);
    expect(await rows()).toHaveLength(8);
  });

  it("used by several at once lets one in", async () => {
    const [code] = await make();
    const passwords = Array.from({ length: 5 }, (_, i) => `battery staple ${i}`);
    const answers = await Promise.all(passwords.map((next) => recover(code!, { next })));
    const inside = passwords.filter((_, i) => answers[i]!.code === 200);
    expect(inside).toHaveLength(1);
    expect((await logIn(w, "anna_1", inside[0])).code).toBe(200);
    expect(await rows()).toHaveLength(9);
  });

  it("of another member, of nobody and a wrong one get the same answer", async () => {
    const [code] = await make();
    await register(w, "berta_1");
    const answers = [
      await recover(code!, { username: "berta_1" }),
      await recover(code!, { username: "nobody_1" }),
      await recover("ABCD-EFGH-JKMN-PQRS"),
      await recover("*"),
    ];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answer(answers[0]!)).toEqual([422, "recovery.failed"]);
    expect(await rows()).toHaveLength(10);
  });

  it("is slowed by name and address, together with wrong passwords", async () => {
    const [code] = await make();
    w.pass(61 * MINUTE_MS);
    const from = "198.51.100.7";
    const guess = (username: string, typed: string) =>
      send(w, {
        path: "/member/recover",
        remoteAddress: from,
        payload: new URLSearchParams({ username, code: typed, new_password: NEXT }).toString(),
      });
    for (const name of ["anna_1", "nobody_1"]) {
      for (let i = 0; i < 3; i++) expect((await logIn(w, name, "guess it", { from })).code).toBe(422);
      for (let i = 0; i < 2; i++) expect((await guess(name, "ABCD")).code).toBe(422);
      expect(answer(await guess(name, code!))).toEqual([429, "login.locked"]);
    }
    expect(await rows()).toHaveLength(10);
  });

  it("is not spent by a locked member, who hears that the account is locked", async () => {
    const [code] = await make();
    await lock(w, id, true);
    expect(answer(await recover(code!))).toEqual([403, "member.locked"]);
    expect(answer(await recover("ABCD"))).toEqual([422, "recovery.failed"]);
    await lock(w, id, false);
    expect((await recover(code!)).code).toBe(200);
  });

  it("takes no weak password, and is not spent by one", async () => {
    const [code] = await make();
    for (const next of ["anna_1ok", "password1"]) {
      const { code: said, fields } = await recover(code!, { next });
      expect([said, Object.keys(fields!)]).toEqual([400, ["new_password"]]);
    }
    expect(await rows()).toHaveLength(10);
  });

  it("gives a member without a password one, and ends an operator's secret", async () => {
    const [code] = await make();
    await w.deps.db.transact(async (tx) => {
      await tx.update(members).set({ passwordHash: null }).where(eq(members.id, id));
      await tx.insert(passwordResets).values({ memberId: id, secretHash: "a", expiresAt: w.now() + MINUTE_MS });
    });
    expect((await recover(code!)).code).toBe(200);
    expect(await w.deps.db.read.select().from(passwordResets)).toEqual([]);
    expect((await logIn(w, "anna_1", NEXT)).code).toBe(200);
  });
});

it("a member's messages about security come alone when asked for", async () => {
  await make();
  const about = { memberId: id, kind: "membership.ended", facts: {}, createdAt: w.now() };
  await w.deps.db.transact((tx) => tx.insert(messages).values(about));
  const list = async (input: Record<string, string>) =>
    (await w.call("/member/messages", input, { method: "GET", token })).data.map(({ kind }) => kind);
  expect(await list({ about: "security" })).toEqual(["security.recoveryMade"]);
  expect(await list({})).toEqual(["membership.ended", "security.recoveryMade"]);
});
