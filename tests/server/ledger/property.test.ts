import fc from "fast-check";
import { expect, describe, it } from "vitest";
import { stepsOf, type Step } from "../../support/model-operations.ts";
import { Play } from "../../support/model-play.ts";

const SEED = 20_260_302;
const RUNS = 7;
const STEPS = 250;
const SEATS = 40;

/** Each of these must have been said on the way, or the operations try too little. */
const ANSWERS = [
  "done",
  "balance.insufficient",
  "limit.reached",
  "round.closed",
  "member.locked",
  "member.excluded",
  "key.reused",
  "object.unknown",
  "input.invalid",
  "limit.shortened",
  "transfer.irreversible",
  "payment.mismatch",
  "payment.unsigned",
];

let operations = 0;
const heard = new Map<string, number>();

/** A life of one server beside the model's. */
async function live(steps: Step[]): Promise<void> {
  const play = await Play.open(SEATS);
  let at = 0;
  try {
    for (const step of steps) {
      await play.step(step);
      at++;
    }
    await play.end();
  } catch (error) {
    const faults = play.w.logged.filter((line) => line.includes(`"level":50`)).slice(-1);
    throw new Error([`after ${at} steps: ${(error as Error).message}`, ...faults].join("\n"), { cause: error });
  } finally {
    for (const [name, count] of play.heard) heard.set(name, (heard.get(name) ?? 0) + count);
    operations += play.operations;
    await play.close();
  }
}

describe("wallets, limits and rounds", () => {
  it(`do what a simple model does, whatever 100,000 operations come (seed ${SEED})`, { timeout: 600_000 }, async () => {
    const property = fc.asyncProperty(stepsOf(SEATS, STEPS), live);
    const { failed, errorInstance, counterexamplePath } = await fc.check(property, {
      seed: SEED,
      numRuns: RUNS,
      endOnFailure: true,
    });
    if (failed) throw new Error(`seed ${SEED}, path ${counterexamplePath}`, { cause: errorInstance });
    expect(operations).toBeGreaterThanOrEqual(100_000);
    expect(ANSWERS.filter((answer) => !heard.has(answer))).toEqual([]);
  });
});
