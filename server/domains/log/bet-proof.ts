import { asc, inArray } from "drizzle-orm";
import type { Db } from "#db/db.ts";
import { betColumns, bets } from "#db/schema/index.ts";
import type { Caller } from "#server/app/deps.ts";
import { contentText } from "#shared/log/salted.ts";
import { inclusionOf, proofOf, type ReadSubtree } from "#shared/log/tree.ts";
import { Refusal } from "#shared/refusal.ts";
import { GROUP, idsOf } from "./bet-groups.ts";
import { readGroup, readRoots, treeOfRoots } from "./bet-trees.ts";
import { pathDigests } from "./digest-tree.ts";
import { loggedIn, readOwnBet, type Round } from "./own-bet.ts";
import { leafIn } from "./read-log.ts";
import { readSalts } from "./read-salts.ts";
import { rebuildGroups } from "./rebuild-groups.ts";
import { betContent, BetLeaves, type RoundTerms } from "./round-leaves.ts";
import { LETTERS, sha256 } from "./sha256.ts";

/** Rounds and groups in memory: those whose members are asking now. */
const MOST_ROUNDS = 8;
const MOST_GROUPS = 512;

/** The tree over the groups of one round. */
interface GroupTree {
  /** The first bet of each. */
  firsts: number[];
  read: ReadSubtree;
}

/** The bets of one group, each with its path to the group's root, from below. */
interface GroupPaths {
  ids: number[];
  /** One letter a byte. */
  paths: string[];
}

/** Proves members that their bets were counted. A proof reads the roots of the round's groups, and one group. */
export class BetProofs {
  readonly #db: Db;
  readonly #trees = new Map<number, Promise<GroupTree>>();
  readonly #groups = new Map<number, Promise<GroupPaths>>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** The path from a bet to the root that the log states of its round. Refuses while the round is not closed. */
  async prove({ memberId }: Pick<Caller, "memberId">, betId: number) {
    const { bet, round, leaves, salt } = await readOwnBet(this.#db.read, memberId, betId);
    const [opening, closing] = [leaves.get("open"), leaves.get("close")];
    if (!opening || !closing) throw new Refusal("object.unknown");
    const terms = leafIn("open", opening);
    const { bets: count, bets_root } = leafIn("close", closing);
    return {
      bet: contentText(betContent(terms, bet, salt)),
      salt: Buffer.from(salt.ofBet(betId), LETTERS).toString("hex"),
      mark_salt: salt.markSalt,
      ...(await this.#pathOf(betId, round, terms)),
      count,
      bets_root,
      close: loggedIn(closing.log, closing),
      open: loggedIn(closing.log, opening),
      draw: loggedIn(closing.log, leaves.get("draw")),
      settle: loggedIn(closing.log, leaves.get("settle")),
      refund: loggedIn(closing.log, leaves.get("refund")),
    };
  }

  async #pathOf(betId: number, round: Round, terms: RoundTerms): Promise<{ index: number; path: string[] }> {
    const tree = keep(this.#trees, MOST_ROUNDS, round.id, () => this.#readTree(round, terms));
    const { firsts, read } = await tree;
    const at = firsts.findLastIndex((first) => first <= betId);
    const inGroup = keep(this.#groups, MOST_GROUPS, firsts[at]!, () => this.#readGroup(round.id, firsts[at]!, terms));
    const { ids, paths } = await inGroup;
    const place = ids.indexOf(betId);
    if (place < 0) throw new Refusal("object.unknown");
    const below = Buffer.from(paths[place]!, LETTERS).toString("hex").match(/.{64}/g) ?? [];
    const above = proofOf(inclusionOf(at, firsts.length), read, sha256);
    const path = [...below, ...above.map((hash) => Buffer.from(hash).toString("hex"))];
    return { index: at * GROUP + place, path };
  }

  async #readTree(round: Round, terms: RoundTerms): Promise<GroupTree> {
    const stored = await readRoots(this.#db.read, round.id);
    const groups = stored.length > 0 ? stored : await rebuildGroups(this.#db, round, terms);
    return { firsts: groups.map(({ first }) => first), read: treeOfRoots(groups) };
  }

  async #readGroup(roundId: number, first: number, terms: RoundTerms): Promise<GroupPaths> {
    const group = (await readGroup(this.#db.read, roundId, first))!;
    const rows = await this.#db.read
      .select(betColumns)
      .from(bets)
      .where(inArray(bets.id, idsOf(group)))
      .orderBy(asc(bets.id));
    const salts = await readSalts(
      this.#db.read,
      rows.map(({ memberId }) => memberId),
    );
    const leaves = new BetLeaves(terms);
    const salted = rows.map((bet) => leaves.salted(bet, salts.get(bet.memberId)!).leaf);
    // Of a bet that was changed since it was counted, the path leads to another root: its member's app finds that.
    return { ids: rows.map(({ id }) => id), paths: pathDigests(salted).paths };
  }
}

/** What is in memory, or is read now. The oldest of too many is forgotten. */
function keep<T>(known: Map<number, Promise<T>>, most: number, key: number, read: () => Promise<T>): Promise<T> {
  let kept = known.get(key);
  if (!kept) {
    kept = read();
    known.set(key, kept);
    kept.catch(() => known.delete(key));
    if (known.size > most) known.delete(known.keys().next().value!);
  }
  return kept;
}
