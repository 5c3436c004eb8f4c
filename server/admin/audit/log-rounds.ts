import type { Tx } from "#db/db.ts";
import { logRounds, odds, type games, type rounds } from "#db/schema/index.ts";
import { MemberSalt, type Salts, type SaltSource } from "#server/domains/log/member-salt.ts";
import { readLeaves } from "#server/domains/log/read-log.ts";
import { readSalts } from "#server/domains/log/read-salts.ts";
import { keyOfRound, ROUND_KINDS, type RoundKind } from "#server/domains/log/round-keys.ts";
import { BetLeaves, payoutLeaf, Summing } from "#server/domains/log/round-leaves.ts";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { roundText, spanOf } from "#shared/lottery/schedule.ts";
import type { Findings } from "./findings.ts";
import { compareLeaf, statedOdds } from "./log-names.ts";
import { partsOf } from "./parts.ts";
import type { SignsOfLife } from "./signs-of-life.ts";

type Game = typeof games.$inferSelect;
type Round = typeof rounds.$inferSelect;
type Bet = { id: number; memberId: number; mask: bigint; stake: number; total: number; createdAt: number };

interface Beginning {
  /** When the log began, and with which round. Older rounds are in no leaf. */
  began: number;
  firstRound: number;
  games: readonly Game[];
  signs: SignsOfLife;
}

/** What the log says of one round. */
type Said = { [K in RoundKind]?: Leaf<K> };

/** With more members than these, their salts are forgotten, and read again. */
const MOST_SALTS = 100_000;

/** Compares rounds with what the log says of them. Whoever reads their bets hands these in, so nothing is read twice. */
export class LogRounds {
  readonly #read: Tx;
  readonly #log: number;
  readonly #beginning: Beginning;
  readonly #games: ReadonlyMap<number, Game>;
  readonly #odds: ReadonlyMap<number, Leaf<"odds"> | null>;
  readonly #open: ReadonlyMap<number, typeof logRounds.$inferSelect>;
  readonly #salts = new Map<number, SaltSource>();
  readonly #found: Findings;

  private constructor(
    read: Tx,
    log: number,
    beginning: Beginning,
    tables: { odds: Map<number, Leaf<"odds"> | null>; open: (typeof logRounds.$inferSelect)[] },
    found: Findings,
  ) {
    this.#read = read;
    this.#log = log;
    this.#beginning = beginning;
    this.#games = new Map(beginning.games.map((game) => [game.id, game]));
    this.#odds = tables.odds;
    this.#open = new Map(tables.open.map((row) => [row.roundId, row]));
    this.#found = found;
  }

  static async read(read: Tx, log: number, beginning: Beginning, found: Findings): Promise<LogRounds> {
    const gamesById = new Map(beginning.games.map((game) => [game.id, game]));
    const rows = (await read.select().from(odds)).filter(({ gameId }) => gamesById.has(gameId));
    const stated = rows.map((row) => [row.id, statedOdds(gamesById.get(row.gameId)!, row)] as const);
    const tables = { odds: new Map(stated), open: await read.select().from(logRounds) };
    return new LogRounds(read, log, beginning, tables, found);
  }

  /** What the log says of these rounds, each to be compared while its bets are read. */
  async of(page: readonly Round[]): Promise<Map<number, LoggedRound>> {
    const ofGames = page.filter(({ gameId }) => this.#games.has(gameId));
    const keys = ofGames.flatMap((round) => ROUND_KINDS.map((kind) => this.#keyOf(kind, round)));
    const leaves = await readLeaves(this.#read, keys, this.#log);
    const logged = new Map<number, LoggedRound>();
    for (const round of ofGames) {
      const said: Said = {};
      for (const kind of ROUND_KINDS) {
        const stored = leaves.get(this.#keyOf(kind, round));
        const leaf = stored && parseLeaf(stored.text);
        if (leaf?.kind === kind) Object.assign(said, { [kind]: leaf });
      }
      this.#check(round, said);
      if (said.open) logged.set(round.id, new LoggedRound(round, said, this.#saltsOf, this.#found));
    }
    return logged;
  }

  #keyOf(kind: RoundKind, round: Round): string {
    return keyOfRound(kind, { game: this.#games.get(round.gameId)!.key, round: roundText(round) });
  }

  #check(round: Round, said: Said): void {
    const game = this.#games.get(round.gameId)!;
    const name = `round ${game.key} ${roundText(round)}`;
    const lacks = (kind: RoundKind) => this.#found.check(false, () => `the log lacks the ${kind} of ${name}`);
    if (!said.open && this.#isLogged(round)) lacks("open");
    if (said.open) compareLeaf(said.open, this.#opening(game, round), this.#found);
    if (said.draw && round.seed !== null && round.dice !== null && round.drawnAt !== null) {
      const { seed, beacon, dice, drawsAt: due, drawnAt: drawn } = round;
      compareLeaf(said.draw, { ...said.draw, seed, beacon, dice, due, drawn }, this.#found);
    }
    if (!said.open) return;
    const { closedAt, drawnAt, settledAt, skippedAt, refundedAt } = round;
    const { signs } = this.#beginning;
    // A draw waits for the closing, and states itself.
    if (!said.close && (drawnAt !== null || (closedAt !== null && signs.idleSince(closedAt) !== null))) lacks("close");
    if (!said.draw && drawnAt !== null) lacks("draw");
    const isReturned = refundedAt !== null;
    if (isReturned !== Boolean(said.refund)) {
      if (isReturned) lacks("refund");
      else this.#found.check(false, () => `the log has the refund of ${name}, which returned no stakes in the tables`);
    }
    if (isReturned) return;
    if (!said.settle && settledAt !== null && signs.idleSince(settledAt) !== null) lacks("settle");
    if (!said.settle && skippedAt === null) this.#checkOpen(name, round, said);
  }

  /** Whether a round was opened, or still open, when there was a log. */
  #isLogged({ id, openedAt, closedAt }: Round): boolean {
    const { began, firstRound } = this.#beginning;
    return id >= firstRound && (openedAt >= began || closedAt === null || closedAt >= began);
  }

  #opening(game: Game, round: Round): Leaf<"open"> {
    const stated = this.#odds.get(round.oddsId);
    return {
      kind: "open",
      game: game.key,
      round: roundText(round),
      rules: game.kind,
      period: game.periodS,
      unit: stated?.unit ?? "",
      commit: round.commit,
      odds: String(round.oddsId),
      odds_hash: stated?.hash ?? "",
      beacon_rule: round.beaconRule,
      opens: spanOf(game, round).opensAt,
      closes: round.closesAt,
      draws: round.drawsAt,
    };
  }

  /** Until a round's payouts are stated, the server remembers that they are due, and what it stated of the bets. */
  #checkOpen(name: string, { id }: Round, { close }: Said): void {
    const row = this.#open.get(id);
    this.#found.check(row !== undefined, () => `the log has forgotten that ${name} is not stated to its end`);
    if (!row) return;
    const stated = [close?.bets, close?.stake, close?.bets_root].join();
    const kept = [row.bets, row.staked, row.betsRoot].join();
    this.#found.check(stated === kept, () => `the log keeps other bets of ${name} than it states`);
  }

  /** The salts of these members, as far as they have any. */
  readonly #saltsOf = async (memberIds: readonly number[]): Promise<Salts> => {
    if (this.#salts.size > MOST_SALTS) this.#salts.clear();
    const missing = [...new Set(memberIds)].filter((memberId) => !this.#salts.has(memberId));
    for (const some of partsOf(missing))
      for (const [memberId, salt] of await readSalts(this.#read, some)) this.#salts.set(memberId, salt);
    return this.#salts;
  };
}

/** Sums the bets and payouts of one round as its leaves say them. */
export class LoggedRound {
  readonly #round: Round;
  readonly #said: Said;
  readonly #saltsOf: (memberIds: readonly number[]) => Promise<Salts>;
  readonly #found: Findings;
  readonly #leaves: BetLeaves;
  readonly #bets = new Summing();
  /** How many bets each member has. */
  readonly #bettors = new Map<number, number>();

  constructor(round: Round, said: Said, saltsOf: (memberIds: readonly number[]) => Promise<Salts>, found: Findings) {
    this.#round = round;
    this.#said = said;
    this.#saltsOf = saltsOf;
    this.#found = found;
    this.#leaves = new BetLeaves(said.open!);
  }

  /** Takes a page of the round's bets, in the order of their numbers. */
  async addBets(page: readonly Bet[]): Promise<void> {
    if (!this.#said.close) return;
    const salts = await this.#saltsOf(page.map(({ memberId }) => memberId));
    for (const bet of page) {
      this.#bets.add(this.#leaves.leaf(bet, salts.get(bet.memberId) ?? noSalt(bet.memberId)), bet.total);
      this.#bettors.set(bet.memberId, (this.#bettors.get(bet.memberId) ?? 0) + 1);
    }
  }

  /** Compares what was taken and these payouts with the log. */
  async check(payouts: readonly { memberId: number; amount: number }[]): Promise<void> {
    const { open, close, settle, refund } = this.#said;
    const { closedAt, settledAt, refundedAt, id } = this.#round;
    const { count: bets, sum: stake, root: bets_root } = this.#bets.summed;
    if (close && closedAt !== null)
      compareLeaf(close, { ...close, bets, stake, bets_root, closed: closedAt }, this.#found);
    if (refund && refundedAt !== null)
      compareLeaf(refund, { ...refund, bets, stake, bets_root, reason: "clock", at: refundedAt }, this.#found);
    if (!settle || settledAt === null) return;
    const sum = new Summing();
    const salts = await this.#saltsOf(payouts.map(({ memberId }) => memberId));
    for (const { memberId, amount } of payouts.toSorted((a, b) => a.memberId - b.memberId)) {
      const payout = { memberId, bets: this.#bettors.get(memberId) ?? 0, amount };
      sum.add(payoutLeaf(open!, payout, id, salts.get(memberId) ?? noSalt(memberId)), amount);
    }
    const { count, sum: payout, root } = sum.summed;
    const given = { ...settle, payouts: count, payout, payouts_root: root, settled: settledAt };
    compareLeaf(settle, given, this.#found);
  }
}

/** Of a member whose salt is gone. It leads to no root that was stated. */
const noSalt = (memberId: number) => new MemberSalt(memberId, "");
