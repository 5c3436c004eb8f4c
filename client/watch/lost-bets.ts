import { bytesToHex } from "@noble/hashes/utils.js";
import { listOf, text, withFields } from "#shared/log/evidence/shape.ts";
import { parseReceipt, type Receipt } from "#shared/log/receipt.ts";
import { contentText } from "#shared/log/salted.ts";
import { toDecimal } from "#shared/money.ts";
import type { Heads } from "./heads.ts";
import type { Kept, KeptLog, KeptReceipt } from "./kept.ts";
import type { Found, Surroundings } from "./surroundings.ts";

/** Bets are asked for one by one, each within this time after the one before. */
const EACH_MS = 6_000;

/** An order as the house lists it. */
const isOrder = withFields({ key: text, data: listOf(withFields({ expect: text, type: text, money: text })) });

/**
 * After a loss that the house announced: says which bets, whose receipts are kept, it no longer has. Those that it has are
 * judged by its new log.
 */
export class LostBets {
  readonly #kept: Kept;
  readonly #heads: Heads;
  readonly #around: Surroundings;
  readonly #found: Found;
  readonly #carried: (bet: Pick<KeptReceipt, "member" | "order">) => void;
  #waiting: KeptReceipt[] = [];

  /** `carried`: told of each bet that the house still has. */
  constructor(
    kept: Kept,
    heads: Heads,
    around: Surroundings,
    found: Found,
    carried: (bet: Pick<KeptReceipt, "member" | "order">) => void,
  ) {
    this.#kept = kept;
    this.#heads = heads;
    this.#around = around;
    this.#found = found;
    this.#carried = carried;
  }

  /** Looks for all bets of the logs before, the newest first: what a backup lacks is what came last. */
  async look(member: string): Promise<void> {
    const isUnderWay = this.#waiting.length > 0;
    const log = await this.#kept.currentLog();
    if (member === "" || log?.before === undefined) return;
    const before = await this.#originsBefore(log);
    // What came for a receipt and is none names no bet.
    const isOpen = ({ origin, state, carried, receipt }: KeptReceipt) =>
      before.has(origin) && state !== "lost" && carried !== log.origin && parseReceipt(receipt) !== null;
    this.#waiting = (await this.#kept.receipts(member)).filter(isOpen).sort((one, other) => other.at - one.at);
    if (!isUnderWay && this.#waiting.length > 0) this.#next();
  }

  async #originsBefore({ before }: KeptLog): Promise<Set<string>> {
    const all = new Set<string>();
    for (let one = before; one !== undefined && !all.has(one); one = (await this.#kept.log(one))?.before) all.add(one);
    return all;
  }

  /** One that fails is left for the next time, and the rest goes on. */
  #next(): void {
    this.#around.later(EACH_MS, async () => {
      const receipt = this.#waiting.shift();
      if (this.#waiting.length > 0) this.#next();
      if (receipt) await this.#check(receipt);
    });
  }

  /** A house that counts on from its backup gives the order's name to another bet: what it says must be the same. */
  async #check(receipt: KeptReceipt): Promise<void> {
    const log = await this.#kept.currentLog();
    const { order, origin, member } = receipt;
    const isThere = await this.#has(receipt, parseReceipt(receipt.receipt)!);
    if (!log) return;
    if (isThere) {
      await this.#kept.keepReceipt({ ...receipt, carried: log.origin });
      return this.#carried({ member, order });
    }
    // It may be yet another log that answers: nothing is kept of that.
    if (!(await this.#heads.isStill(log.origin))) return;
    await this.#found("betLost", `${order} of ${origin}`, { receipt, log }, member);
    await this.#kept.keepReceipt({ ...receipt, state: "lost" });
  }

  /** A bet whose round is not closed has no proof yet. The house lists it all the same. */
  async #has({ member, order }: KeptReceipt, { bet, salt }: Receipt): Promise<boolean> {
    const proof = await this.#around.ask("proof", { id: order }, member);
    if (proof) return proof.bet === contentText(bet) && proof.salt === bytesToHex(salt);
    const orders = (await this.#around.ask("orders", { id: order }, member)) ?? [];
    const listed: unknown = orders.find(({ id }) => id === order);
    if (!isOrder(listed) || listed.key !== bet.game) return false;
    const stake = toDecimal(bet.stake);
    const isSame = listed.data.every(({ expect, money }) => expect === bet.round && money === stake);
    return (
      isSame &&
      listed.data
        .map(({ type }) => type)
        .toSorted()
        .join() === bet.options.toSorted().join()
    );
  }
}
