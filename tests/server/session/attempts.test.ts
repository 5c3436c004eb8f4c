import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { members, messages } from "#db/schema/index.ts";
import { countAttempt, forgiveAttempt } from "#server/domains/session/attempts.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import type { Reply } from "../../support/call.ts";
import { give } from "../../support/credentials.ts";
import { world, type World } from "../../support/world.ts";
import { messagesOf, send } from "../http/endpoints.ts";
import { allSessions, INVITE, logIn, PASSWORD, register } from "./people.ts";

let w: World;

beforeEach(async () => {
  // Guessing passwords is limited even where the rate limit is off.
  w = await world({ env: { RATE_LIMIT: "off" } });
  await w.invite(INVITE);
  await register(w, "anna_1");
});
afterEach(() => w.close());
/** Begins again where a client's sign-ups are limited. */
async function limitSignUps(): Promise<void> {
  await w.close();
  w = await world({ env: { RATE_LIMIT: "on" } });
  await w.invite(INVITE);
  await register(w, "anna_1");
}

const guess = (username = "anna_1", from = "192.0.2.1") => logIn(w, username, "guess", { from });
const guessOften = async (times: number, username?: string, from?: string) => {
  for (let i = 0; i < times; i++) expect((await guess(username, from)).code).toBe(422);
};
const allHaveThePasswordOf = (username: string) =>
  w.deps.db.transact(async (tx) => {
    const [one] = await tx.select().from(members).where(eq(members.username, username));
    await tx.update(members).set({ passwordHash: one!.passwordHash });
  });
const waitOf = ({ headers }: Reply) => Number(headers["retry-after"]);

describe("guessing a password", () => {
  it("is free five times in a row, and then takes longer and longer", async () => {
    await guessOften(5);
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const refused = await guess();
      expect([refused.status, refused.code, refused.data]).toEqual([429, 429, { reason: "login.locked" }]);
      waits.push(waitOf(refused));
      w.pass(waits.at(-1)! * SECOND_MS - 1);
      expect((await guess()).code).toBe(429);
      w.pass(1);
      expect((await guess()).code).toBe(422);
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 900, 900]);
  });

  it("says in the caller's language how long to wait", async () => {
    await guessOften(5);
    const { msg } = await logIn(w, "anna_1", "guess", { from: "192.0.2.1", lang: "ru_ru" });
    expect(msg).toBe(messagesOf("ru_ru").refusal.login!.locked!.replace("{{seconds}}", "15"));
  });

  it("counts in any case of letters, whether or not there is such a member", async () => {
    for (const name of ["anna_1", "nobody_1"]) {
      await guessOften(5, name, "198.51.100.9");
      expect((await guess(name.toUpperCase(), "198.51.100.9")).code).toBe(429);
    }
  });

  it("counts for the whole network of an IPv6 address", async () => {
    for (let i = 0; i < 5; i++) await guessOften(1, "anna_1", `2001:db8:1:2::${i}`);
    expect((await guess("anna_1", "2001:db8:1:2::9")).code).toBe(429);
    await guessOften(1, "anna_1", "2001:db8:1:3::9");
  });

  it("from elsewhere keeps no member out", async () => {
    await guessOften(5, "anna_1", "192.0.2.1");
    const before = await allSessions(w);
    expect((await logIn(w, "anna_1", PASSWORD, { from: "192.0.2.1" })).code).toBe(429);
    expect(await allSessions(w)).toEqual(before);
    expect((await logIn(w, "anna_1", PASSWORD, { from: "192.0.2.2" })).code).toBe(200);
  });

  it("from very many addresses makes everybody wait, but a minute at the most", async () => {
    for (let i = 0; i < 50; i++) await guessOften(1, "anna_1", `198.51.100.${i}`);
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      waits.push(waitOf(await logIn(w, "anna_1", PASSWORD, { from: "203.0.113.99" })));
      w.pass(waits.at(-1)! * SECOND_MS);
      await guessOften(1, "anna_1", `203.0.113.${i}`);
    }
    expect(waits).toEqual([15, 30, 60, 60]);
  });

  it("starts again after the right password, or an hour without a guess", async () => {
    await guessOften(4);
    expect((await logIn(w, "anna_1", PASSWORD, { from: "192.0.2.1" })).code).toBe(200);
    await guessOften(4);
    w.pass(HOUR_MS);
    await guessOften(5);
    expect((await guess()).code).toBe(429);
  });

  it("is limited when many come at once", async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => guess()));
    const count = (wanted: number) => replies.filter(({ code }) => code === wanted).length;
    expect([count(422), count(429)]).toEqual([5, 35]);
  });

  it("is not forgotten after a restart", async () => {
    await guessOften(5);
    await w.restart();
    expect((await guess()).code).toBe(429);
  });
});

describe("a member whose name strangers guess", () => {
  /** Their passwords are wrong: that none is hashed spares the test's time. */
  const strangers = () =>
    w.deps.db.transact(async (tx) => {
      for (let i = 0; i < 50; i++) await countAttempt(tx, { username: "anna_1", ip: `198.51.100.${i}` }, w.now());
    });
  const enter = (from: string, device?: string) =>
    logIn(w, "anna_1", PASSWORD, { from, ...(device !== undefined && { device }) });
  const deviceOf = async (from = "192.0.2.7") => (await enter(from)).data.device;

  it("reads of it once, however long they go on, and again when it begins anew", async () => {
    const told = async () =>
      (await w.deps.db.read.select().from(messages).where(eq(messages.kind, "security.nameLocked"))).length;
    const guesses = async (name: string, times: number) => {
      for (let i = 0; i < times; i++) {
        const from = `198.51.100.${i}`;
        await logIn(w, name, "guess", { from });
        w.pass(MINUTE_MS);
      }
    };
    await guesses("anna_1", 49);
    expect(await told()).toBe(0);
    await guesses("anna_1", 6);
    expect(await told()).toBe(1);
    await guesses("nobody_1", 55);
    w.pass(HOUR_MS);
    await guesses("anna_1", 51);
    expect(await told()).toBe(2);
  });

  it("is heard from a device that logged in before, wherever it is now", async () => {
    const device = await deviceOf();
    await strangers();
    expect((await enter("203.0.113.5")).code).toBe(429);
    expect((await enter("203.0.113.5", device)).code).toBe(200);
    expect((await enter("198.51.100.49", device)).code).toBe(200);
  });

  it("is heard from a client where they logged in before", async () => {
    await deviceOf();
    await strangers();
    expect((await enter("192.0.2.7")).code).toBe(200);
  });

  it("may change the password while strangers guess it", async () => {
    const { token } = (await enter("192.0.2.7")).data;
    await strangers();
    const form = new URLSearchParams({ old_password: PASSWORD, new_password: "another horse" }).toString();
    const changed = await send(w, { path: "/member/setLoginPassword", payload: form, token });
    expect(changed.code).toBe(200);
  });

  it("is slowed hard for guesses from their own device, which others cannot cause", async () => {
    const device = await deviceOf();
    for (let i = 0; i < 5; i++) expect((await logIn(w, "anna_1", "guess", { device })).code).toBe(422);
    expect((await enter("192.0.2.8", device)).code).toBe(429);
    expect((await enter("192.0.2.8")).code).toBe(200);
  });

  it("is slowed as hard for them where that device is at home", async () => {
    const device = await deviceOf("192.0.2.7");
    const at = { from: "192.0.2.7", device };
    for (let i = 0; i < 5; i++) expect((await logIn(w, "anna_1", "guess", at)).code).toBe(422);
    expect((await enter("192.0.2.7", device)).code).toBe(429);
  });

  it.each([
    ["of another member", () => w.invite("SECOND").then(() => register(w, "bob_1", { code: "SECOND" }))],
    ["that was made up", () => Promise.resolve({ data: { device: `1.${"a".repeat(16)}.${"b".repeat(43)}` } })],
  ])("is not heard from a device %s", async (_name, made) => {
    const { device } = (await made()).data;
    await strangers();
    expect((await enter("203.0.113.5", device)).code).toBe(429);
  });

  it("is not heard from a device after a new password, or half a year", async () => {
    const { device, token } = (await enter("192.0.2.7")).data;
    const form = new URLSearchParams({ old_password: PASSWORD, new_password: "another horse" }).toString();
    const old = await deviceOf();
    expect((await send(w, { path: "/member/setLoginPassword", payload: form, token })).code).toBe(200);
    const renewed = (await logIn(w, "anna_1", "another horse", { from: "192.0.2.7" })).data;
    await strangers();
    const from = { from: "203.0.113.5" };
    for (const ended of [device, old])
      expect((await logIn(w, "anna_1", "another horse", { ...from, device: ended })).code).toBe(429);
    expect((await logIn(w, "anna_1", "another horse", { ...from, device: renewed.device })).code).toBe(200);
    w.pass(180 * 24 * HOUR_MS);
    await strangers();
    const late = { from: "203.0.113.6", device: renewed.device };
    expect((await logIn(w, "anna_1", "another horse", late)).code).toBe(429);
  });
});

describe("right log-ins that come at once, after as many typos as are free but one,", () => {
  const from = "192.0.2.1";
  const codesAtOnce = async (enter: (i: number) => Promise<Reply>) =>
    (await Promise.all(Array.from({ length: 12 }, (_, i) => enter(i)))).map(({ code }) => code);

  it("of one member are all let in", async () => {
    await guessOften(4);
    expect(await codesAtOnce(() => logIn(w, "anna_1", PASSWORD, { from }))).toEqual(Array(12).fill(200));
    await guessOften(5);
    expect((await guess()).code).toBe(429);
  });

  it("of one device are all let in", async () => {
    const { device } = (await logIn(w, "anna_1", PASSWORD, { from })).data;
    for (let i = 0; i < 4; i++) expect((await logIn(w, "anna_1", "guess", { device })).code).toBe(422);
    const elsewhere = { from: "203.0.113.5", device };
    expect(await codesAtOnce(() => logIn(w, "anna_1", PASSWORD, elsewhere))).toEqual(Array(12).fill(200));
  });

  it("of many members behind one address are all let in", async () => {
    const name = (i: number) => `name_${i}`;
    for (let i = 0; i < 12; i++) await w.player(name(i));
    await allHaveThePasswordOf("anna_1");
    await w.deps.db.transact(async (tx) => {
      for (let i = 0; i < 49; i++) await countAttempt(tx, { username: `typo_${i}`, ip: from }, w.now());
    });
    expect(await codesAtOnce((i) => logIn(w, name(i), PASSWORD, { from }))).toEqual(Array(12).fill(200));
  });
});

it("an address that many members share is not locked by their typos", async () => {
  const from = { from: "203.0.113.9" };
  await register(w, "bob_1");
  await register(w, "carl_1");
  for (const name of ["anna_1", "bob_1"]) expect((await logIn(w, name, PASSWORD, from)).code).toBe(200);
  await w.deps.db.transact(async (tx) => {
    for (let i = 0; i < 55; i++) await countAttempt(tx, { username: `typo_${i}`, ip: from.from }, w.now());
  });
  for (const name of ["carl_1", "anna_1"]) expect((await logIn(w, name, PASSWORD, from)).code).toBe(200);
  await w.deps.db.transact(async (tx) => {
    for (let i = 0; i < 10; i++) await countAttempt(tx, { username: `more_${i}`, ip: from.from }, w.now());
  });
  expect((await guess("dora_1", from.from)).code).toBe(429);
  expect((await logIn(w, "bob_1", PASSWORD, from)).code).toBe(200);
});

it("a wait comes before a field that is missing", async () => {
  await guessOften(5);
  expect((await logIn(w, "anna_1", "", { from: "192.0.2.1" })).code).toBe(429);
  expect((await logIn(w, "anna_1", "", { from: "192.0.2.2" })).code).toBe(400);
});

it("names and invites forgive spaces and capitals", async () => {
  expect((await register(w, " Bob_1 ", { code: ` ${INVITE.toLowerCase()} ` })).code).toBe(200);
  expect((await logIn(w, "BOB_1 ")).code).toBe(200);
});

describe("guessing an invite", () => {
  beforeEach(limitSignUps);

  const tryCode = (code: string, username = "new_name") => register(w, username, { code, from: "192.0.2.1" });

  it("is free fifty times from one client, and then takes longer and longer", async () => {
    for (let i = 0; i < 50; i++) expect((await tryCode(`WRONG${i}`)).code).toBe(400);
    const refused = await tryCode("WRONG");
    expect([refused.code, refused.data, waitOf(refused)]).toEqual([429, { reason: "attempts.many" }, 15]);
    expect((await tryCode(INVITE)).code).toBe(429);
    w.pass(15 * SECOND_MS);
    expect((await tryCode(INVITE)).code).toBe(200);
  });

  it("makes no log-in from there wait", async () => {
    for (let i = 0; i < 51; i++) await tryCode(`WRONG${i}`);
    expect((await logIn(w, "anna_1", PASSWORD, { from: "192.0.2.1" })).code).toBe(200);
  });

  it("that has to wait says so before a missing field, and before a weak password", async () => {
    for (let i = 0; i < 50; i++) await tryCode(`WRONG${i}`);
    const weak = await register(w, "new_name", { password: "12345678", from: "192.0.2.1" });
    expect([(await tryCode("WRONG")).code, (await tryCode("")).code, weak.code]).toEqual([429, 429, 429]);
  });

  it("with a right code asks for a hundred taken names, and then waits", async () => {
    for (let i = 0; i < 100; i++) expect((await tryCode(INVITE, "anna_1")).code).toBe(409);
    expect([(await tryCode(INVITE, "anna_1")).code, (await tryCode(INVITE)).code]).toEqual([429, 429]);
    w.pass(15 * SECOND_MS);
    expect((await tryCode(INVITE)).code).toBe(200);
  });
});

it("a client that makes many members waits before each further one, and a neighbour does not", async () => {
  await limitSignUps();
  const signUp = (username: string, from: string) => register(w, username, { from });
  for (let i = 0; i < 20; i++) expect((await signUp(`name_${i}`, "192.0.2.1")).code).toBe(200);
  const refused = await signUp("name_20", "192.0.2.1");
  expect([refused.code, refused.data, waitOf(refused)]).toEqual([429, { reason: "attempts.many" }, 15]);
  expect((await signUp("name_21", "192.0.2.2")).code).toBe(200);
  w.pass(15 * SECOND_MS);
  expect((await signUp("name_20", "192.0.2.1")).code).toBe(200);
});

it("wrong invites and taken names make no sign-up wait where load is tested", async () => {
  const tryOften = async (times: number, username: string, code: string) => {
    const answers = new Set<number>();
    for (let i = 0; i < times; i++) answers.add((await register(w, username, { code })).code);
    return [...answers];
  };
  expect(await tryOften(52, "new_name", "WRONG")).toEqual([400]);
  expect(await tryOften(102, "anna_1", INVITE)).toEqual([409]);
  expect((await register(w, "new_name", { code: "" })).code).toBe(400);
  expect((await register(w, "new_name")).code).toBe(200);
});

it("sixty who register at once from one address, and then log in, are all taken where load is tested", async () => {
  const names = Array.from({ length: 60 }, (_, i) => `name_${i}`);
  const registered = await Promise.all(names.map((name) => register(w, name)));
  expect(registered.map(({ code }) => code)).toEqual(Array(60).fill(200));
  // Cheap to check, to spare the test's time.
  await give(w, 1, { password: PASSWORD });
  await allHaveThePasswordOf("anna_1");
  const entered = await Promise.all(names.map((name) => logIn(w, name)));
  expect(entered.map(({ code }) => code)).toEqual(Array(60).fill(200));
});

describe("guessing passwords of many names", () => {
  const spray = async (times: number) => {
    for (let i = 0; i < times; i++) await guessOften(1, `name_${i}`);
  };

  it("is free fifty times from one address, and then takes longer and longer", async () => {
    await spray(50);
    expect(waitOf(await guess("name_50"))).toBe(15);
    expect((await guess("name_50", "192.0.2.2")).code).toBe(422);
    w.pass(15 * SECOND_MS);
    await guessOften(1, "name_51");
    expect(waitOf(await guess("name_52"))).toBe(30);
  });

  it("is not forgiven for a password that the guesser knows", async () => {
    const own = { username: "anna_1", ip: "192.0.2.1" };
    await spray(48);
    // A log-in with the right password, under way while another guess causes a delay.
    const counted = await w.deps.db.transact((tx) => countAttempt(tx, own, w.now()));
    await guessOften(1, "name_48");
    await w.deps.db.transact((tx) => forgiveAttempt(tx, own, { counted, memberId: null, now: w.now() }));
    expect((await guess("name_49")).code).toBe(429);
  });

  it("is not forgiven for a password that the guesser knows, where that one's member is at home", async () => {
    expect((await logIn(w, "anna_1", PASSWORD, { from: "192.0.2.1" })).code).toBe(200);
    await w.deps.db.transact(async (tx) => {
      for (let i = 0; i < 55; i++) await countAttempt(tx, { username: `name_${i}`, ip: "192.0.2.1" }, w.now());
    });
    expect((await logIn(w, "anna_1", PASSWORD, { from: "192.0.2.1" })).code).toBe(200);
    expect((await guess("name_55")).code).toBe(429);
  });

  it("is not limited by right logins", async () => {
    await spray(45);
    for (let i = 0; i < 10; i++) expect((await logIn(w, "anna_1", PASSWORD, { from: "192.0.2.1" })).code).toBe(200);
    await guessOften(1, "name_45");
  });
});
