import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anchors, logHeads, logLeaves } from "#db/schema/index.ts";
import { shortKey } from "#server/domains/log/add-leaf.ts";
import { readAnchors } from "#server/domains/lottery/read-anchors.ts";
import { leafKey } from "#shared/log/leaf.ts";
import { DAY_MS, dayText } from "#shared/time.ts";
import { DAY, GAME } from "../admin/audit-round-rows.ts";
import { emptyRows, type Rows } from "../admin/audit-rows.ts";
import { OTHER, writeGames } from "./two-games-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

describe("anchors", () => {
  const keyOf = (days: number) =>
    shortKey(leafKey({ kind: "anchor", game: GAME.key, day: dayText(DAY + days), anchor: "" }));
  const leaf = (days: number, number: number | null, log = 1) => ({ log, key: keyOf(days), text: "x", number });
  const head = (size: number, announcedAt: number | null = 1, log = 1) => {
    const at = 1_000 + size + 100 * (log - 1);
    return { log, size, root: "", at, note: "", announcedAt };
  };
  /** Those of the first game on its first day, with where the log says them. */
  const read = (leaves: ReturnType<typeof leaf>[], heads: ReturnType<typeof head>[], days: number[]) =>
    rows.within(async (tx) => {
      await writeGames(tx);
      const own = days.toReversed().map((of) => ({ gameId: GAME.id, day: DAY + of, anchor: `of ${of}`, createdAt: 1 }));
      await tx.insert(anchors).values([...own, { gameId: OTHER.id, day: DAY, anchor: "other", createdAt: 1 }]);
      if (leaves.length) await tx.insert(logLeaves).values(leaves);
      if (heads.length) await tx.insert(logHeads).values(heads);
      return readAnchors(tx, GAME, DAY * DAY_MS);
    });

  it("are shown until seven days ahead, in their order, and only the game's own", async () => {
    const shown = await read([], [], [-400, 0, 7, 8]);
    expect(shown).toEqual([-400, 0, 7].map((days) => ({ day: dayText(DAY + days), anchor: `of ${days}`, told: null })));
  });

  it("name their leaf and the first announced head that holds it", async () => {
    const told = async (leaves: ReturnType<typeof leaf>[], ...heads: ReturnType<typeof head>[]) =>
      (await read(leaves, heads, [0]))[0]!.told;
    expect(await told([leaf(0, 5)], head(6), head(9))).toEqual({ number: 5, head: 6, time: 1_006 });
    expect(await told([leaf(0, 5)], head(5), head(9))).toEqual({ number: 5, head: 9, time: 1_009 });
    expect(await told([leaf(0, 5)], head(6, null), head(9))).toEqual({ number: 5, head: 9, time: 1_009 });
    expect(await told([leaf(0, 5)], head(6, null))).toBeNull();
    expect(await told([leaf(0, null)], head(6))).toBeNull();
  });

  it("are those of the present log alone", async () => {
    const told = async (leaves: ReturnType<typeof leaf>[], ...heads: ReturnType<typeof head>[]) =>
      (await read(leaves, heads, [0]))[0]!.told;
    expect(await told([leaf(0, 5, 2)], head(6, 1, 2))).toBeNull();
    expect(await told([leaf(0, 5)], head(6, 1, 2), head(9))).toEqual({ number: 5, head: 9, time: 1_009 });
    expect(await told([leaf(0, 5)], head(6), head(6, 1, 2))).toEqual({ number: 5, head: 6, time: 1_006 });
  });

  it("of the last 31 days say where the log has them", async () => {
    const days = [-32, -31];
    const shown = await read(
      days.map((day, i) => leaf(day, i)),
      [head(9)],
      days,
    );
    expect(shown.map(({ told }) => told?.number)).toEqual([undefined, 1]);
  });
});
