import type { Leaf } from "#shared/log/leaf.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { isOpening, termsFaults, type TermFault } from "#shared/log/terms.ts";
import { dayOf, dayText } from "#shared/time.ts";
import { isIn, originNow, receiptIn, statedBy, type Stated } from "./carried.ts";
import { countedFaults, type PlacedBet } from "./check-bet.ts";
import { readHead } from "./check-head.ts";
import type { Heads } from "./heads.ts";
import type { Kept, KeptReceipt } from "./kept.ts";
import type { SettledOrder, Taken, UncheckedReport } from "./messages.ts";
import { Payouts, type CheckBeacon, type WithProof } from "./payouts.ts";
import { placeOf, provenLeaf, type LeafPlace } from "./read-leaf.ts";
import { Receipts, type CommitOf } from "./receipts.ts";
import type { Found, Surroundings } from "./surroundings.ts";
import { isLasting, triedAgain } from "./unchecked.ts";
import { unjudgedOf } from "./unjudged.ts";

/** A member's bets are checked in a random moment of the minute after the result. */
const MINUTE_MS = 60_000;
/** Bets of earlier visits are checked one by one, each within this time after the one before. */
const EACH_MS = 6_000;
/** Openings that are remembered: many bets are on the same rounds. */
const MOST_OPENINGS = 20;

/** A settled order; what it won is null where that was missed. */
type Settled = Omit<SettledOrder, "win"> & { win: string | null };

/** A closing, as it was told in a head or as the log has it. */
type Closed = Stated & { head?: string };

/** The opening of a round, and where it stands in a head. */
interface Opening {
  open: Leaf<"open">;
  place: LeafPlace;
}

/** What a receipt says otherwise than the opening of its round; null where the house shows none. */
interface Terms {
  faults: TermFault[];
  opening: Opening | null;
}

/** What else the watcher knows of rounds. */
interface Rounds {
  commitOf: CommitOf;
  checkBeacon: CheckBeacon;
}

/** Keeps the receipts of bets, and checks what became of each. */
export class Bets {
  readonly #kept: Kept;
  readonly #heads: Heads;
  readonly #around: Surroundings;
  readonly #found: Found;
  readonly #receipts: Receipts;
  readonly #payouts: Payouts;
  /** Openings as the log proves them. */
  readonly #openings = new Map<string, Opening>();
  /** Bets of earlier visits that are still to be checked, and whose they are. */
  #older: { member: string; orders: string[] } = { member: "", orders: [] };

  constructor(kept: Kept, heads: Heads, around: Surroundings, found: Found, rounds: Rounds) {
    this.#kept = kept;
    this.#heads = heads;
    this.#around = around;
    this.#found = found;
    this.#receipts = new Receipts(kept, heads, around, found, rounds.commitOf);
    this.#payouts = new Payouts(kept, heads, around, found, rounds.checkBeacon);
  }

  /** Keeps and judges the receipt of a bet that was taken; null where the house gave none. */
  take = (placed: PlacedBet, receipt: string | null): Promise<Taken> => this.#receipts.take(placed, receipt);

  checkLater(order: Settled): void {
    this.#around.later(MINUTE_MS, () => this.#check(order));
  }

  /** Bets whose results this device did not see come: of earlier visits, and of times when the line was away. */
  async checkOlder(member: string, isWanted: (receipt: KeptReceipt) => boolean = () => true): Promise<void> {
    const isUnderWay = this.#older.member === member && this.#older.orders.length > 0;
    if (isUnderWay) return;
    const origin = (await this.#kept.currentLog())?.origin;
    const receipts = member === "" ? [] : await this.#kept.receipts(member);
    const unjudged = member === "" ? [] : await unjudgedOf(this.#kept, member);
    const isOpen = (one: KeptReceipt) => isIn(origin, one) && !isDone(one);
    const waiting = [...unjudged, ...receipts.filter(isOpen)].filter(isWanted);
    const isBegun = this.#older.orders.length > 0;
    this.#older = { member, orders: [...new Set(waiting.map(({ order }) => order))] };
    if (!isBegun && waiting.length > 0) this.#nextOlder();
  }

  /** One that fails is left for the next time, and the rest goes on. */
  #nextOlder(): void {
    this.#around.later(EACH_MS, async () => {
      const { member, orders } = this.#older;
      const order = orders.shift();
      if (orders.length > 0) this.#nextOlder();
      if (order !== undefined) await this.#check({ member, order, win: null });
    });
  }

  /**
   * Whether a bet was taken on the terms of its round, is among those of the told closing, and was paid as its odds say.
   * `win`: what the house said as it was settled; asked for where that was missed.
   */
  async #check(settled: Settled): Promise<void> {
    try {
      await this.#receipts.judge(settled.member, settled.order);
      await this.#judge(settled);
    } finally {
      await this.#noteTried(settled);
    }
  }

  /** A bet whose round is over, and that could still not be checked to the end, is owed an answer from now on. */
  async #noteTried({ member, order, win }: Settled): Promise<void> {
    const origin = (await this.#kept.currentLog())?.origin;
    const kept = await receiptIn(this.#kept, { member, order }, origin);
    if (!kept || isDone(kept)) return;
    const now = this.#around.now();
    const isOver = win !== null || kept.proof?.close || kept.round.slice(0, 8) < dayText(dayOf(now));
    if (!isOver && !(await this.#kept.closing(originNow(kept), kept.game, kept.round))) return;
    await this.#kept.keepReceipt({ ...kept, tried: triedAgain(kept.tried, now) });
  }

  /** The bets that could not be checked for long. */
  async unanswered(member: string): Promise<UncheckedReport["bets"]> {
    if (member === "") return null;
    const origin = (await this.#kept.currentLog())?.origin;
    const unjudged = await unjudgedOf(this.#kept, member);
    // For a log before this one nobody answers any more.
    const owed = unjudged.filter((one) => one.origin === "" || one.origin === origin);
    const receipts = [...owed, ...(await this.#kept.receipts(member))].filter((one) => unansweredFor(one) !== null);
    return receipts.length === 0 ? null : { receipts, since: Math.min(...receipts.map(({ tried }) => tried!.since)) };
  }

  async #judge({ member, order, win }: Settled): Promise<void> {
    // Of a log before this one, the house says what it has lost. What it still has it owes as ever.
    const origin = (await this.#kept.currentLog())?.origin;
    const before = await receiptIn(this.#kept, { member, order }, origin);
    if (origin === undefined || !before || isDone(before)) return;
    const told = await this.#kept.closing(origin, before.game, before.round);
    const isProven = told && (!told.isUnproven || (await this.#heads.hold(told.head)) !== null);
    const closing = isProven ? told : undefined;
    const proof = await this.#around.ask("proof", { id: order }, member);
    if (!proof)
      return closing && this.#found("notCounted", order, { faults: ["none"], receipt: before, closing }, member);
    const kept = { ...before, proof };
    const closed = closing ?? (await statedBy(this.#heads, proof.close, kept));
    if (!closed) return;
    const receipt = parseReceipt(kept.receipt)!;
    const faults = countedFaults(receipt, proof, closed.leaf);
    if (faults.length > 0) return this.#spoil(kept, "notCounted", { faults, proof, closing });
    if (!before.proof) await this.#kept.keepReceipt(kept);
    const terms = await this.#termsOf(kept, closed);
    if (!terms) return;
    const { faults: others, opening } = terms;
    if (others.length > 0)
      return this.#spoil(kept, "terms", { faults: others, opening: opening && opening.place, proof, closing });
    // A bet counts once, also where its payout can be checked only later.
    const state = before.state !== "taken" ? before.state : closing ? "counted" : "untold";
    if (before.state === "taken" && closing) await this.#kept.keepCounted({ ...kept, state });
    else await this.#kept.keepReceipt({ ...kept, state });
    const won = win ?? (await this.#winOf(member, order));
    const paid = await this.#payouts.check({ ...kept, state }, opening?.open ?? null, won);
    await this.#kept.keepReceipt(paid);
    // A change may come a moment after it was told.
    const isMissed = paid.payout?.credit === "missed" && before.payout?.credit !== "missed";
    if (isMissed) this.checkLater({ member, order, win: paid.payout!.win });
  }

  /** What the house answers about a bet contradicts its receipt, unless it is the answer of another log. */
  async #spoil(kept: KeptReceipt, kind: "notCounted" | "terms", evidence: object): Promise<void> {
    if (await this.#heads.isStill(originNow(kept))) await this.#kept.keepReceipt({ ...kept, state: "wrong" });
    await this.#found(kind, kept.order, { ...evidence, receipt: kept }, kept.member);
  }

  /** Compares a receipt with the opening of its round, which stands in the log before the closing. Null while it cannot be read. */
  async #termsOf(kept: WithProof, closed: Closed): Promise<Terms | null> {
    if (closed.isBefore) return { faults: [], opening: null };
    const { bet } = parseReceipt(kept.receipt)!;
    const { kind } = kept;
    const { open } = kept.proof;
    const origin = originNow(kept);
    const name = `${origin} ${bet.game} ${bet.round}`;
    const known = this.#openings.get(name);
    if (known) return { faults: termsFaults(bet, known.open, kind), opening: known };
    // A log that begins anew states the rounds that are open.
    if (open === null || open.number >= closed.number) return { faults: ["open"], opening: null };
    // Phones that were told of one closing read the same files.
    const head = readHead(closed.head ?? (await this.#kept.log(origin))!.newest)!;
    const proven = await provenLeaf(open.number, head, this.#around.read);
    if (!proven) return null;
    const { leaf } = proven;
    const faults = termsFaults(bet, leaf, kind);
    if (!isOpening(leaf, bet)) return { faults, opening: null };
    const opening = { open: leaf, place: placeOf(head, open.number, proven) };
    this.#openings.set(name, opening);
    if (this.#openings.size > MOST_OPENINGS) this.#openings.delete(this.#openings.keys().next().value!);
    return { faults, opening };
  }

  /** What the house says that a bet won. Null while it is not settled, and while the house does not answer for it. */
  async #winOf(member: string, order: string): Promise<string | null> {
    const orders = await this.#around.ask("orders", { id: order }, member);
    return orders?.find(({ id }) => id === order)?.win ?? null;
  }
}

/** Since when the house owes an answer for a bet, if that lasts. */
export const unansweredFor = (receipt: KeptReceipt): number | null =>
  !isDone(receipt) && receipt.tried !== undefined && isLasting(receipt.tried) ? receipt.tried.since : null;

/** Whether all was checked. What a game of an unknown kind paid could not be. */
const isDone = ({ state, payout }: KeptReceipt): boolean =>
  state === "wrong" ||
  state === "lost" ||
  (state !== "taken" && typeof payout?.isRight === "boolean" && !/waits|missed/.test(payout.credit ?? ""));
