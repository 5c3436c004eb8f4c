import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairProof } from "#shared/contract/log.ts";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { isOpening, termsFaults, type TermFault } from "#shared/log/terms.ts";
import { allowsBeacon } from "#shared/lottery/beacon.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { fromDecimal, toDecimal } from "#shared/money.ts";
import { dayOf, dayText } from "#shared/time.ts";
import { seedAt } from "#shared/lottery/seed-at.ts";
import { oddsFaults } from "#shared/lottery/shown-odds.ts";
import { countedFaults, isPaid, isReturnedRightly, takenFaults, type PlacedBet } from "./check-bet.ts";
import { FOUND_IN, isKindKnown, resultFaults, type CheckedBeacon, type ResultFault } from "./check-result.ts";
import { balancesOf } from "./balances.ts";
import { readHead } from "./check-head.ts";
import { creditOf } from "./credits.ts";
import type { Heads } from "./heads.ts";
import { isIn, originNow, receiptIn } from "./carried.ts";
import type { Kept, KeptLog, KeptReceipt } from "./kept.ts";
import { keyOfBatch } from "./keys.ts";
import type { Questions, SettledOrder, Taken, UncheckedReport } from "./messages.ts";
import { placeOf, provenLeaf, type LeafPlace } from "./read-leaf.ts";
import type { Found, Surroundings } from "./surroundings.ts";
import { isLasting, triedAgain } from "./unchecked.ts";

type Proof = ReplyOf<typeof fairProof>;
type FairRound = Questions["round"]["reply"];

/** A member's bets are checked in a random moment of the minute after the result. */
const MINUTE_MS = 60_000;
/** Bets of earlier visits are checked one by one, each within this time after the one before. */
const EACH_MS = 6_000;
/** Openings that are remembered: many bets are on the same rounds. */
const MOST_OPENINGS = 20;

/** A settled order; what it won is null where that was missed. */
type Settled = Omit<SettledOrder, "win"> & { win: string | null };

type LoggedLeaf = NonNullable<Proof["close"]>;
/** What the house says of a round. `isBefore`: only the log before a restore can have it. */
type Stated = LoggedLeaf & { isBefore?: boolean };
/** A closing, as it was told in a head or as the log has it. */
type Closed = Stated & { head?: string };
type WithProof = KeptReceipt & { proof: Proof };

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
  /** The commit that a round showed while it took bets; null if it was not seen. */
  commitOf(game: string, round: string): string | null;
  checkBeacon(rule: string, signature: string): Promise<CheckedBeacon | null>;
}

/** A draw, and the seed that was checked. */
interface Draw {
  seed: Uint8Array;
  beacon: string;
}

/** Keeps the receipts of bets, and checks what became of each. */
export class Bets {
  readonly #kept: Kept;
  readonly #heads: Heads;
  readonly #around: Surroundings;
  readonly #found: Found;
  readonly #rounds: Rounds;
  /** Openings as the log proves them. */
  readonly #openings = new Map<string, Opening>();
  /** Bets of earlier visits that are still to be checked, and whose they are. */
  #older: { member: string; orders: string[] } = { member: "", orders: [] };

  constructor(kept: Kept, heads: Heads, around: Surroundings, found: Found, rounds: Rounds) {
    this.#kept = kept;
    this.#heads = heads;
    this.#around = around;
    this.#found = found;
    this.#rounds = rounds;
  }

  /** Compares a receipt with what the screen showed, before the app says that the bet is taken. */
  async take(placed: PlacedBet, text: string): Promise<Taken> {
    const before = await this.#heads.today();
    const isOfOther = before && parseReceipt(text)?.origin !== before.origin;
    const met = isOfOther && !(await this.#heads.isStill(before.origin)) ? await this.#heads.today() : before;
    const log = met && (await this.#withKeyOf(text, met));
    if (!log) return "unknown";
    const { member, order, game, round } = placed;
    const commit = this.#rounds.commitOf(game, round);
    const key = keyOfBatch(log, parseReceipt(text)?.batch ?? 0);
    const faults = takenFaults(text, placed, { key, commit });
    const known = await this.#kept.receipt(member, log.origin, order);
    // The same call, answered once more, has the same receipt.
    if (known && known.receipt === text && known.state !== "wrong") return "right";
    const state = faults.length === 0 ? "taken" : "wrong";
    const kept: KeptReceipt = {
      origin: log.origin,
      member,
      order,
      game,
      round,
      receipt: text,
      at: this.#around.now(),
      state,
      ...(placed.odds && { odds: placed.odds }),
    };
    const isOther = known !== undefined && known.receipt !== text;
    if (!isOther) await this.#kept.keepReceipt(kept);
    if (faults.length > 0 || isOther) {
      const faulty = isOther ? [...faults, "other"] : faults;
      await this.#found("receipt", order, { faults: faulty, shown: placed, receipt: text, before: known, log }, member);
      return "wrong";
    }
    this.#around.tell({ to: "receiptKept" });
    return "right";
  }

  /** A receipt by a key that is not known: a head names it already, if the house is honest. */
  async #withKeyOf(text: string, log: KeptLog): Promise<KeptLog | undefined> {
    const receipt = parseReceipt(text);
    const isKnown = !receipt || receipt.origin !== log.origin || receipt.keyId === keyOfBatch(log, receipt.batch).id;
    if (isKnown) return log;
    const renewed = await this.#heads.learnKeys(log);
    return renewed === undefined ? undefined : (renewed ?? log);
  }

  checkLater(order: Settled): void {
    this.#around.later(MINUTE_MS, () => this.#check(order));
  }

  /** Bets whose results this device did not see come: of earlier visits, and of times when the line was away. */
  async checkOlder(member: string, isWanted: (receipt: KeptReceipt) => boolean = () => true): Promise<void> {
    const isUnderWay = this.#older.member === member && this.#older.orders.length > 0;
    if (isUnderWay) return;
    const origin = (await this.#kept.currentLog())?.origin;
    const receipts = member === "" ? [] : await this.#kept.receipts(member);
    const waiting = receipts.filter((one) => isIn(origin, one) && !isDone(one) && isWanted(one));
    const isBegun = this.#older.orders.length > 0;
    this.#older = { member, orders: waiting.map(({ order }) => order) };
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
    const all = member === "" ? [] : await this.#kept.receipts(member);
    const receipts = all.filter((one) => unansweredFor(one) !== null);
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
    const proof = await this.#around.ask("proof", { id: order });
    if (!proof)
      return closing && this.#found("notCounted", order, { faults: ["none"], receipt: before, closing }, member);
    const kept = { ...before, proof };
    const closed = closing ?? (await this.#stated(proof.close, kept));
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
    const paid = await this.#pay({ ...kept, state }, opening?.open ?? null, win ?? (await this.#winOf(order)));
    await this.#kept.keepReceipt(paid);
  }

  /** What the house answers about a bet contradicts its receipt, unless it is the answer of another log. */
  async #spoil(kept: KeptReceipt, kind: "notCounted" | "terms", evidence: object): Promise<void> {
    if (await this.#heads.isStill(originNow(kept))) await this.#kept.keepReceipt({ ...kept, state: "wrong" });
    await this.#found(kind, kept.order, { ...evidence, receipt: kept }, kept.member);
  }

  /**
   * What the house says of a bet's round, if the log has it. The round of a bet that a restore carried on may have been over
   * by then: the log before has it, which nobody can read any more. Then the receipt alone binds what is computed from it.
   */
  async #stated(said: LoggedLeaf | null, { carried }: KeptReceipt): Promise<Stated | null> {
    const isThere = said && (await this.#heads.logged(said));
    return isThere ? said : said && isThere === false && carried !== undefined ? { ...said, isBefore: true } : null;
  }

  /** Compares a receipt with the opening of its round, which stands in the log before the closing. Null while it cannot be read. */
  async #termsOf(kept: WithProof, closed: Closed): Promise<Terms | null> {
    if (closed.isBefore) return { faults: [], opening: null };
    const { bet } = parseReceipt(kept.receipt)!;
    const { open } = kept.proof;
    const origin = originNow(kept);
    const name = `${origin} ${bet.game} ${bet.round}`;
    const known = this.#openings.get(name);
    if (known) return { faults: termsFaults(bet, known.open), opening: known };
    // A log that begins anew states the rounds that are open.
    if (open === null || open.number >= closed.number) return { faults: ["open"], opening: null };
    // Phones that were told of one closing read the same files.
    const head = readHead(closed.head ?? (await this.#kept.log(origin))!.newest)!;
    const proven = await provenLeaf(open.number, head, this.#around.read);
    if (!proven) return null;
    const { leaf } = proven;
    const faults = termsFaults(bet, leaf);
    if (!isOpening(leaf, bet)) return { faults, opening: null };
    const opening = { open: leaf, place: placeOf(head, open.number, proven) };
    this.#openings.set(name, opening);
    if (this.#openings.size > MOST_OPENINGS) this.#openings.delete(this.#openings.keys().next().value!);
    return { faults, opening };
  }

  /** What the house says that a bet won. Null while it is not settled, and while the house does not answer for it. */
  async #winOf(order: string): Promise<string | null> {
    const orders = await this.#around.ask("orders", { id: order });
    return orders?.find(({ id }) => id === order)?.win ?? null;
  }

  /** Compares what was paid with what the receipt, the odds and the draw give. Left open while one of them is missing. */
  async #pay(kept: WithProof, opening: Leaf<"open"> | null, win: string | null): Promise<KeptReceipt> {
    const { game, round: expect, member, order } = kept;
    if (win === null) return kept;
    const receipt = parseReceipt(kept.receipt)!;
    const round = await this.#around.ask("round", { key: game, expect });
    const kind = opening?.rules ?? round?.kind ?? "";
    if (!round) return kept;
    if (!isKindKnown(kind)) return { ...kept, payout: { win, isRight: null } };
    const draw = round.refunded === null ? await this.#drawOf(kept, kind, round) : null;
    if (draw === undefined) return kept;
    const isRight = draw
      ? isPaid(receipt, { ...round, kind, beacon: draw.beacon }, draw.seed, win)
      : isReturnedRightly(receipt, round, (await this.#around.beacons()).chains, win);
    const faults = round.odds?.hash === receipt.bet.odds_hash ? oddsFaults(kept.odds ?? [], kind, round.odds) : [];
    if (faults.length > 0) await this.#found("receipt", `${order} odds`, { faults, receipt: kept, round }, member);
    const shown = draw && { ...draw, seed: bytesToHex(draw.seed) };
    if (!isRight) {
      const settled = await this.#settledIn(kept).catch(() => null);
      const own = settled && (await this.#paidIn(kept).catch(() => null));
      await this.#found("payout", order, { receipt: kept, round, draw: shown, win, settled, ...own }, member);
    }
    const hasCredit = isRight && fromDecimal(win) > 0;
    const credit = kept.payout?.credit ?? "waits";
    return this.#credit({ ...kept, payout: { win, isRight, ...(hasCredit && { credit }) } }, { round, draw: shown });
  }

  /** What the log says that the round paid in all, and where that stands in a head. Null where it cannot be read. */
  async #settledIn({ proof: { settle } }: WithProof): Promise<LeafPlace | null> {
    if (settle === null || !(await this.#heads.logged(settle))) return null;
    const head = readHead((await this.#kept.currentLog())!.newest)!;
    const proven = await provenLeaf(settle.number, head, this.#around.read);
    return proven && placeOf(head, settle.number, proven);
  }

  /** What the log binds the round to have paid the member, and the receipts of their other bets on it. */
  async #paidIn({ order, origin, game, round, member }: WithProof) {
    const answer = await this.#around.ask("payout", { id: order });
    const all = await this.#kept.receipts(member);
    const others = all.filter(
      (one) => one.order !== order && one.origin === origin && one.game === game && one.round === round,
    );
    return { paid: answer?.paid ?? null, others };
  }

  /** Whether a win reached the balance. A change may come a moment after it was told: what lacks is looked for twice. */
  async #credit(kept: WithProof, shown: object): Promise<WithProof> {
    const { payout, order, member } = kept;
    if (payout?.credit === undefined) return kept;
    await this.#kept.keepReceipt(kept);
    const origin = originNow(kept);
    const found = await creditOf({ ...kept, origin }, fromDecimal(payout.win), {
      kept: this.#kept,
      ask: this.#around.ask,
    });
    if (found === null || (!found.isThere && !(await this.#heads.isStill(origin)))) return kept;
    const credit = found.isThere ? "there" : payout.credit === "waits" ? "missed" : "lacks";
    const now = { ...kept, payout: { ...payout, credit } as const };
    if (credit === "missed") this.checkLater({ member, order, win: payout.win });
    if (credit !== "lacks") return now;
    const { due, entries } = found;
    const balances = await balancesOf(this.#kept, member, origin);
    const evidence = { receipt: kept, ...shown, win: payout.win, due: toDecimal(due), entries, balances };
    await this.#found("credit", order, evidence, member);
    return now;
  }

  /**
   * The draw of a bet's round: by the seed that this device checked, or as the log states it. Undefined while there is
   * none that follows from what was fixed before.
   */
  async #drawOf(kept: WithProof, kind: string, round: FairRound): Promise<Draw | undefined> {
    const { game, round: expect, proof, receipt } = kept;
    const origin = originNow(kept);
    const { bet } = parseReceipt(receipt)!;
    const day = expect.slice(0, 8);
    const { number } = parseRound(expect)!;
    const last = await this.#kept.seed(origin, game, day);
    if (last && last.number >= number) {
      const { rule, beacon, beacon_signature: signature } = round;
      const isFalse = !allowsBeacon({ rule, beacon, signature }) || !(await this.#isSigned(rule, signature));
      if (isFalse) return this.#falseDraw("beacon", kept, { receipt, round });
      return { seed: seedAt(last, number), beacon };
    }
    const logged = await this.#stated(proof.draw, kept);
    const leaf = logged && parseLeaf(logged.leaf);
    if (leaf?.kind !== "draw" || leaf.game !== game || leaf.round !== expect) return undefined;
    const { seed, beacon, beacon_signature, dice: opencode } = leaf;
    const anchor = await this.#kept.anchor(origin, game, day);
    const from = last ?? (anchor?.told ? { number: 0, seed: anchor.anchor } : { number, seed });
    const drawn = { key: game, expect, kind, opencode, seed, rule: bet.rule, beacon, beacon_signature, head: null };
    const faults = resultFaults(drawn, { commit: bet.commit, from, closing: null });
    if (!(await this.#isSigned(bet.rule, beacon_signature))) faults.push("beacon");
    const [fault] = faults;
    if (fault) return this.#falseDraw(fault, kept, { receipt, faults, draw: logged, from });
    return { seed: hexToBytes(seed), beacon };
  }

  async #isSigned(rule: string, signature: string): Promise<boolean> {
    return (await this.#rounds.checkBeacon(rule, signature))?.isGenuine ?? true;
  }

  async #falseDraw(fault: ResultFault, { game, round }: KeptReceipt, evidence: object): Promise<undefined> {
    await this.#found(FOUND_IN[fault], `${game} ${round}`, evidence);
    return undefined;
  }
}

/** Since when the house owes an answer for a bet, if that lasts. */
export const unansweredFor = (receipt: KeptReceipt): number | null =>
  !isDone(receipt) && receipt.tried !== undefined && isLasting(receipt.tried) ? receipt.tried.since : null;

const isDone = ({ state, payout }: KeptReceipt): boolean =>
  state === "wrong" ||
  state === "lost" ||
  (state !== "taken" && payout !== undefined && !/waits|missed/.test(payout.credit ?? ""));
