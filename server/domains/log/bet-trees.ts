import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Db, Tx } from "#db/db.ts";
import { betGroups, bets, logRounds } from "#db/schema/index.ts";
import { games, rounds } from "#db/schema/lottery.ts";
import { rootOf, type ReadSubtree } from "#shared/log/tree.ts";
import { nodeHash } from "#shared/merkle.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { finished, GROUP, idsOf, type BetGroup } from "./bet-groups.ts";
import { MOST_AT_ONCE, type Grown, type RoundToGrow, type ToGrow } from "./grow-bets.ts";
import { readTerms } from "./read-log.ts";
import type { RoundTerms, Summed } from "./round-leaves.ts";
import { sha256 } from "./sha256.ts";
import type { TakenLeaves } from "./taken-leaves.ts";

/** Rounds whose terms stay in memory: more than are open at once. */
const MOST_TERMS = 1_000;

interface OpenRound {
  round: typeof rounds.$inferSelect;
  game: string;
  /** Its bets up to this number are in its groups. */
  after: number;
  wasNull: boolean;
}

/** A group without its bets. */
type GroupRoot = Pick<BetGroup, "first" | "staked" | "root">;

/** What came of a closed round: its last group with its root, and what the log is to say. */
export interface ClosedTree {
  last: BetGroup | null;
  summed: Summed;
}

/** Another process has taken in the same bets. */
class Outrun extends Error {}

/**
 * Takes the bets of open rounds into their trees while they come, so that a closing has few left to hash. All that is
 * known lies in the database: any process goes on where any other stopped, and of two that do the same, one is undone.
 */
export class BetTrees {
  readonly #db: Db;
  readonly #taken: TakenLeaves;
  readonly #terms = new Map<number, RoundTerms>();
  /** Rounds that have a bet without a leaf, and why. They are left alone until they close. */
  readonly #failed = new Map<number, string>();

  constructor(db: Db, taken: TakenLeaves) {
    this.#db = db;
    this.#taken = taken;
  }

  /**
   * Takes in what is committed; what comes meanwhile waits for the next time, so that storing costs little beside the
   * bets. Never throws because of one round: its closing will.
   */
  async grow(): Promise<void> {
    for (let isMore = true; isMore;) {
      const open = (await this.#unstated()).filter(({ round }) => !this.#failed.has(round.id));
      const [{ last } = { last: 0 }] = await this.#db.read
        .select({ last: sql<number>`coalesce(max(${bets.id}), 0)`.mapWith(Number) })
        .from(bets);
      const due = open.filter(({ round, after }) => after < (round.toBet ?? last));
      this.#taken.forget(Math.min(last, ...due.map(({ after }) => after)));
      isMore = (await this.#take(due, null)) >= MOST_AT_ONCE;
    }
  }

  /** Takes in the rest of a closed round, and says what came of it. */
  async close({ id, toBet }: OpenRound["round"]): Promise<ClosedTree> {
    this.#failed.delete(id);
    for (;;) {
      const due = (await this.#unstated()).filter(({ round, after }) => round.id === id && after < toBet!);
      if (due.length === 0) break;
      await this.#take(due, Math.min(toBet!, due[0]!.after + MOST_AT_ONCE));
      const failure = this.#failed.get(id);
      if (failure !== undefined) throw new Error(`round ${id} cannot be summed: ${failure}`);
    }
    const { read } = this.#db;
    const roots = await readRoots(read, id);
    if (roots.length === 0) return { last: null, summed: sumOfGroups([], null) };
    const last = finished((await readGroup(read, id, roots.at(-1)!.first))!);
    return { last, summed: sumOfGroups([...roots.slice(0, -1), last], last) };
  }

  async #unstated(): Promise<OpenRound[]> {
    const rows = await this.#db.read
      .select({ round: rounds, game: games.key, grownTo: logRounds.grownTo })
      .from(logRounds)
      .innerJoin(rounds, eq(rounds.id, logRounds.roundId))
      .innerJoin(games, eq(games.id, rounds.gameId))
      .where(isNull(logRounds.betsRoot))
      // In this order, SQLite does not read all rounds for the few that are unstated.
      .orderBy(asc(logRounds.roundId));
    return rows.map(({ round, game, grownTo }) => {
      const first = { round, game, wasNull: grownTo === null };
      return { ...first, after: grownTo ?? round.fromBet - 1 };
    });
  }

  /** Takes in a range of bets. Returns how long it was. */
  async #take(open: OpenRound[], upTo: number | null): Promise<number> {
    if (open.length === 0) return 0;
    const after = Math.min(...open.map((one) => one.after));
    const taken = this.#taken.after(after, MOST_AT_ONCE);
    const range: ToGrow = { after, upTo, rounds: await this.#roundsToGrow(open), taken };
    const grown = await this.#db.job<ToGrow, never, Grown>("log.grow", range, () => {});
    if (grown.upTo <= after) return 0;
    try {
      await this.#db.transact((tx) => this.#store(tx, open, grown));
    } catch (error) {
      if (!(error instanceof Outrun)) throw error;
    }
    return grown.upTo - after;
  }

  async #roundsToGrow(open: OpenRound[]): Promise<RoundToGrow[]> {
    const ids = open.map(({ round }) => round.id);
    const mayGrow = and(inArray(betGroups.roundId, ids), isNull(betGroups.root));
    const groups = new Map(
      (await this.#db.read.select().from(betGroups).where(mayGrow)).map((row) => [row.roundId, row]),
    );
    const toGrow: RoundToGrow[] = [];
    for (const { round, game, after } of open) {
      const terms = await this.#termsOf(round, game);
      if (terms) toGrow.push({ id: round.id, after, terms, open: groups.get(round.id) ?? null });
      else this.#failed.set(round.id, "the log does not say on which terms it was opened");
    }
    return toGrow;
  }

  async #termsOf(round: OpenRound["round"], game: string): Promise<RoundTerms | null> {
    const known = this.#terms.get(round.id);
    if (known) return known;
    const terms = await readTerms(this.#db.read, { game, round: roundText(round) });
    if (!terms) return null;
    if (this.#terms.size >= MOST_TERMS) this.#terms.clear();
    this.#terms.set(round.id, terms);
    return terms;
  }

  async #store(tx: Tx, open: readonly OpenRound[], { upTo, rounds: grown }: Grown): Promise<void> {
    const added: (BetGroup & { roundId: number })[] = [];
    for (const { round, after, wasNull } of open) {
      const one = grown.find(({ id }) => id === round.id);
      if (one && "failure" in one) this.#failed.set(round.id, one.failure);
      if (!one || "failure" in one || after >= upTo) continue;
      const asBefore = wasNull ? isNull(logRounds.grownTo) : eq(logRounds.grownTo, after);
      const isDue = and(eq(logRounds.roundId, round.id), isNull(logRounds.betsRoot), asBefore);
      const [moved] = await tx
        .update(logRounds)
        .set({ grownTo: round.toBet === null ? upTo : Math.min(upTo, round.toBet) })
        .where(isDue)
        .returning({ id: logRounds.roundId });
      if (!moved) throw new Outrun();
      added.push(...one.groups.map((group) => ({ roundId: round.id, ...group })));
    }
    failpoint("log.grow", upTo);
    await storeGroups(tx, added);
  }
}

const { steps, staked, root, leaves } = betGroups;
const ALL = { steps, staked, root, leaves };
/** What a group that is stored again has become. */
const GROWN = Object.fromEntries(Object.keys(ALL).map((name) => [name, sql.raw(`excluded.${name}`)]));

/** Stores groups; one that was stored before has grown. */
async function storeGroups(tx: Tx, groups: readonly (BetGroup & { roundId: number })[]): Promise<void> {
  if (groups.length === 0) return;
  const target = [betGroups.roundId, betGroups.first];
  await tx
    .insert(betGroups)
    .values([...groups])
    .onConflictDoUpdate({ target, set: GROWN });
}

/** Gives the last group of a closed round its root. */
export async function finishGroups(tx: Tx, roundId: number, { last }: ClosedTree): Promise<void> {
  if (!last) return;
  const isLast = and(eq(betGroups.roundId, roundId), eq(betGroups.first, last.first), isNull(betGroups.root));
  await tx.update(betGroups).set({ root: last.root, leaves: null }).where(isLast);
}

/** The roots of a round's groups, in order. */
export const readRoots = (read: Tx, roundId: number): Promise<GroupRoot[]> =>
  read
    .select({ first: betGroups.first, staked: betGroups.staked, root: betGroups.root })
    .from(betGroups)
    .where(eq(betGroups.roundId, roundId))
    .orderBy(asc(betGroups.first));

export async function readGroup(read: Tx, roundId: number, first: number): Promise<BetGroup | null> {
  const isGroup = and(eq(betGroups.roundId, roundId), eq(betGroups.first, first));
  const [group] = await read.select().from(betGroups).where(isGroup);
  return group ?? null;
}

/** The tree over the roots of groups, which are all there. */
export const treeOfRoots = (roots: readonly Pick<GroupRoot, "root">[]): ReadSubtree =>
  treeOf(roots.map(({ root }) => Buffer.from(root!, "hex")));

/** What the log says of a round's bets. */
export function sumOfGroups(roots: readonly GroupRoot[], last: BetGroup | null): Summed {
  const count = last ? (roots.length - 1) * GROUP + idsOf(last).length : 0;
  const sum = roots.reduce((total, { staked: one }) => total + one, 0);
  const root = rootOf(roots.length, treeOfRoots(roots), sha256);
  return { count, sum, root: Buffer.from(root).toString("hex") };
}

/** Reads the complete subtrees over leaves that are all in memory. */
export function treeOf(leaves: readonly Uint8Array[]): ReadSubtree {
  const levels = [leaves];
  for (let below = leaves; below.length > 1; below = levels.at(-1)!) {
    const pairs = Math.floor(below.length / 2);
    levels.push(Array.from({ length: pairs }, (_, i) => nodeHash(below[2 * i]!, below[2 * i + 1]!, sha256)));
  }
  return ({ level, index }) => levels[level]![index]!;
}
