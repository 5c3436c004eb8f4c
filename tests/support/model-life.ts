import fc from "fast-check";
import { ENGINE } from "./databases.ts";
import { byLength } from "./length.ts";
import { end } from "./model-end.ts";
import { stepsOf, type Step } from "./model-operations.ts";
import { Playthrough } from "./model-play.ts";
import { shrink, tell } from "./model-shrink.ts";

/** The steps of a life, and its operations at least: fewer where each operation crosses a network. */
const { steps: STEPS, operations: OPERATIONS } = {
  sqlite: byLength({ steps: 100, operations: 5_000 }, { steps: 230, operations: 12_000 }),
  postgres: { steps: 75, operations: 4_000 },
}[ENGINE];
const SEATS = 40;

/** Every answer here must occur during the runs, or the operations try too little. */
const ANSWERS = {
  bet: "done balance.insufficient limit.reached round.closed member.locked member.excluded session.kicked input.invalid",
  order: "done limit.reached member.locked member.excluded session.kicked input.invalid",
  buy: "done balance.insufficient object.unknown member.locked member.excluded session.kicked",
  bind: "done bank.bound passcode.missing proof.needed member.locked session.kicked",
  withdraw: "done balance.insufficient limit.reached name.missing passcode.wrong member.locked session.kicked",
  decide: "done withdraw.decided object.unknown",
  retry: "done key.reused session.kicked",
  notify: "done payment.mismatch payment.unsigned",
  limit: "done member.locked session.kicked",
  exclude: "done limit.shortened input.invalid",
  credit: "done",
  reverse: "done object.unknown transfer.irreversible balance.insufficient member.locked",
  lock: "done",
  kick: "done",
  login: "done member.locked",
};

interface Lives {
  operations: number;
  /** How often each operation got each answer. */
  answers: Map<string, number>;
}

/** Runs one server beside its model. Returns the step at which they disagreed, and how, or null. */
async function live(steps: Step[], lives?: Lives): Promise<{ at: number; error: Error } | null> {
  const play = await Playthrough.open(SEATS);
  let at = 0;
  try {
    for (const step of steps) {
      await play.step(step);
      at++;
    }
    await end(play);
    return null;
  } catch (error) {
    return { at, error: error as Error };
  } finally {
    for (const [name, count] of play.answers) lives?.answers.set(name, (lives.answers.get(name) ?? 0) + count);
    if (lives) lives.operations += play.operations;
    await play.close();
  }
}

/** Runs several lives. On a failure, throws with the seed and the shortest failing story found. */
async function liveThrough(seed: number, runs: number): Promise<Lives> {
  const lives: Lives = { operations: 0, answers: new Map() };
  for (const [run, steps] of fc.sample(stepsOf(SEATS, STEPS), { seed, numRuns: runs }).entries()) {
    const failure = await live(steps, lives);
    if (!failure) continue;
    const until = steps.slice(0, failure.at + 1);
    const shortest = await shrink(until, async (fewer) => (await live(fewer)) !== null);
    const last = (await live(shortest)) ?? failure;
    const where = `seed ${seed}, life ${run}, after ${failure.at} steps: ${failure.error.message}`;
    throw new Error(`${where}\nIn short:\n${tell(shortest)}\n${last.error.message}`, { cause: failure.error });
  }
  return lives;
}

/**
 * Runs so many lives, each of at least 12 000 operations, 5 000 in a short run (4 000 on PostgreSQL). Returns which of the expected answers
 * never came.
 */
export async function liveLikeTheModel(seed: number, lives: number): Promise<string[]> {
  const { operations, answers } = await liveThrough(seed, lives);
  if (operations < lives * OPERATIONS) throw new Error(`${lives} lives had only ${operations} operations`);
  const wanted = Object.entries(ANSWERS).flatMap(([does, list]) => list.split(" ").map((one) => `${does} ${one}`));
  return wanted.filter((answer) => !answers.has(answer));
}
