import { afterEach, beforeEach, expect, it } from "vitest";
import { attempts } from "#db/schema/session.ts";
import { MOST_OF_ONE } from "#server/domains/account/hash-lanes.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import type { Guess } from "#server/domains/session/attempts.ts";
import { judge } from "#server/domains/session/judge.ts";
import { logIn } from "#server/domains/session/login.ts";
import type { Refusal } from "#shared/refusal.ts";
import { give } from "../../support/credentials.ts";
import { world, type World } from "../../support/world.ts";

let w: World;

beforeEach(async () => {
  w = await world({ env: { RATE_LIMIT: "on" } });
});
afterEach(() => w.close());

it("a client's guesses beyond those that wait are refused and not counted, a neighbour's and a device's are not", async () => {
  const gate = Promise.withResolvers<string>();
  const ask = (username: string, from: Partial<Guess> = {}) =>
    judge(w.deps, { username, ip: "192.0.2.1", ...from }, () => gate.promise).catch(({ reason }: Refusal) => reason);
  const inside = Array.from({ length: 1 + MOST_OF_ONE }, (_, i) => ask(`name_${i}`));
  const beyond = ask("beyond");
  const others = [ask("beyond_2", { ip: "192.0.2.2" }), ask("beyond_3", { device: "a phone" })];
  gate.resolve("judged");
  expect(await beyond).toBe("attempts.many");
  expect(new Set(await Promise.all([...inside, ...others]))).toEqual(new Set(["judged"]));
  const subjects = (await w.deps.db.read.select().from(attempts)).map(({ subject }) => subject);
  expect(subjects).toContain(`name_${MOST_OF_ONE}`);
  expect(subjects).not.toContain("beyond");
  expect(await ask("beyond")).toBe("judged");
});

it("guesses that come to two servers at once get no more tries than at one", async () => {
  const { memberId } = await w.player("mia_1");
  await give(w, memberId, { password: "correct horse" });
  const guess = { username: "mia_1", newPassword: undefined, ip: "192.0.2.1", agent: "test", isDirect: true } as const;
  const reasons = await Promise.all(
    [w.deps, { ...w.deps }].flatMap((deps) => {
      const passwords = new Passwords(deps.keys);
      const ask = () => logIn(deps, passwords, { ...guess, password: "a guess", locale: "en_us" });
      return Array.from({ length: 10 }, () => ask().catch(({ reason }: Refusal) => reason));
    }),
  );
  expect(reasons.filter((reason) => reason === "login.failed")).toHaveLength(5);
  expect(reasons.filter((reason) => reason === "login.locked")).toHaveLength(15);
});
