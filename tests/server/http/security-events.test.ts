import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { invites, members, sessions } from "#db/schema/index.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { beProven, give } from "../../support/credentials.ts";
import { kick, lock, set } from "../../support/operator.ts";
import { SSO_SECRET, ticketFor } from "../../support/partner.ts";
import { world, type Player, type World } from "../../support/world.ts";

const PASSWORD = "a right password of mia";
const SECRETS = [
  PASSWORD,
  "typed_by_nobody",
  "a wrong password",
  "another wrong one",
  "the next password of mia",
  "135724",
  "975313",
  "19036624875013",
  "5013",
  "Mia Secret Tran",
  "0901234567",
  "GUESSED-INVITE",
  "GOOD-INVITE",
  SSO_SECRET,
  "a-token-that-is-none",
  "in-the-query",
];

interface Line {
  security?: string;
  ip?: string;
  memberId?: number;
  requestId?: string;
  reason?: string;
  route?: string;
  channel?: string;
  client?: string;
  more?: number;
}

let w: World;
let mia: Player;
const recoveryCodes: string[] = [];
/** The calls below, in order: each a way to make an event. */
const said: Record<string, Line[]> = {};

/** What the clock, the process and chance put into a line: their digits may be those of any number. */
const BY_CHANCE = new Set(["time", "pid", "hostname", "ms", "requestId"]);

/** What the lines say of the calls, in one text. */
const wordsOf = (logged: readonly string[]) =>
  logged
    .map((line) => JSON.stringify(JSON.parse(line), (key, value) => (BY_CHANCE.has(key) ? undefined : value)))
    .join("\n");

const lines = (from = 0) => w.logged.slice(from).map((line) => JSON.parse(line) as Line);

/** What a step leaves among the security events. */
async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  const from = w.logged.length;
  // Another minute, so that nothing is only counted.
  w.pass(2 * MINUTE_MS);
  await work();
  said[name] = lines(from).filter(({ security, more }) => security !== undefined && more === undefined);
}

/** A step of a member who has just proved who they are. */
const provenStep = (name: string, { memberId }: Player, work: () => Promise<unknown>): Promise<void> =>
  step(name, async () => {
    await beProven(w, memberId);
    await work();
  });

async function logIn(username: string, password: string): Promise<void> {
  await w.call("/member/doLogin", { username, password });
}

const recover = (username: string, code: string) =>
  w.call("/member/recover", { username, code, new_password: "the next password of mia" });

beforeAll(async () => {
  w = await world();
  mia = await w.player("mia_1", { balance: 10_000 });
  await give(w, mia.memberId, { password: PASSWORD });
  await set(w, "sso_secret", SSO_SECRET);
  await set(w, "edit_paypwd", "1");
  await w.invite("GOOD-INVITE");
  const other = await w.player("ola_22");
  await step("login", () => logIn("mia_1", PASSWORD));
  await step("wrong password", () => logIn("mia_1", "a wrong password"));
  await step("unknown name", () => logIn("typed_by_nobody", "another wrong one"));
  await step("wrong invite", () =>
    w.call("/member/doRegister", { username: "typed_by_nobody", password: PASSWORD, code: "GUESSED-INVITE" }),
  );
  await step("sign-up", () =>
    w.call("/member/doRegister", { username: "nora_1", password: PASSWORD, code: "GOOD-INVITE" }),
  );
  await step("partner", () => w.call("/member/doLoginthird", { sso: ticketFor("pia_1", w.now()), username: "pia_1" }));
  await step("bad ticket", () => w.call("/member/doLoginthird", { sso: "in-the-query", username: "mia_1" }));
  await step("no proof", () => mia.call("/member/setPayPassword", { paypassword: "135724" }));
  await step("proof", () => mia.call("/member/prove", { password: PASSWORD }));
  await step("first passcode", () => mia.call("/member/setPayPassword", { paypassword: "135724" }));
  const bank = { bankid: "19036624875013", bank: "ACB", bank_code: "vn_acb", username: "Mia Secret Tran" };
  await provenStep("bank", mia, () => mia.call("/member/setBank", { ...bank, mobile: "0901234567" }));
  await step("withdrawal", () => mia.call("/member/setUserWirhdraw", { money: "100", paypwd: "135724" }));
  await step("wrong passcode", () => mia.call("/member/setUserWirhdraw", { money: "100", paypwd: "975313" }));
  await step("next passcode", () =>
    mia.call("/member/editPayPassword", { oldpaypwd: "135724", paypassword: "975313" }),
  );
  await provenStep("codes", mia, async () => {
    recoveryCodes.push(...(await mia.call("/member/recoveryCodes", {})).data.codes);
  });
  await step("wrong code", () => recover("mia_1", "ABCD-EFGH-JKMN-PQRS"));
  await step("code of nobody", () => recover("typed_by_nobody", "ABCD-EFGH-JKMN-PQRS"));
  await provenStep("export", mia, () =>
    w.site.app.inject({ url: "/api/member/export?format=json", headers: headers(mia.token) }),
  );
  await step("password", () =>
    mia.call(`/member/setLoginPassword?old_password=in-the-query&new_password=also-in-the-query`, undefined, {}),
  );
  await step("password changed", () =>
    mia.call("/member/setLoginPassword", { old_password: PASSWORD, new_password: "the next password of mia" }),
  );
  await provenStep("foreign object", other, () => other.call("/member/endSession", { id: "ses_1" }));
  await provenStep("sessions", mia, () => mia.call("/member/endSession", {}));
  await step("unknown token", () => w.call("/member/sessions", undefined, { token: "a-token-that-is-none" }));
  await step("unsigned", () => w.call("/pay/notify/sandbox?q=in-the-query", { order: "19036624875013" }));
  await lock(w, other.memberId, true);
  await step("locked", () => other.call("/member/setSex", { sex: "1" }));
  await kick(w, other.memberId, "in-the-query");
  await step("kicked", () => other.call("/member/sessions"));
  await step("logout", () => mia.call("/member/doLogout", {}));
  await step("recovery", () => recover("mia_1", recoveryCodes[0]!));
});
afterAll(() => w.close());

const headers = (token: string) => ({ token: Buffer.from(token).toString("base64") });

it.each([
  ["login", "login.done", true],
  ["wrong password", "login.failed", true],
  ["unknown name", "login.failed", false],
  ["wrong invite", "invite.failed", false],
  ["sign-up", "signup.done", true],
  ["partner", "login.partner", true],
  ["bad ticket", "login.failed", false],
  ["no proof", "proof.needed", true],
  ["proof", "proof.given", true],
  ["first passcode", "passcode.set", true],
  ["bank", "bank.bound", true],
  ["withdrawal", "withdrawal.asked", true],
  ["wrong passcode", "passcode.failed", true],
  ["next passcode", "passcode.changed", true],
  ["codes", "recovery.made", true],
  ["wrong code", "recovery.failed", true],
  ["code of nobody", "recovery.failed", false],
  ["recovery", "recovery.used", true],
  ["export", "export.begun", true],
  ["password", "password.failed", true],
  ["password changed", "password.changed", true],
  ["foreign object", "access.denied", true],
  ["sessions", "session.ended", true],
  ["unknown token", "session.unknown", false],
  ["unsigned", "notification.unsigned", false],
  ["locked", "access.denied", true],
  ["kicked", "session.kicked", false],
  ["logout", "session.closed", true],
])("%s: one line says %s, from where and in which request", (name, kind, hasMember) => {
  const [line, ...more] = said[name]!;
  expect(more).toEqual([]);
  expect(line).toMatchObject({ security: kind, ip: "127.0.0.1", requestId: expect.stringMatching(/^[0-9a-f]{20}$/) });
  expect(line!.memberId !== undefined).toBe(hasMember);
});

it("says which member it was about, even where they were not let in", () => {
  expect(said["wrong password"]![0]!.memberId).toBe(mia.memberId);
  expect(said["foreign object"]![0]).toMatchObject({ reason: "session.foreign", route: "/api/member/endSession" });
  expect(said["unsigned"]![0]).toMatchObject({ channel: "sandbox" });
});

it("no line holds a name of nobody, a query, a password, a passcode, a token, a hash or a number of a bank", async () => {
  const stored = await w.deps.db.read.select().from(sessions);
  const [row] = await w.deps.db.read.select().from(members).where(eq(members.id, mia.memberId));
  const codes = (await w.deps.db.read.select().from(invites)).map(({ code }) => code);
  const hashes = stored.flatMap(({ tokenHash, ssoHash }) => [tokenHash, ...(ssoHash ? [ssoHash] : [])]);
  const secrets = [...SECRETS, ...recoveryCodes, ...codes, ...hashes, mia.token, row!.passwordHash!, row!.payPinHash!];
  const all = wordsOf(w.logged);
  expect(secrets.filter((secret) => all.includes(secret) || all.includes(encodeURIComponent(secret)))).toEqual([]);
  expect(all).not.toMatch(/\$argon2|eyJ/);
});

it("digits of a bank's number are found in what a line says, and not in its time or the id of its request", () => {
  const byChance = { time: 1796015013546, pid: 5013, hostname: "vm-5013", ms: 5013, requestId: "75645013263e08727f8b" };
  expect(wordsOf([JSON.stringify({ ...byChance, reason: "**** 5013" })])).toBe('{"reason":"**** 5013"}');
});

it("who repeats something gets one line a minute, and a count", async () => {
  w.pass(2 * MINUTE_MS);
  const from = w.logged.length;
  for (let i = 0; i < 40; i++) await w.call("/pay/notify/sandbox", { order: "1" });
  expect(lines(from).filter(({ security }) => security === "notification.unsigned")).toHaveLength(1);
  w.pass(2 * MINUTE_MS);
  await w.site.housekeeping.tick();
  expect(lines(from).filter(({ more }) => more !== undefined)).toEqual([
    expect.objectContaining({ security: "notification.unsigned", client: "127.0.0.1", more: 39 }),
  ]);
});

it("members who are refused at one address each get a line and a count of their own", async () => {
  w.pass(2 * MINUTE_MS);
  const from = w.logged.length;
  const refuse = (memberId: number) =>
    w.deps.security.note({ refused: "passcode.failed", reason: "passcode.wrong", ip: "192.0.2.1", memberId });
  for (const memberId of [101, 102, 102, 101, 103, 102]) refuse(memberId);
  w.deps.security.flush();
  const told = lines(from).filter(({ security }) => security === "passcode.failed");
  expect(told.map(({ memberId, more }) => [memberId, more])).toEqual([
    [101, undefined],
    [102, undefined],
    [103, undefined],
    [101, 1],
    [102, 2],
  ]);
});

it("whoever tries many members from one address is told as one, and takes nobody else's line", async () => {
  w.pass(2 * MINUTE_MS);
  const from = w.logged.length;
  const fail = (ip: string, memberId: number) =>
    w.deps.security.note({ refused: "login.failed", reason: "login.failed", ip, memberId });
  for (let memberId = 1; memberId <= 2_000; memberId++) fail("192.0.2.1", memberId);
  fail("192.0.2.2", 7);
  w.deps.security.flush();
  const told = lines(from).filter(({ security }) => security === "login.failed");
  expect(told).toHaveLength(22);
  expect(told.slice(-2)).toEqual([
    expect.objectContaining({ ip: "192.0.2.2", memberId: 7 }),
    expect.objectContaining({ client: "192.0.2.1", more: 1_980 }),
  ]);
});

it("however many addresses there are, a minute has at most a thousand lines", async () => {
  w.pass(2 * MINUTE_MS);
  const from = w.logged.length;
  for (let i = 0; i < 1_500; i++)
    w.deps.security.note({ refused: "login.failed", reason: "login.failed", ip: `10.0.${i >> 8}.${i & 255}` });
  w.deps.security.flush();
  const told = lines(from).filter(({ security }) => security === "login.failed");
  expect(told.filter(({ more }) => more === undefined)).toHaveLength(1_000);
  expect(told.at(-1)).toMatchObject({ more: 500 });
});
