import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { anchors, beaconChanges, gaps, logLeaves, rounds, shownPlaces } from "#db/schema/index.ts";
import { currentLog, shortKey } from "#server/domains/log/add-leaf.ts";
import { beaconChangesByKey } from "#server/domains/lottery/read-beacon-changes.ts";
import { readFairRound, readGaps } from "#server/domains/lottery/read-fair.ts";
import { readHistory } from "#server/domains/lottery/read-history.ts";
import { leafKey } from "#shared/log/leaf.ts";
import { drandMode, QUICKNET } from "#shared/lottery/beacon.ts";
import { drawOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { roundText, spanOf, type RoundPlace } from "#shared/lottery/schedule.ts";
import { dayText } from "#shared/time.ts";
import { ANCHOR, DAY, drawn, GAME, open, seedAt, type Round } from "../admin/audit-round-rows.ts";
import { emptyRows, type Rows } from "../admin/audit-rows.ts";
import { at, OTHER, writeGames } from "./two-games-rows.ts";

const SIGNATURE = "ab".repeat(48);
const LONG_AFTER = spanOf(GAME, { day: DAY + 5, number: 1 }).opensAt;

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Gap = typeof gaps.$inferInsert;
const gap = ([from, to]: [RoundPlace, RoundPlace], more: Partial<Gap> = {}): Gap => {
  const span = { fromDay: from.day, fromNumber: from.number, toDay: to.day, toNumber: to.number };
  return { gameId: GAME.id, ...span, reason: "down", createdAt: 1, ...more };
};
const anchorRow = (days: number, gameId = GAME.id, anchor = ANCHOR) => ({
  gameId,
  day: DAY + days,
  anchor,
  createdAt: 1,
});

/** Two games with odds, and the first one's anchor of three days. */
async function write(tx: Tx, some: { gaps?: Gap[]; rounds?: Round[] }): Promise<void> {
  await writeGames(tx);
  await tx.insert(anchors).values([0, 1, 2].map((days) => anchorRow(days)));
  if (some.gaps?.length) await tx.insert(gaps).values(some.gaps);
  if (some.rounds?.length) await tx.insert(rounds).values(some.rounds);
}

type Chains = NonNullable<Parameters<typeof readFairRound>[0]["beacons"]["chains"]>;
const fairOf = (tx: Tx, place: RoundPlace, { now = LONG_AFTER, chains = [QUICKNET] as Chains, signature = "" } = {}) =>
  readFairRound({ read: tx, now, beacons: { chains, findForGuests: () => signature || null } }, GAME, roundText(place));
/** What a place is told to be: a gap's name, a round, or unknown. */
const kindOf = async (tx: Tx, place: RoundPlace) =>
  fairOf(tx, place).then(
    (fair) => (fair.gap ? `${fair.gap.from}-${fair.gap.to}` : "round"),
    ({ message }: Error) => message,
  );
const UNKNOWN = "object.unknown";

describe("a place that was never opened", () => {
  const kinds = (spans: Gap[], ...places: RoundPlace[]) =>
    rows.within(async (tx) => {
      await write(tx, { gaps: spans, rounds: [open(7)] });
      const found: string[] = [];
      for (const place of places) found.push(await kindOf(tx, place));
      return found;
    });

  it("is in the gap that holds it, and in no other", async () => {
    const name = `${roundText(at(4))}-${roundText(at(6))}`;
    const places = [3, 4, 5, 6, 7, 8].map((number) => at(number));
    expect(await kinds([gap([at(4), at(6)])], ...places, at(5, 1))).toEqual([
      UNKNOWN,
      name,
      name,
      name,
      "round",
      UNKNOWN,
      UNKNOWN,
    ]);
  });

  it("is in a gap of several days by day and number", async () => {
    const name = `${roundText(at(1_439))}-${roundText(at(3, 2))}`;
    const places = [at(2), at(1_438), at(1_439), at(1_440), at(1, 1), at(1_440, 1), at(1, 2), at(3, 2), at(4, 2)];
    expect(await kinds([gap([at(1_439), at(3, 2)])], ...places)).toEqual([
      UNKNOWN,
      UNKNOWN,
      ...Array.from({ length: 6 }, () => name),
      UNKNOWN,
    ]);
  });

  it("is in none of a later day or an earlier one, whatever its number", async () => {
    expect(await kinds([gap([at(4, 1), at(6, 1)])], at(5), at(5, 2))).toEqual([UNKNOWN, UNKNOWN]);
  });

  it("is in none of another game, and in none that was taken back", async () => {
    const [others, back] = [gap([at(4), at(6)], { gameId: OTHER.id }), gap([at(4), at(6)], { takenBackAt: 1 })];
    expect(await kinds([others], at(5))).toEqual([UNKNOWN]);
    expect(await kinds([back], at(5))).toEqual([UNKNOWN]);
    await rows.within(async (tx) => {
      await write(tx, { gaps: [gap([at(9), at(9)]), others, back, gap([at(1_440, -1), at(2)])] });
      expect((await readGaps(tx, GAME)).map(({ gap_from: from }) => from)).toEqual([
        roundText(at(1_440, -1)),
        roundText(at(9)),
      ]);
    });
  });

  it("is unknown on a day without an anchor of the game itself", async () => {
    await rows.within(async (tx) => {
      await write(tx, { gaps: [gap([at(4, 3), at(6, 3)])] });
      await tx.insert(anchors).values(anchorRow(3, OTHER.id));
      expect(await kindOf(tx, at(5, 3))).toBe(UNKNOWN);
      await tx.insert(anchors).values(anchorRow(3));
      expect(await kindOf(tx, at(5, 3))).not.toBe(UNKNOWN);
    });
  });
});

describe("what a round in a gap would have drawn", () => {
  const fair = (
    some: Parameters<typeof write>[1],
    options: Parameters<typeof fairOf>[2] = {},
    more?: (tx: Tx) => PromiseLike<unknown>,
  ) =>
    rows.within(async (tx) => {
      await write(tx, { gaps: [gap([at(4), at(6)])], ...some });
      await more?.(tx);
      return fairOf(tx, at(4), options);
    });
  const where = { gameKey: GAME.key, round: roundText(at(4)) };
  const dice = (rule = "none", beacon = "") => [
    ...drawOf(rulesOf(GAME.kind), Buffer.from(seedAt(4), "hex"), { ...where, rule, beacon }),
  ];

  it("follows from the commit of a later round of its game and day, once it was due", async () => {
    const due = spanOf(GAME, at(4)).drawsAt;
    const known = { seed: seedAt(4), commit: seedAt(3), drawn: null, due };
    expect(await fair({ rounds: [open(7)] })).toMatchObject({ ...known, gap: { opencode: dice() } });
    expect(await fair({ rounds: [open(9), open(7)] }, { now: due })).toMatchObject(known);
    expect(await fair({ rounds: [open(7)] }, { now: due - 1 })).toMatchObject({ seed: null, commit: null });
  });

  it("does not follow from rounds of another game, of another day, or from earlier ones", async () => {
    const strange = { commit: "00".repeat(32) };
    const others = [open(5, { gameId: OTHER.id, oddsId: 2, ...strange }), open(8, { day: DAY + 1, ...strange })];
    const unknown = { seed: null, commit: null, gap: { opencode: null } };
    expect(await fair({ rounds: [...others, open(3), open(4, { gameId: OTHER.id, oddsId: 2 })] })).toMatchObject(
      unknown,
    );
    expect(await fair({ rounds: [...others, open(7)] })).toMatchObject({ seed: seedAt(4) });
  });

  it("follows from the seed that ended the gap, if its place is not before", async () => {
    const shown =
      (number: number, seed: string | null, game = GAME.id, days = 0) =>
      (tx: Tx) =>
        tx.insert(shownPlaces).values({ gameId: game, day: DAY + days, number, seed });
    expect(await fair({}, {}, shown(6, seedAt(6)))).toMatchObject({ seed: seedAt(4) });
    expect(await fair({}, {}, shown(4, seedAt(4)))).toMatchObject({ seed: seedAt(4) });
    for (const of of [
      shown(3, seedAt(3)),
      shown(6, null),
      shown(6, seedAt(6), OTHER.id),
      shown(6, seedAt(6), GAME.id, 1),
    ])
      expect(await fair({}, {}, of)).toMatchObject({ seed: null });
  });

  it("is mixed with the beacon of its rule, once that is known", async () => {
    const change = (mode: string) => (tx: Tx) =>
      tx.insert(beaconChanges).values({ gameId: GAME.id, fromDay: DAY, fromNumber: 4, mode, announcedAt: 1 });
    const waiting = await fair({ rounds: [open(7)] }, {}, change(drandMode(QUICKNET)));
    expect(waiting).toMatchObject({ seed: seedAt(4), beacon: "", beacon_signature: "", gap: { opencode: null } });
    expect(waiting.rule).toMatch(new RegExp(`^${drandMode(QUICKNET)}:\\d+$`));
    const { rule, beacon, ...known } = await fair(
      { rounds: [open(7)] },
      { signature: SIGNATURE },
      change(drandMode(QUICKNET)),
    );
    expect(known).toMatchObject({ beacon_signature: SIGNATURE, gap: { opencode: dice(rule, beacon) } });
    // A mode of a later version, whose chain this one does not know.
    const strange = await fair({ rounds: [open(7)] }, { chains: [] }, change(drandMode(QUICKNET)));
    expect(strange).toMatchObject({ rule: drandMode(QUICKNET), gap: { opencode: null } });
  });
});

it("a round that was skipped is told as the gap that it became", async () => {
  await rows.within(async (tx) => {
    await write(tx, { gaps: [gap([at(5), at(5)])], rounds: [open(4), open(5, { skippedAt: 1 })] });
    expect([await kindOf(tx, at(4)), await kindOf(tx, at(5))]).toEqual([
      "round",
      `${roundText(at(5))}-${roundText(at(5))}`,
    ]);
  });
});

it("the history of a game is its drawn rounds, by day and number, newest first", async () => {
  await rows.within(async (tx) => {
    const places = [at(2, 1), at(1_439), at(10, 1), at(1_438)];
    const own = places.map((place, i) => drawn(i + 1, place));
    await write(tx, { rounds: [...own, drawn(5, { gameId: OTHER.id, oddsId: 2 }), open(6)] });
    const history = async (page: number, limit: number) =>
      (await readHistory(tx, GAME, { page, limit })).map(({ expect: round }) => round);
    const names = [at(10, 1), at(2, 1), at(1_439), at(1_438)].map(roundText);
    expect(await history(1, 20)).toEqual(names);
    expect([await history(1, 3), await history(2, 3)]).toEqual([names.slice(0, 3), names.slice(3)]);
  });
});

it("the changes of a game's beacon are found by its key", async () => {
  await rows.within(async (tx) => {
    await write(tx, {});
    const change = { fromDay: DAY, fromNumber: 1, mode: "none", announcedAt: 1 };
    await tx.insert(beaconChanges).values([OTHER, GAME].map(({ id }) => ({ gameId: id, ...change })));
    expect(await beaconChangesByKey(tx).execute({ key: GAME.key })).toMatchObject([{ gameId: GAME.id }]);
  });
});

it("a round names its leaves in the log", async () => {
  await rows.within(async (tx) => {
    await write(tx, { rounds: [open(7)] });
    expect((await fairOf(tx, at(7))).logged).toEqual({ open: null, anchor: null });
    const anchor = shortKey(leafKey({ kind: "anchor", game: GAME.key, day: dayText(DAY), anchor: "" }));
    await tx.insert(logLeaves).values({ log: currentLog, key: anchor, text: "x", number: 3 });
    expect((await fairOf(tx, at(7))).logged).toEqual({ open: null, anchor: 3 });
  });
});
