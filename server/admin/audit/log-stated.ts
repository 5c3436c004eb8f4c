import { and, asc, eq, gt, gte, inArray, isNotNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import {
  anchors,
  bets,
  gaps,
  logLeaves,
  odds,
  rounds,
  type logKeys,
  pauses,
  seals,
  servedApps,
  shownPlaces,
  wheelTables,
  type games,
} from "#db/schema/index.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { appLeaf } from "#server/domains/log/served-app.ts";
import { isWholeTable, tableLeaf } from "#server/domains/log/table-leaf.ts";
import { shortKey } from "#server/domains/log/add-leaf.ts";
import { leafKey, type Leaf, type OpenKind } from "#shared/log/leaf.ts";
import { ordinalOf, roundText } from "#shared/lottery/schedule.ts";
import { dayOf, dayText } from "#shared/time.ts";
import type { Findings } from "./findings.ts";
import type { LogFacts } from "./log-facts.ts";
import { rotatedKeys } from "./log-keys.ts";
import { nameOf } from "./log-names.ts";
import { pagesOf } from "./pages.ts";
import { partsOf } from "./parts.ts";
import type { SignsOfLife } from "./signs-of-life.ts";

type Game = typeof games.$inferSelect;

export interface Beginning {
  log: number;
  /** When the log began. It need not state what is older. */
  began: number;
  signs: SignsOfLife;
  games: readonly Game[];
  /** The keys of this log. */
  keys: readonly (typeof logKeys.$inferSelect)[];
}

const NO_HASH = "";

/** Asks rows for their leaves: keys, anchors, odds, gaps, seeds shown for gaps, pauses and seals. Rounds are asked elsewhere. */
export async function auditStated(read: Tx, beginning: Beginning, facts: LogFacts, found: Findings): Promise<void> {
  const { log, began, signs } = beginning;
  const demand = (leaves: Leaf<OpenKind>[]) => demandAll(read, log, leaves, found);
  await demand(rotatedKeys(beginning.keys));
  for (const game of beginning.games) {
    const { id: gameId, key } = game;
    const known = await read.select().from(anchors).where(eq(anchors.gameId, gameId)).orderBy(asc(anchors.day));
    const logged = known.filter(({ day, createdAt }) => createdAt >= began || day >= dayOf(began));
    await demand(logged.map(({ day, anchor }) => ({ kind: "anchor", game: key, day: dayText(day), anchor })));
    const missed = await read
      .select()
      .from(gaps)
      .where(and(eq(gaps.gameId, gameId), gte(gaps.createdAt, began)))
      .orderBy(asc(gaps.id));
    await demand(missed.map((gap) => gapLeaf(key, gap)));
    await checkShown(read, game, missed, facts, found);
    const announced = await read
      .select()
      .from(pauses)
      .where(and(eq(pauses.gameId, gameId), gte(pauses.announcedAt, began)))
      .orderBy(asc(pauses.id));
    await demand(announced.map((row) => pauseLeaf(key, row)));
  }
  for (const id of facts.oddsUsed)
    found.check(
      facts.oddsStated.has(id),
      () => `the log lacks the odds ${id}, with which it says that rounds were opened`,
    );
  const served = await read.select().from(servedApps).where(gte(servedApps.createdAt, began));
  await demand(served.map(appLeaf));
  await checkUnits(read, beginning.games, found);
  const tables = await read.select().from(wheelTables).where(gte(wheelTables.id, facts.firstTable));
  await demand(tables.filter(isWholeTable).map((row) => tableLeaf(row, "")));
  const page = (after: number, limit: number) =>
    read.select().from(seals).where(gt(seals.id, after)).orderBy(asc(seals.id)).limit(limit);
  for await (const rows of pagesOf(page)) {
    const due = rows.filter(({ createdAt }) => createdAt >= began && signs.idleSince(createdAt) !== null);
    await demand(due.map(({ id, root, seal, createdAt }) => ({ kind: "seal", number: id, root, seal, at: createdAt })));
  }
}

/** The unit is fixed: odds that bets were taken at are in it, and so are those of the rounds to come. */
async function checkUnits(read: Tx, known: readonly Game[], found: Findings): Promise<void> {
  const unit = await readUnit(read);
  const rows = await read
    .select({ id: odds.id, gameId: odds.gameId, unit: odds.unit })
    .from(odds)
    .orderBy(asc(odds.id));
  for (const row of rows.filter((one) => one.unit !== unit)) {
    const isNewest = rows.findLast(({ gameId }) => gameId === row.gameId) === row;
    const [bet] = await read
      .select({ id: bets.id })
      .from(bets)
      .innerJoin(rounds, and(eq(rounds.id, bets.roundId), eq(rounds.oddsId, row.id)))
      .limit(1);
    const key = known.find(({ id }) => id === row.gameId)?.key;
    const is = () => `the odds ${row.id} of ${key} are in ${row.unit}, and the ledger is in ${unit}`;
    found.check(!isNewest && !bet, is);
  }
}

function gapLeaf(game: string, gap: typeof gaps.$inferSelect): Leaf<"gap"> {
  const { fromDay, fromNumber, toDay, toNumber, reason, createdAt } = gap;
  const from = roundText({ day: fromDay, number: fromNumber });
  return { kind: "gap", game, from, to: roundText({ day: toDay, number: toNumber }), reason, at: createdAt };
}

function pauseLeaf(game: string, row: typeof pauses.$inferSelect): Leaf<"pause"> | Leaf<"resume"> {
  const from = roundText({ day: row.fromDay, number: row.fromNumber });
  const at = row.announcedAt!;
  return row.paused ? { kind: "pause", game, from, at, reason: NO_HASH } : { kind: "resume", game, from, at };
}

/** Names what has no leaf. Whether its leaf says the same is asked where leaves are asked for their rows. */
async function demandAll(read: Tx, log: number, leaves: Leaf<OpenKind>[], found: Findings): Promise<void> {
  for (const some of partsOf(leaves)) {
    const keys = new Map(some.map((leaf) => [shortKey(leafKey(leaf)), leaf]));
    const rows = await read
      .select({ key: logLeaves.key })
      .from(logLeaves)
      .where(and(eq(logLeaves.log, log), inArray(logLeaves.key, [...keys.keys()])));
    for (const { key } of rows) keys.delete(key);
    for (const leaf of keys.values()) found.check(false, () => `the log lacks the ${nameOf(leaf)}`);
  }
}

/** A seed that was shown for the end of a gap stands in the log. */
async function checkShown(
  read: Tx,
  game: Game,
  missed: readonly (typeof gaps.$inferSelect)[],
  { skippedDays }: LogFacts,
  found: Findings,
): Promise<void> {
  const isShown = and(eq(shownPlaces.gameId, game.id), isNotNull(shownPlaces.seed));
  for (const place of await read.select().from(shownPlaces).where(isShown)) {
    const at = ordinalOf(game, place);
    const isLogged = missed.some(({ fromDay, fromNumber, toDay, toNumber }) => {
      const from = ordinalOf(game, { day: fromDay, number: fromNumber });
      return from <= at && at <= ordinalOf(game, { day: toDay, number: toNumber });
    });
    const isStated = skippedDays.has(`${game.id}:${place.day}`);
    found.check(
      !isLogged || isStated,
      () => `the log lacks the seed that was shown of ${game.key} ${roundText(place)}, in a gap`,
    );
  }
}
