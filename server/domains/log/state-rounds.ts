import { and, asc, eq, isNotNull, isNull, lte } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logRounds } from "#db/schema/log.ts";
import { games, odds, rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import { roundText, spanOf } from "#shared/lottery/schedule.ts";
import { addLeaf, addNewLeaf } from "./add-leaf.ts";
import { finishGroups, type BetTrees } from "./bet-trees.ts";
import { oddsLeaf } from "./odds-leaf.ts";
import { readTerms } from "./read-log.ts";
import { isClosingTold } from "./told-closings.ts";
import type { Summed } from "./round-leaves.ts";
import type { RoundToSum } from "./sum-payouts.ts";

type Game = typeof games.$inferSelect;
type Round = typeof rounds.$inferSelect;

/** States a round's terms as it opens, and its odds with the first round that has them. */
export async function stateOpening(tx: Tx, game: Game, round: Round): Promise<void> {
  const [row] = await tx.select().from(odds).where(eq(odds.id, round.oddsId));
  const rates = oddsLeaf(game, row!);
  await addLeaf(tx, rates);
  await tx.insert(logRounds).values({ roundId: round.id }).onConflictDoNothing();
  await addNewLeaf(tx, {
    kind: "open",
    game: game.key,
    round: roundText(round),
    rules: game.kind,
    period: game.periodS,
    unit: rates.unit,
    commit: round.commit,
    odds: rates.id,
    odds_hash: rates.hash,
    beacon_rule: round.beaconRule,
    opens: spanOf(game, round).opensAt,
    closes: round.closesAt,
    draws: round.drawsAt,
  });
}

/** States which bets of a round count, if that is known. */
export async function stateClosing(
  tx: Tx,
  { game, round }: DueRound,
  { betsRoot, bets, staked }: Pick<typeof logRounds.$inferSelect, "betsRoot" | "bets" | "staked">,
): Promise<void> {
  if (betsRoot === null) return;
  const subject = { game: game.key, round: roundText(round) };
  const counted = { bets: bets!, stake: staked!, bets_root: betsRoot };
  await addLeaf(tx, { kind: "close", ...subject, ...counted, closed: round.closedAt! });
}

/**
 * Rounds of which the log says that they were opened, and not yet what became of them. They are few: in the order of
 * their own table, SQLite would read all rounds for them.
 */
const dueRounds = (read: Tx) =>
  read
    .select({ round: rounds, game: games })
    .from(logRounds)
    .innerJoin(rounds, eq(rounds.id, logRounds.roundId))
    .innerJoin(games, eq(games.id, rounds.gameId))
    .orderBy(asc(logRounds.roundId))
    .$dynamic();

interface DueRound {
  round: Round;
  game: Game;
}

type Sums = Pick<Deps, "db">;

async function sumPayouts({ db }: Sums, { round, game }: DueRound): Promise<Summed> {
  const { id, fromBet, toBet } = round;
  const terms = await readTerms(db.read, { game: game.key, round: roundText(round) });
  return db.job<RoundToSum, never, Summed>("log.payouts", { id, fromBet, toBet: toBet!, terms: terms! }, () => {});
}

/** Does the same for each round: one that fails holds up no other. Returns what failed. */
async function forEach(due: DueRound[], work: (one: DueRound) => Promise<void>): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const one of due) await work(one).catch((error: unknown) => failures.push(error));
  return failures;
}

/** States of closed rounds which bets count. Returns what failed. */
export async function stateClosings(deps: Sums, trees: BetTrees): Promise<unknown[]> {
  const isClosed = and(isNull(logRounds.betsRoot), isNotNull(rounds.closedAt), isNotNull(rounds.toBet));
  return forEach(await dueRounds(deps.db.read).where(isClosed), async (due) => {
    const tree = await trees.close(due.round);
    const { count: bets, sum: staked, root } = tree.summed;
    const { id } = due.round;
    await deps.db.transact(async (tx) => {
      const isDue = and(eq(logRounds.roundId, id), isNull(logRounds.betsRoot));
      const stated = { betsRoot: root, bets, staked };
      const [first] = await tx.update(logRounds).set(stated).where(isDue).returning({ id: logRounds.roundId });
      if (!first) return;
      await finishGroups(tx, id, tree);
      await stateClosing(tx, due, stated);
    });
  });
}

/**
 * States of rounds that were settled until then what they paid. Of a round that is never drawn there is nothing more to
 * state. Returns what failed.
 */
export async function stateSettlements(deps: Sums, until: number): Promise<unknown[]> {
  const isSkipped = and(isNotNull(logRounds.betsRoot), isNotNull(rounds.skippedAt));
  for (const { round, game } of await dueRounds(deps.db.read).where(isSkipped)) {
    // Until then no other round of its game opens.
    if (!(await isClosingTold(deps.db.read, round.id, { game: game.key, round: roundText(round) }))) continue;
    await deps.db.transact((tx) => tx.delete(logRounds).where(eq(logRounds.roundId, round.id)));
  }
  const isSettled = and(isNotNull(logRounds.betsRoot), lte(rounds.settledAt, until));
  return forEach(await dueRounds(deps.db.read).where(isSettled), async (due) => {
    const { count: payouts, sum: payout, root } = await sumPayouts(deps, due);
    await deps.db.transact(async (tx) => {
      const isDue = eq(logRounds.roundId, due.round.id);
      const [first] = await tx.delete(logRounds).where(isDue).returning({ id: logRounds.roundId });
      if (!first) return;
      const round = { game: due.game.key, round: roundText(due.round) };
      const settled = due.round.settledAt!;
      await addLeaf(tx, { kind: "settle", ...round, payouts, payout, payouts_root: root, settled });
    });
  });
}
