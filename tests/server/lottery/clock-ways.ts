import { expect } from "vitest";
import { faultsOf } from "../../support/recompute.ts";
import type { Player, World } from "../../support/world.ts";
import { accusationsOf } from "../log/read-log.ts";
import { problemsOf } from "./failing-world.ts";
import { readsOf } from "./rounds-world.ts";

/** Sets the clock by `ms`, as it happens to a server. */
export type SetClock = (w: World, ms: number) => Promise<void>;

/** The clock is set while the server runs, or while it is down. */
export const WAYS: [string, SetClock][] = [
  [
    "while it runs",
    async (w, ms) => {
      w.jump(ms);
      await w.settle();
    },
  ],
  [
    "while it is down",
    async (w, ms) => {
      w.jump(ms);
      await w.restart();
      await w.settle();
    },
  ],
];

export const no = (number: number, day = "20260302") => `${day}-${String(number).padStart(4, "0")}`;
export const gap = (from: string, to: string, reason: string) => ({ gap_from: from, gap_to: to, reason });

/** How often the log has this text. */
export const answer = ({ logged }: World, text: string): number => logged.filter((line) => line.includes(text)).length;

/** Ten units on big and ten on small: whatever the dice, half a unit is lost. Returns the answer's code. */
export const bet = async (player: Player, round: string): Promise<number> =>
  (await player.call("/game/placeOrder", { item: "A,B", money: "10", lid: "lot_1", mid: "", expect: round })).code;

export const money = async (player: Player): Promise<string> => (await player.call("/member/getUserInfo")).data.money;

/** The audit and strangers find nothing, every round was played or is in one gap, and every draw is genuine. */
export async function expectWhole(w: World): Promise<void> {
  const { fair, rounds } = readsOf(() => w);
  expect(await problemsOf(w)).toEqual([]);
  expect(await accusationsOf(w)).toEqual([]);
  const drawn = (await rounds()).filter(({ seed }) => seed !== null);
  for (const round of drawn) expect(faultsOf(await fair(round.expect))).toEqual([]);
}
