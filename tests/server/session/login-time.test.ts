import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "#shared/time.ts";
import { world, type World } from "../../support/world.ts";
import { INVITE, logIn, register } from "./people.ts";

let w: World;

beforeAll(async () => {
  w = await world();
  await w.invite(INVITE);
  await register(w, "anna_1");
});
afterAll(() => w.close());

/**
 * What an attempt costs the processor, in all threads. Its time is made of that, and other work does not lengthen it.
 */
async function costOf(username: string): Promise<number> {
  // Earlier attempts are deleted, so that no login is throttled.
  w.pass(DAY_MS);
  const before = process.cpuUsage();
  const { code } = await logIn(w, username, "guess it");
  expect(code).toBe(422);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

describe("the time of a refused login", () => {
  it("does not reveal whether there is such a member", async () => {
    const costs = { known: [] as number[], unknown: [] as number[] };
    await costOf("anna_1");
    for (let i = 0; i < 15; i++) {
      costs.known.push(await costOf("anna_1"));
      costs.unknown.push(await costOf(`nobody_${i}`));
    }
    const ratio = median(costs.known) / median(costs.unknown);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});
