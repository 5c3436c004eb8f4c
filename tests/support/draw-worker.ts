import { workerData, parentPort } from "node:worker_threads";
import { rulesOf } from "#shared/lottery/games.ts";
import { chainOfDay, drawOf, lastSeedOfDay, seedOf } from "#shared/lottery/fairness.ts";
import { roundsPerDay, roundText } from "#shared/lottery/schedule.ts";
import { dayText } from "#shared/time.ts";
import type { DrawOrder } from "./draw-many.ts";

/** Draws every round of some days as the server would. A roll is 36 × first + 6 × second + third, faces from 0. */
const { master, gameKey, periodS, fromDay, days } = workerData as DrawOrder;
const perDay = roundsPerDay({ periodS, closeS: 3 });
const rolls = new Uint8Array(days * perDay);
/** The round's text after its day, made once: writing it takes longer than all the rest. */
const numbers = Array.from({ length: perDay + 1 }, (_, number) => roundText({ day: 0, number }).slice(8));

const rules = rulesOf("dice-sum");
for (let day = fromDay, at = 0; day < fromDay + days; day++) {
  const date = dayText(day);
  const chain = chainOfDay(lastSeedOfDay(master, gameKey, date), perDay);
  for (let number = 1; number <= perDay; number++) {
    const dice = drawOf(rules, seedOf(chain, number), {
      gameKey,
      round: date + numbers[number]!,
      rule: "none",
      beacon: "",
    });
    rolls[at++] = dice.reduce((roll, face) => roll * 6 + face - 1, 0);
  }
}
parentPort!.postMessage(rolls, [rolls.buffer]);
