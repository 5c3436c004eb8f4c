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

async function timeOf(username: string): Promise<number> {
  // Earlier attempts are deleted, so that no login is throttled.
  w.pass(DAY_MS);
  const start = performance.now();
  const { code } = await logIn(w, username, "guess it");
  expect(code).toBe(422);
  return performance.now() - start;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

describe("the time of a refused login", () => {
  it("does not reveal whether there is such a member", async () => {
    const times = { known: [] as number[], unknown: [] as number[] };
    await timeOf("anna_1");
    for (let i = 0; i < 15; i++) {
      times.known.push(await timeOf("anna_1"));
      times.unknown.push(await timeOf(`nobody_${i}`));
    }
    const ratio = median(times.known) / median(times.unknown);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});
