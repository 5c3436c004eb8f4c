import { anchors, games, gaps, odds, rounds, seals } from "#db/schema/index.ts";
import type { Site } from "#server/app/site.ts";
import { oddsLeaf } from "#server/domains/log/odds-leaf.ts";
import { readTerms } from "#server/domains/log/read-log.ts";
import type { Summed } from "#server/domains/log/round-leaves.ts";
import { sumOfGroups } from "#server/domains/log/bet-trees.ts";
import { groupsByRows } from "#server/domains/log/rebuild-groups.ts";
import type { RoundToSum } from "#server/domains/log/sum-payouts.ts";
import type { Leaf, LeafKind } from "#shared/log/leaf.ts";
import { parseRound, roundText } from "#shared/lottery/schedule.ts";
import { dayText } from "#shared/time.ts";

type ByRows = (leaf: Leaf) => Promise<Leaf | null>;
type Round = typeof rounds.$inferSelect;

async function tablesOf({ deps }: Site) {
  const { read } = deps.db;
  return {
    games: await read.select().from(games),
    rounds: await read.select().from(rounds),
    odds: await read.select().from(odds),
    anchors: await read.select().from(anchors),
    seals: await read.select().from(seals),
    gaps: await read.select().from(gaps),
  };
}
type Tables = Awaited<ReturnType<typeof tablesOf>>;

const gameOf = ({ games }: Tables, key: string) => games.find((one) => one.key === key)!;
const roundOf = (tables: Tables, { game, round }: { game: string; round: string }): Round | undefined =>
  tables.rounds.find((row) => row.gameId === gameOf(tables, game).id && roundText(row) === round);

function summing({ deps }: Site) {
  return async (row: Round, place: { game: string; round: string }, what: "bets" | "payouts"): Promise<Summed> => {
    const terms = (await readTerms(deps.db.read, place))!;
    const { id, fromBet, toBet } = row;
    if (what === "payouts")
      return deps.db.job<RoundToSum, never, Summed>("log.payouts", { id, fromBet, toBet: toBet!, terms }, () => {});
    const groups = await groupsByRows(deps.db, row, terms);
    return sumOfGroups(groups, groups.at(-1) ?? null);
  };
}

/** What a leaf of the log would say if the rows had always been as they are now. Null where they have no such thing. */
export async function leafByRows(site: Site): Promise<ByRows> {
  const tables = await tablesOf(site);
  const sum = summing(site);
  const oddsOf = (game: string, id: number) => {
    const row = tables.odds.find((one) => one.id === id);
    return row && oddsLeaf(gameOf(tables, game), row);
  };
  const ways: { [K in LeafKind]?: (leaf: Leaf<K>) => Leaf | null | Promise<Leaf | null> } = {
    odds: ({ game, id }) => oddsOf(game, Number(id)) ?? null,
    anchor: (leaf) => {
      const isOf = (row: Tables["anchors"][number]) =>
        row.gameId === gameOf(tables, leaf.game).id && dayText(row.day) === leaf.day;
      const row = tables.anchors.find(isOf);
      return row ? { ...leaf, anchor: row.anchor } : null;
    },
    open: (leaf) => {
      const row = roundOf(tables, leaf);
      if (!row) return null;
      const { commit, oddsId, beaconRule: beacon_rule, closesAt: closes, drawsAt: draws } = row;
      const { id, hash, unit } = oddsOf(leaf.game, oddsId)!;
      const rules = gameOf(tables, leaf.game).kind;
      return { ...leaf, rules, commit, odds: id, odds_hash: hash, beacon_rule, closes, draws, unit };
    },
    close: async (leaf) => {
      const row = roundOf(tables, leaf);
      if (!row || row.closedAt === null) return null;
      const { count: bets, sum: stake, root } = await sum(row, leaf, "bets");
      return { ...leaf, bets, stake, bets_root: root, closed: row.closedAt };
    },
    draw: (leaf) => {
      const row = roundOf(tables, leaf);
      if (!row || row.seed === null || row.dice === null || row.drawnAt === null) return null;
      const { seed, beacon, dice, drawsAt: due, drawnAt: drawn } = row;
      return { ...leaf, seed, beacon, dice, due, drawn };
    },
    settle: async (leaf) => {
      const row = roundOf(tables, leaf);
      if (!row || row.settledAt === null) return null;
      const { count: payouts, sum: payout, root } = await sum(row, leaf, "payouts");
      return { ...leaf, payouts, payout, payouts_root: root, settled: row.settledAt };
    },
    seal: (leaf) => {
      const row = tables.seals.find(({ id }) => id === leaf.number);
      return row ? { ...leaf, root: row.root, seal: row.seal } : null;
    },
    gap: (leaf) => {
      const at = parseRound(leaf.from)!;
      const row = tables.gaps.find(({ fromDay, fromNumber }) => fromDay === at.day && fromNumber === at.number);
      return row ? { ...leaf, to: roundText({ day: row.toDay, number: row.toNumber }), reason: row.reason } : null;
    },
  };
  return async (leaf) => {
    const way = ways[leaf.kind] as ((leaf: Leaf) => Leaf | null | Promise<Leaf | null>) | undefined;
    return way ? way(leaf) : leaf;
  };
}

/** Statements that write down of which rounds the log has not said all yet, and what it said of their bets. */
export async function openRows(site: Site): Promise<string[]> {
  const tables = await tablesOf(site);
  const sum = summing(site);
  const statements: string[] = [];
  for (const row of tables.rounds.filter(({ settledAt, skippedAt }) => settledAt === null && skippedAt === null)) {
    const { key: game } = tables.games.find(({ id }) => id === row.gameId)!;
    const closed = row.closedAt === null ? null : await sum(row, { game, round: roundText(row) }, "bets");
    const said = closed ? `'${closed.root}', ${closed.count}, ${closed.sum}` : "null, null, null";
    statements.push(`insert into log_rounds (round_id, bets_root, bets, staked) values (${row.id}, ${said})`);
  }
  return statements;
}
