import { expect, it } from "vitest";
import { byLength } from "../support/length.ts";
import { MINUTES, verdictOf } from "./honest-log.ts";

const GAMES = [MINUTES, { key: "pair-10m", kind: "dice-pair", periodS: 600 }];

it("an honest log of ten thousand rounds, with gaps, pauses, failures and days, has no problem", () => {
  const down = [
    [30.51, 31.2],
    [70, 103.5],
    [150.3, 150.6],
  ] as const;
  const pauses = [
    [40, 44],
    [110, 137.5],
  ] as const;
  const { problems, notes, kinds } = verdictOf({ hours: byLength(250, 2_500), games: GAMES, down, pauses });
  expect(problems).toEqual([]);
  expect(kinds.get("draw")).toBeGreaterThan(10_000);
  expect([kinds.get("gap"), kinds.get("skipped")]).toEqual([10, 6]);
  expect(notes).toContain(
    "k3-1m 20260302: the anchor was logged less than seven days before the first round, because the game or the log was new. These rounds are not proven.",
  );
  expect(notes.filter((note) => note.startsWith("No head came between"))).toHaveLength(3);
  expect(notes.filter((note) => note.includes("never opened, for the reason"))).toHaveLength(kinds.get("gap")!);
});
