import { and, asc, between, desc, eq, lte } from "drizzle-orm";
import { betColumns, bets, games, houseEntries, isOfBets, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import type { BatchKeys } from "./batch-keys.ts";
import { pathDigests, rootDigest } from "./digest-tree.ts";
import { MemberSalts } from "./member-salts.ts";
import { readTerms } from "./read-log.ts";
import { BetLeaves, type BetPart } from "./round-leaves.ts";
import { LETTERS } from "./sha256.ts";
import { TakenLeaves } from "./taken-leaves.ts";

/** Rounds whose terms stay in memory: more than are open at once. */
const MOST_ROUNDS = 100;

/** A bet of a batch that was committed. */
export interface ReceiptBet extends BetPart {
  roundId: number;
}

/** A bet of a round that was opened before there was a log: it has no receipt. */
class BeforeLog extends Error {
  override name = "BeforeLog";
}

/**
 * Makes the receipts of bets: one signature for each batch that was committed together. The receipt of a bet is always
 * the same, also when it is made again from the rows.
 */
export class Receipts {
  readonly #deps: Pick<Deps, "db" | "random">;
  readonly #keys: Pick<BatchKeys, "sign">;
  readonly #salts: MemberSalts;
  readonly #rounds = new Map<number, Promise<BetLeaves>>();
  /** What the trees of rounds need not hash once more. */
  readonly taken = new TakenLeaves();

  constructor(deps: Pick<Deps, "db" | "random">, keys: Pick<BatchKeys, "sign">) {
    this.#deps = deps;
    this.#keys = keys;
    this.#salts = new MemberSalts(deps);
  }

  /** The receipts of a whole batch, in the order of its bets' numbers. `newest`: the log's newest key as it was committed. */
  async of(batch: number, taken: readonly ReceiptBet[], newest?: number): Promise<string[]> {
    const parts = await this.#partsOf(taken);
    const { root, paths } = pathDigests(parts.map(({ leaf }) => leaf));
    const count = parts.length;
    const head = { size: count, root: Buffer.from(root, LETTERS) };
    const { key, signature } = await this.#keys.sign(batch, head, newest);
    const id = key.id.toString(16).padStart(8, "0");
    for (const [i, { leaf }] of parts.entries()) this.taken.add(taken[i]!.id, leaf);
    return parts.map(({ text, salt, markSalt }, index) => {
      const path = btoa(paths[index]!);
      // As `receiptText` spells it, of which only a few fields differ between the bets of a batch.
      const own = `{"batch":${batch},"bet":${text},"count":${count},"index":${index},"key":"${id}"`;
      const salted = `"mark_salt":"${markSalt}","origin":"${key.name}"`;
      const proof = `"path":"${path}","salt":"${Buffer.from(salt, LETTERS).toString("hex")}","signature":"${signature}"}`;
      return Buffer.from(`${own},${salted},${proof}`, LETTERS).toString("base64url");
    });
  }

  async #partsOf(taken: readonly ReceiptBet[]) {
    const salts = await this.#salts.of(taken.map(({ memberId }) => memberId));
    const rounds = new Map<number, BetLeaves>();
    for (const { roundId } of taken) if (!rounds.has(roundId)) rounds.set(roundId, await this.#leavesOf(roundId));
    return taken.map((bet) => rounds.get(bet.roundId)!.salted(bet, salts.get(bet.memberId)!));
  }

  /** The signature of a batch; empty for one from before the log. */
  async signatureOf(batch: number, taken: readonly ReceiptBet[]): Promise<string> {
    const parts = await this.#partsOf(taken).catch((error: unknown) => {
      if (error instanceof BeforeLog) return null;
      throw error;
    });
    if (!parts) return "";
    const root = rootDigest(parts.map(({ leaf }) => leaf));
    return (await this.#keys.sign(batch, { size: parts.length, root: Buffer.from(root, LETTERS) })).signature;
  }

  /** The receipt of a bet that was taken before. */
  async again(betId: number): Promise<string> {
    const { read } = this.#deps.db;
    const [batch] = await read
      .select()
      .from(houseEntries)
      .where(and(isOfBets, lte(houseEntries.fromId, betId)))
      .orderBy(desc(houseEntries.fromId))
      .limit(1);
    const { id, fromId, toId } = batch!;
    const taken = await read
      .select(betColumns)
      .from(bets)
      .where(between(bets.id, fromId, toId))
      .orderBy(asc(bets.id));
    const receipts = await this.of(id, taken);
    return receipts[taken.findIndex((bet) => bet.id === betId)]!;
  }

  #leavesOf(roundId: number): Promise<BetLeaves> {
    let leaves = this.#rounds.get(roundId);
    if (!leaves) {
      leaves = this.#readRound(roundId);
      leaves.catch(() => this.#rounds.delete(roundId));
      if (this.#rounds.size >= MOST_ROUNDS) this.#rounds.clear();
      this.#rounds.set(roundId, leaves);
    }
    return leaves;
  }

  async #readRound(roundId: number): Promise<BetLeaves> {
    const { read } = this.#deps.db;
    const [round] = await read
      .select({ day: rounds.day, number: rounds.number, game: games.key })
      .from(rounds)
      .innerJoin(games, eq(games.id, rounds.gameId))
      .where(eq(rounds.id, roundId));
    const terms = round && (await readTerms(read, { game: round.game, round: roundText(round) }));
    if (!terms) throw new BeforeLog(`the log does not say on which terms round ${roundId} was opened`);
    return new BetLeaves(terms);
  }
}
