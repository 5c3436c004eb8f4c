import { parseReceipt } from "#shared/log/receipt.ts";
import { takenFaults, type PlacedBet } from "./check-bet.ts";
import type { Heads } from "./heads.ts";
import type { Kept, KeptLog, KeptReceipt } from "./kept.ts";
import { keyOfBatch } from "./keys.ts";
import type { Judged, Taken } from "./messages.ts";
import type { Found, Surroundings } from "./surroundings.ts";
import { triedAgain } from "./unchecked.ts";
import { keepJudged, keepUnjudged, unjudgedOf, type KeptUnjudged } from "./unjudged.ts";

/** The commit that a round showed while it took bets; null if it was not seen. */
export type CommitOf = (game: string, round: string) => string | null;

/** Judges the receipts of bets. What cannot be judged as it comes is kept with what was shown, and judged later. */
export class Receipts {
  readonly #kept: Kept;
  readonly #heads: Heads;
  readonly #around: Surroundings;
  readonly #found: Found;
  readonly #commitOf: CommitOf;

  constructor(kept: Kept, heads: Heads, around: Surroundings, found: Found, commitOf: CommitOf) {
    this.#kept = kept;
    this.#heads = heads;
    this.#around = around;
    this.#found = found;
    this.#commitOf = commitOf;
  }

  /**
   * Compares a receipt with what the screen showed, before the app says that the bet is taken. Null: the house gave none.
   * It is kept before anybody is asked: the page may close meanwhile.
   */
  async take(placed: PlacedBet, given: string | null): Promise<Taken> {
    // An empty one is none.
    const receipt = given === "" ? null : given;
    const { member, order, game, round } = placed;
    const now = this.#around.now();
    const origin = (await this.#kept.currentLog())?.origin ?? "";
    const known = receipt === null ? await this.#kept.receipt(member, origin, order) : undefined;
    if (known) return known.state === "wrong" ? "wrong" : "right";
    const commit = this.#commitOf(game, round);
    const bet = { origin, member, order, game, round, receipt: receipt ?? "", at: now };
    const tried = { since: now, at: now };
    const isKnown = (await unjudgedOf(this.#kept, member, order)).some((one) => one.receipt === bet.receipt);
    if (!isKnown) await keepUnjudged(this.#kept, { ...bet, state: "unjudged", placed, commit, tried });
    this.#around.tell({ to: "receiptKept" });
    const judged = await this.judge(member, order);
    return receipt === null ? "missing" : judged;
  }

  /** Judges what came for a bet and was not judged yet, in the order in which it came. */
  async judge(member: string, order: string): Promise<Judged> {
    const all = await unjudgedOf(this.#kept, member, order);
    let judged: Judged = "unknown";
    for (const one of all.toSorted((a, b) => a.at - b.at)) {
      judged = one.receipt === "" ? "unknown" : await this.#judge(one);
      const tried = triedAgain(one.tried, this.#around.now());
      if (judged === "unknown") await keepUnjudged(this.#kept, { ...one, tried });
    }
    return judged;
  }

  async #judge(one: KeptUnjudged): Promise<Judged> {
    const { member, order, game, round, receipt, at, placed, commit } = one;
    const log = await this.#logFor(one);
    if (!log) return "unknown";
    const key = keyOfBatch(log, parseReceipt(receipt)?.batch ?? 0);
    const faults = takenFaults(receipt, placed, { key, commit });
    const known = await this.#kept.receipt(member, log.origin, order);
    // The same call, answered once more, has the same receipt.
    const isSame = known?.receipt === receipt && known.state !== "wrong";
    const isOther = known !== undefined && known.receipt !== receipt;
    const state = faults.length === 0 ? "taken" : "wrong";
    const { odds, kind } = placed;
    const bet = { origin: log.origin, member, order, game, round, receipt, at };
    const kept: KeptReceipt = { ...bet, state, ...(odds && { odds }), ...(kind !== undefined && { kind }) };
    await keepJudged(this.#kept, one, isSame || isOther ? null : kept);
    if (isSame || (faults.length === 0 && !isOther)) return "right";
    const faulty = isOther ? [...faults, "other"] : faults;
    await this.#found("receipt", order, { faults: faulty, shown: placed, receipt, before: known, log }, member);
    return "wrong";
  }

  /** The log whose keys judge a receipt. Undefined while the house does not show it, or the key of the receipt. */
  async #logFor({ origin, receipt }: KeptUnjudged): Promise<KeptLog | undefined> {
    const log = await this.#heads.today();
    const read = parseReceipt(receipt);
    if (!log) return undefined;
    if (!read) return log;
    if (read.origin !== log.origin) {
      // Since it came, the house has begun another log, and answers for this one no more.
      const before = origin === read.origin ? await this.#kept.log(origin) : undefined;
      if (before) return hasKeyOf(receipt, before) ? before : undefined;
      // Maybe the house has begun that log, and it cannot be met just now.
      const standing = await this.#heads.standing(log.origin);
      if (standing === "silent" || standing === "unclear") return undefined;
    }
    const met = await this.#heads.today();
    if (!met || read.origin !== met.origin || hasKeyOf(receipt, met)) return met;
    // A head names a key that is new, if the house is honest.
    const renewed = await this.#heads.learnKeys(met);
    return renewed === undefined ? undefined : (renewed ?? met);
  }
}

function hasKeyOf(text: string, log: KeptLog): boolean {
  const receipt = parseReceipt(text);
  return receipt !== null && receipt.keyId === keyOfBatch(log, receipt.batch).id;
}
