import { expect, it } from "vitest";
import { HonestLife } from "./honest-life.ts";

/** Servers start five times here, which takes minutes on a busy machine. */
const PATIENCE_MS = 300_000;

it(
  "nobody finds anything on a site that lives honestly through kills, a restore and a beacon that is away",
  async () => {
    const plan = { minutes: 12, gamesAKind: 1, houses: 2, killEvery: 8, chapter: 10, restoreEvery: 1, seed: 3 };
    const { alarms, restores, kills, away, checks } = await new HonestLife(plan, () => {}).live();
    expect(alarms).toEqual([]);
    expect({ restores, checks, kills, away }).toEqual({ restores: 1, checks: 2, kills: 1, away: 1 });
  },
  PATIENCE_MS,
);
