import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairProof } from "#shared/contract/log.ts";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { allowsBeacon } from "#shared/lottery/beacon.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { seedAt } from "#shared/lottery/seed-at.ts";
import { oddsFaults } from "#shared/lottery/shown-odds.ts";
import { fromDecimal, toDecimal } from "#shared/money.ts";
import { originNow, statedBy } from "./carried.ts";
import { balancesOf } from "./balances.ts";
import { isPaid, isReturnedRightly } from "./check-bet.ts";
import { readHead } from "./check-head.ts";
import { FOUND_IN, isKindKnown, resultFaults, type CheckedBeacon, type ResultFault } from "./check-result.ts";
import { creditOf } from "./credits.ts";
import type { Heads } from "./heads.ts";
import type { Kept, KeptReceipt } from "./kept.ts";
import type { Questions } from "./messages.ts";
import { placeOf, provenLeaf, type LeafPlace } from "./read-leaf.ts";
import type { Found, Surroundings } from "./surroundings.ts";

type FairRound = Questions["round"]["reply"];
/** A receipt with the path by which its bet was counted. */
export type WithProof = KeptReceipt & { proof: ReplyOf<typeof fairProof> };

/** A draw, and the seed that was checked. */
interface Draw {
  seed: Uint8Array;
  beacon: string;
}

export type CheckBeacon = (rule: string, signature: string) => Promise<CheckedBeacon | null>;

/** Checks what the member's bets were paid, and that it reached the balance. */
export class Payouts {
  readonly #kept: Kept;
  readonly #heads: Heads;
  readonly #around: Surroundings;
  readonly #found: Found;
  readonly #checkBeacon: CheckBeacon;

  constructor(kept: Kept, heads: Heads, around: Surroundings, found: Found, checkBeacon: CheckBeacon) {
    this.#kept = kept;
    this.#heads = heads;
    this.#around = around;
    this.#found = found;
    this.#checkBeacon = checkBeacon;
  }

  /** Compares what was paid with what the receipt, the odds and the draw give. Left open while one of them is missing. */
  async check(kept: WithProof, opening: Leaf<"open"> | null, win: string | null): Promise<KeptReceipt> {
    const { game, round: expect } = kept;
    if (win === null) return kept;
    const receipt = parseReceipt(kept.receipt)!;
    const round = await this.#around.ask("round", { key: game, expect });
    const kind = opening?.rules ?? round?.kind ?? "";
    if (!round) return kept;
    if (round.refunded !== null) {
      const isRight = await this.#isReturned(kept, round, win);
      return isRight === undefined ? kept : this.#paid(kept, { round, draw: null }, { win, isRight });
    }
    if (!isKindKnown(kind)) return { ...kept, payout: { win, isRight: null } };
    const draw = await this.#drawOf(kept, kind, round);
    if (draw === undefined) return kept;
    const isRight = isPaid(receipt, { ...round, kind, beacon: draw.beacon }, draw.seed, win);
    const faults = round.odds?.hash === receipt.bet.odds_hash ? oddsFaults(kept.odds ?? [], kind, round.odds) : [];
    if (faults.length > 0)
      await this.#found("receipt", `${kept.order} odds`, { faults, receipt: kept, round }, kept.member);
    return this.#paid(kept, { round, draw: { ...draw, seed: bytesToHex(draw.seed) } }, { win, isRight });
  }

  /** Says what was paid wrongly, and looks for the rest in the balance. */
  async #paid(kept: WithProof, shown: object, { win, isRight }: { win: string; isRight: boolean }) {
    const { order, member } = kept;
    if (!isRight) {
      const settled = await this.#settledIn(kept).catch(() => null);
      const own = settled && (await this.#paidIn(kept).catch(() => null));
      await this.#found("payout", order, { receipt: kept, ...shown, win, settled, ...own }, member);
    }
    const hasCredit = isRight && fromDecimal(win) > 0;
    const credit = kept.payout?.credit ?? "waits";
    return this.#credit({ ...kept, payout: { win, isRight, ...(hasCredit && { credit }) } }, shown);
  }

  /**
   * Whether a stake went back rightly: the log says so of a round that nothing known here says to be drawn. Undefined while
   * the log does not say it.
   */
  async #isReturned(kept: WithProof, round: FairRound, win: string): Promise<boolean | undefined> {
    const { origin, game, round: expect, proof } = kept;
    for (const log of new Set([origin, originNow(kept)])) if (await this.#kept.isDrawn(log, game, expect)) return false;
    if (proof.draw !== null) return (await this.#leafOf("draw", kept)) ? false : undefined;
    const refund = await this.#leafOf("refund", kept);
    if (refund?.kind !== "refund") return undefined;
    const { chains } = await this.#around.beacons();
    return isReturnedRightly(parseReceipt(kept.receipt)!, { round, proof, refund }, chains, win);
  }

  /** What the log says of a bet's round. Null while its files do not prove that: nothing else binds a refund. */
  async #leafOf(kind: "draw" | "refund", kept: WithProof) {
    const { proof, game, round } = kept;
    const stated = await statedBy(this.#heads, proof[kind], kept);
    const leaf = stated && !(stated.isBefore && kind === "refund") ? parseLeaf(stated.leaf) : null;
    const isIt = leaf?.kind === "draw" || leaf?.kind === "refund";
    return isIt && leaf.kind === kind && leaf.game === game && leaf.round === round ? leaf : null;
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
    const answer = await this.#around.ask("payout", { id: order }, member);
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
    const { game, round: expect, receipt } = kept;
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
    const leaf = await this.#leafOf("draw", kept);
    if (leaf?.kind !== "draw") return undefined;
    const { seed, beacon, beacon_signature, dice: opencode } = leaf;
    const anchor = await this.#kept.anchor(origin, game, day);
    const from = last ?? (anchor?.told ? { number: 0, seed: anchor.anchor } : { number, seed });
    const drawn = { key: game, expect, kind, opencode, seed, rule: bet.rule, beacon, beacon_signature, head: null };
    const faults = resultFaults(drawn, { commit: bet.commit, from, closing: null });
    if (!(await this.#isSigned(bet.rule, beacon_signature))) faults.push("beacon");
    const [fault] = faults;
    if (fault) return this.#falseDraw(fault, kept, { receipt, faults, draw: kept.proof.draw, from });
    return { seed: hexToBytes(seed), beacon };
  }

  async #isSigned(rule: string, signature: string): Promise<boolean> {
    return (await this.#checkBeacon(rule, signature))?.isGenuine ?? true;
  }

  async #falseDraw(fault: ResultFault, { game, round }: KeptReceipt, evidence: object): Promise<undefined> {
    await this.#found(FOUND_IN[fault], `${game} ${round}`, evidence);
    return undefined;
  }
}
