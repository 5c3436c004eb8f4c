import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS, SECOND_MS } from "#shared/time.ts";
import { world, type World } from "../../support/world.ts";
import { messagesOf, type Raw } from "../http/endpoints.ts";
import { allSessions, INVITE, logIn, PASSWORD, register } from "./people.ts";

let w: World;

beforeEach(async () => {
  // Guessing is limited even where the rate limit is off.
  w = await world({ env: { RATE_LIMIT: "off" } });
  await w.invite(INVITE);
  await register(w, "anna_1");
});
afterEach(() => w.close());

const guess = (username = "anna_1", from = "192.0.2.1") => logIn(w, username, "guess", { from });
const guessOften = async (times: number, username?: string, from?: string) => {
  for (let i = 0; i < times; i++) expect((await guess(username, from)).code).toBe(422);
};
const waitOf = ({ headers }: Raw) => Number(headers["retry-after"]);

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

  it("counts for the name from any address, whether or not there is such a member", async () => {
    for (const name of ["anna_1", "nobody_1"]) {
      for (let i = 0; i < 5; i++) expect((await guess(name, `198.51.100.${i}`)).code).toBe(422);
      expect((await guess(name, "198.51.100.9")).code).toBe(429);
      expect((await guess(name.toUpperCase(), "198.51.100.9")).code).toBe(429);
    }
  });

  it("refuses even the right password while the name has to wait", async () => {
    await guessOften(5);
    const before = await allSessions(w);
    expect((await logIn(w, "anna_1")).code).toBe(429);
    expect(await allSessions(w)).toEqual(before);
    w.pass(15 * SECOND_MS);
    expect((await logIn(w, "anna_1")).code).toBe(200);
  });

  it("starts again after the right password, or an hour without a guess", async () => {
    await guessOften(4);
    expect((await logIn(w, "anna_1")).code).toBe(200);
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
    const from = { from: "192.0.2.1" };
    await spray(48);
    // Both are under way at once, so the right one ends after the other has caused a delay.
    const [own] = await Promise.all([logIn(w, "anna_1", PASSWORD, from), guess("name_48")]);
    expect(own.code).toBe(200);
    expect((await guess("name_49")).code).toBe(429);
  });

  it("is not limited by right logins", async () => {
    await spray(45);
    for (let i = 0; i < 10; i++) expect((await logIn(w, "anna_1", PASSWORD, { from: "192.0.2.1" })).code).toBe(200);
    await guessOften(1, "name_45");
  });
});
