import type { ToldClosing } from "#shared/contract/events.ts";
import { headAddress } from "#shared/log/address.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { namedBeacon } from "#shared/lottery/beacon.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { Anchors } from "./anchors.ts";
import { Balances } from "./balances.ts";
import { Chains } from "./chains.ts";
import { falseReturns, oddsFaults } from "#shared/lottery/shown-odds.ts";
import { countedFaults, isPaid, isReturnedRightly, takenFaults, type PlacedBet } from "./check-bet.ts";
import { isClosingTrue } from "./check-closing.ts";
import { readHead } from "./check-head.ts";
import {
  checkBeacon,
  isKindKnown,
  isSignedBefore,
  resultFaults,
  seedAt,
  type CheckedBeacon,
  type ResultFault,
} from "./check-result.ts";
import { Heads } from "./heads.ts";
import { Unproven } from "./unproven.ts";
import { OF_ANSWERS, type FindingKind } from "./finding.ts";
import { Kept, type KeptClosing, type KeptLog, type KeptReceipt } from "./kept.ts";
import { keyOfBatch, keyOfHead } from "./keys.ts";
import { checkOwnExport, heldNow } from "./check-own-export.ts";
import { isTableTold } from "./told-tables.ts";
import { OwnClock, type Moment } from "./own-clock.ts";
import type { Event, OrderReport, PairState, Request, Requests, SettledOrder, Taken, WatchReport } from "./messages.ts";
import type { Shelf } from "./shelf.ts";
import { Signing } from "./signing.ts";
import type { Found, Surroundings } from "./surroundings.ts";

/** A member's bets are checked in a random moment of the minute after the result. */
const MINUTE_MS = 60_000;
/** The anchor of a day is looked up soon after the day's first round on the screen. */
const SPREAD_MS = 10_000;
/** Commits that are remembered of each game: the open round's, and that of the round being drawn. */
const MOST_COMMITS = 3;
/** Closings whose arrival is remembered: those of the games on the screen. */
const MOST_REACHED = 10;
/** Bets of earlier visits that are checked at once. */
const MOST_AT_ONCE = 20;

const FOUND_IN: Record<ResultFault, FindingKind> = {
  seed: "seed",
  chain: "seed",
  commit: "otherCommit",
  dice: "dice",
  beacon: "dice",
  head: "lateHead",
};

/**
 * Keeps what the house said, and checks whether what it says later agrees. It sits in a worker beside the page. The
 * page only passes on what came.
 */
export class Watcher {
  readonly #kept: Kept;
  readonly #heads: Heads;
  readonly #anchors: Anchors;
  readonly #chains: Chains;
  readonly #balances: Balances;
  readonly #signing: Signing;
  readonly #around: Surroundings;
  readonly #isLasting: boolean;
  readonly #commits = new Map<string, Map<string, string>>();
  readonly #clock = new OwnClock();
  /** When the closings of rounds that wait for their results reached this page. */
  readonly #reached = new Map<string, Moment>();
  readonly #unproven: Unproven;
  /** The beacon that was checked last. */
  #beacon: { rule: string; signature: string; checked: CheckedBeacon | null } | null = null;
  /** Games and days whose anchors were asked for. */
  readonly #asked = new Set<string>();

  constructor(shelf: Shelf, around: Surroundings) {
    this.#kept = new Kept(shelf);
    this.#isLasting = shelf.isLasting;
    this.#around = around;
    this.#signing = new Signing(this.#kept);
    this.#unproven = new Unproven(this.#kept, around, (head) => this.#heads.hold(head));
    this.#heads = new Heads(this.#kept, around, this.#signing, this.#found, this.#unproven.prove);
    this.#anchors = new Anchors(this.#kept, this.#heads, around, this.#found);
    this.#chains = new Chains(this.#kept, this.#heads, around, this.#found);
    this.#balances = new Balances(this.#kept, this.#heads, this.#found);
  }

  /** `since`: when the page last knew this device to have begun. */
  async begin(since: number | null): Promise<void> {
    const now = this.#around.now();
    if (since !== null && !(await this.#kept.currentLog())) await this.#kept.keepLost({ since, at: now });
    await this.#kept.tidy(now);
    await this.#unproven.begin();
  }

  async happen(event: Event): Promise<void> {
    if (event.type === "head") return void (await this.#heads.take(event.head, null, event.witnesses));
    if (event.type === "closing") return this.#close(event.told, event.at);
    if (event.type === "beacon") return this.#compareClock(event);
    if (event.type === "open") return this.#open(event);
    if (event.type === "result") return this.#result(event.result);
    if (event.type === "board") return this.#board(event);
    if (event.type === "settled") return event.orders.forEach((order) => this.#countLater(order));
    if (event.type === "balance") return this.#balances.take(event);
    if (event.type === "chain") return this.#chains.take(event.member, event.note);
    await this.#tellUnseen(event.member);
    return this.#countOlder(event.member);
  }

  async answer<R extends Request>(request: R, input: Requests[R]["input"]): Promise<Requests[R]["reply"]>;
  async answer(request: Request, input: never): Promise<unknown> {
    const answers: { [R in Request]: (input: Requests[R]["input"]) => Promise<Requests[R]["reply"]> } = {
      take: ({ placed, receipt }) => this.#take(placed, receipt),
      report: ({ member, page }) => this.#report(member, page),
      order: ({ member, order }) => this.#order(member, order),
      pair: ({ member, table, ...pair }) => this.#pair(member, pair, table),
      held: ({ member }) => heldNow(member, this.#kept),
      export: (input) => checkOwnExport(input, { kept: this.#kept, heads: this.#heads, found: this.#found }),
      compare: (input) => this.#balances.compare(input),
      renew: () => this.#heads.renew(),
      anchor: ({ game, day, anchor }) => this.#anchors.ageOf(game, day, anchor),
      beacon: async ({ rule, signature }) => {
        const named = namedBeacon(rule);
        return named !== null && (await this.#around.beacons()).isSigned(named, signature);
      },
      forget: async ({ member }) => {
        await this.#kept.forgetMember(member);
        return true;
      },
    };
    return answers[request](input);
  }

  readonly #found: Found = async (kind, subject, evidence, member = "") => {
    const origin = (await this.#kept.currentLog())?.origin ?? "";
    if (OF_ANSWERS.has(kind) && !(await this.#heads.isStill(origin))) return;
    const isNew = await this.#kept.keepFinding({ kind, subject, origin, member, at: this.#around.now(), evidence });
    if (isNew) this.#around.tell({ to: "found", kind, member });
  };

  async #compareClock({ rule, signature, at }: Extract<Event, { type: "beacon" }>): Promise<void> {
    const beacon = await this.#checkBeacon(rule, signature);
    if (beacon?.isGenuine) this.#clock.compare(beacon.at, at);
  }

  /** A beacon comes twice: by itself, and with the result. Its signature is checked once. */
  async #checkBeacon(rule: string, signature: string): Promise<CheckedBeacon | null> {
    if (namedBeacon(rule) === null) return null;
    const isKnown = this.#beacon?.rule === rule && this.#beacon.signature === signature;
    const checked = isKnown ? this.#beacon!.checked : checkBeacon(rule, signature, await this.#around.beacons());
    this.#beacon = { rule, signature, checked };
    return checked;
  }

  async #close(told: ToldClosing, reached: Moment): Promise<void> {
    const taken = await this.#heads.take(told.head, told.consistency);
    if (!taken) return;
    const { key: game, expect: round, head } = told;
    const { checkpoint } = taken.head;
    const { origin } = checkpoint;
    if (!isClosingTrue(told, checkpoint)) return this.#found("closing", `${game} ${round}`, { told });
    const before = await this.#kept.closing(origin, game, round);
    if (before) {
      if (before.leaf !== told.close.leaf) await this.#found("otherClosing", `${game} ${round}`, { before, told });
      return;
    }
    // A closing that comes after its draw binds nobody.
    if (await this.#isDrawn(origin, game, round)) return;
    const at = this.#around.now();
    const closing: KeptClosing = { origin, game, round, head, size: checkpoint.size, ...told.close, at };
    if (!taken.isProven) this.#unproven.add(closing);
    await this.#kept.keepClosing(closing);
    this.#reached.set(`${game} ${round}`, reached);
    if (this.#reached.size > MOST_REACHED) this.#reached.delete(this.#reached.keys().next().value!);
    this.#signing.waitFor(closing);
  }

  async #isDrawn(origin: string, game: string, round: string): Promise<boolean> {
    const seed = await this.#kept.seed(origin, game, round.slice(0, 8));
    return seed !== undefined && seed.number >= (parseRound(round)?.number ?? 0);
  }

  async #open({ key, expect, commit }: Extract<Event, { type: "open" }>): Promise<void> {
    const commits = this.#commits.get(key) ?? new Map<string, string>();
    this.#commits.set(key, commits);
    const before = commits.get(expect);
    if (before !== undefined && before !== commit)
      return this.#found("otherCommit", `${key} ${expect}`, { game: key, round: expect, before, now: commit });
    commits.set(expect, commit);
    if (commits.size > MOST_COMMITS) commits.delete(commits.keys().next().value!);
    const day = expect.slice(0, 8);
    const name = `${key} ${day}`;
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    // What no head holds yet is asked for again at the next round.
    this.#around.later(SPREAD_MS, async () => {
      if (!(await this.#anchors.keep(key, day).catch(() => false))) this.#asked.delete(name);
    });
  }

  /** A chance or a return that the payouts beside it do not give is said before anybody bets on it. */
  async #board({ game, kind, odds }: Extract<Event, { type: "board" }>): Promise<void> {
    const types = falseReturns(odds, kind);
    if (types.length > 0) await this.#found("odds", `${game} ${types.join()}`, { game, kind, types, odds });
  }

  async #result(result: Extract<Event, { type: "result" }>["result"]): Promise<void> {
    const log = await this.#heads.today();
    const number = parseRound(result.expect)?.number;
    if (!log || number === undefined || !isKindKnown(result.kind)) return;
    const [{ origin }, { key: game, expect: round }] = [log, result];
    const day = round.slice(0, 8);
    const last = await this.#kept.seed(origin, game, day);
    if (!last && !(await this.#anchors.of(origin, game, day))) await this.#anchors.keep(game, day).catch(() => false);
    const anchor = await this.#anchors.of(origin, game, day);
    // Without any of them the chain that is checked begins here. Its day is said to be unproved.
    const from = last ?? { number: anchor ? 0 : number, seed: anchor?.anchor ?? result.seed };
    const closing = (await this.#kept.closing(origin, game, round)) ?? null;
    const commit = this.#commits.get(game)?.get(round) ?? null;
    const beacon = await this.#checkBeacon(result.rule, result.beacon_signature);
    const faults = resultFaults(result, { commit, from, closing });
    if (beacon && !beacon.isGenuine && !faults.includes("beacon")) faults.push("beacon");
    for (const fault of faults)
      await this.#found(FOUND_IN[fault], `${game} ${round}`, { result, commit, from, anchor, closing });
    const isNext = number > (last?.number ?? 0);
    if (faults.length > 0 || !isNext) return;
    const reached = this.#reached.get(`${game} ${round}`);
    const isEarly = beacon !== null && isSignedBefore(closing?.by ?? [], beacon.at);
    const isHereEarly = beacon !== null && reached !== undefined && this.#clock.wasBefore(reached, beacon.at);
    const checked = { isTold: closing !== null, hasBeacon: beacon !== null, isEarly, isHereEarly };
    const seed = { origin, game, day, number, seed: result.seed };
    if (!closing?.isUnproven) return this.#kept.keepSeed(seed, checked);
    await this.#unproven.keepSeed(seed, closing, checked);
  }

  /** Compares a receipt with what the screen showed, before the app says that the bet is taken. */
  async #take(placed: PlacedBet, text: string): Promise<Taken> {
    const before = await this.#heads.today();
    const isOfOther = before && parseReceipt(text)?.origin !== before.origin;
    const met = isOfOther && !(await this.#heads.isStill(before.origin)) ? await this.#heads.today() : before;
    const log = met && (await this.#withKeyOf(text, met));
    if (!log) return "unknown";
    const { member, order, game, round } = placed;
    const commit = this.#commits.get(game)?.get(round) ?? null;
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

  /** Whether words may be made: the pair's commit is told, and so is the table of the wheel. */
  async #pair(member: string, pair: { number: number; commit: string }, table: string): Promise<PairState> {
    const state = await this.#chains.pair(member, pair.number, pair.commit);
    if (state !== "told" || (await isTableTold(table, this.#kept, this.#heads, this.#around))) return state;
    return "noTable";
  }

  /** A receipt by a key that is not known: a head names it already, if the house is honest. */
  async #withKeyOf(text: string, log: KeptLog): Promise<KeptLog | undefined> {
    const receipt = parseReceipt(text);
    const isKnown = !receipt || receipt.origin !== log.origin || receipt.keyId === keyOfBatch(log, receipt.batch).id;
    if (isKnown) return log;
    const renewed = await this.#heads.learnKeys(log);
    return renewed === undefined ? undefined : (renewed ?? log);
  }

  /** What nobody has looked at is said again at the next visit. */
  async #tellUnseen(member: string): Promise<void> {
    const finding = await this.#kept.unseen(member);
    if (finding) this.#around.tell({ to: "found", kind: finding.kind, member: finding.member });
  }

  #countLater(order: SettledOrder): void {
    this.#around.later(MINUTE_MS, () => this.#count(order));
  }

  /** Bets of earlier visits, whose results this device did not see come. */
  async #countOlder(member: string): Promise<void> {
    if (member === "") return;
    const isWaiting = ({ state, at }: KeptReceipt) => state === "taken" && at < this.#around.now() - MINUTE_MS;
    const waiting = (await this.#kept.receipts(member)).filter(isWaiting).slice(0, MOST_AT_ONCE);
    for (const { order } of waiting) this.#around.later(MINUTE_MS, () => this.#count({ member, order, win: null }));
  }

  /** Whether a bet is among those of the told closing, and was paid as its odds say. */
  async #count({ member, order, win }: Omit<SettledOrder, "win"> & { win: string | null }): Promise<void> {
    // What became of a bet of a log before this one, the new log cannot say.
    const origin = (await this.#kept.currentLog())?.origin;
    const kept = origin !== undefined && (await this.#kept.receipt(member, origin, order));
    if (!kept || kept.state !== "taken") return;
    const { game, round } = kept;
    const told = await this.#kept.closing(origin, game, round);
    const isProven = told && (!told.isUnproven || (await this.#heads.hold(told.head)) !== null);
    const closing = isProven ? told : undefined;
    const proof = await this.#around.ask("proof", { id: order });
    const receipt = parseReceipt(kept.receipt)!;
    if (!proof)
      return closing && this.#found("notCounted", order, { faults: ["none"], receipt: kept, closing }, member);
    const leaf = closing?.leaf ?? (proof.close && (await this.#heads.logged(proof.close)));
    if (!leaf) return;
    const faults = countedFaults(receipt, proof, leaf);
    if (faults.length > 0) {
      if (!(await this.#heads.isStill(origin))) return;
      await this.#kept.keepReceipt({ ...kept, state: "wrong", proof });
      return this.#found("notCounted", order, { faults, receipt: kept, proof, closing }, member);
    }
    const checked = win === null ? kept : await this.#pay({ ...kept, proof }, win);
    if (closing) await this.#kept.keepCounted({ ...checked, proof, state: "counted" });
    else await this.#kept.keepReceipt({ ...checked, proof, state: "untold" });
  }

  /** Compares what was paid with what the receipt, the odds and the checked seed give. */
  async #pay(kept: KeptReceipt, win: string): Promise<KeptReceipt> {
    const { origin, game, round, member, order } = kept;
    const last = await this.#kept.seed(origin, game, round.slice(0, 8));
    const { number } = parseRound(round)!;
    const receipt = parseReceipt(kept.receipt)!;
    const isChecked = last !== undefined && last.number >= number;
    const hasBeacon = namedBeacon(receipt.bet.rule) !== null;
    const shown = isChecked || hasBeacon ? await this.#around.ask("round", { key: game, expect: round }) : null;
    const isBack = shown !== null && shown.refunded !== null;
    if (!shown || !isKindKnown(shown.kind) || !(isBack || isChecked))
      return { ...kept, payout: { win, isRight: null } };
    const isRight = isBack
      ? isReturnedRightly(receipt, shown, (await this.#around.beacons()).chains, win)
      : isPaid(receipt, shown, seedAt(last!, number), win);
    const shownOtherwise =
      shown.odds?.hash === receipt.bet.odds_hash ? oddsFaults(kept.odds ?? [], shown.kind, shown.odds) : [];
    if (shownOtherwise.length > 0)
      await this.#found("receipt", `${order} odds`, { faults: shownOtherwise, receipt: kept, round: shown }, member);
    if (!isRight) await this.#found("payout", order, { receipt: kept, round: shown, seed: last, win }, member);
    return { ...kept, payout: { win, isRight } };
  }

  async #order(member: string, order: string): Promise<OrderReport | null> {
    const receipt = await this.#kept.newestReceipt(member, order);
    if (!receipt) return null;
    const closing = (await this.#kept.closing(receipt.origin, receipt.game, receipt.round)) ?? null;
    return { receipt, closing };
  }

  async #report(member: string, page: string): Promise<WatchReport> {
    const log = (await this.#heads.today()) ?? null;
    const head = log && readHead(log.newest)!;
    const key = log && head && keyOfHead(log, head.checkpoint.size);
    const receipts = member === "" ? [] : await this.#kept.receipts(member);
    await this.#kept.keepSeen(member, this.#around.now());
    const inState = (state: KeptReceipt["state"]) => receipts.filter((one) => one.state === state).length;
    return {
      log,
      size: head?.checkpoint.size ?? 0,
      hour: await this.#heads.hour(),
      witnesses: await this.#kept.witnesses(log?.origin ?? ""),
      address: head && key && headAddress(page, head.note, key, await this.#balances.mark(member, log.origin)),
      ...(await this.#kept.counts(log?.origin ?? "")),
      days: await this.#anchors.report(log?.origin ?? ""),
      bets: {
        counted: member === "" ? 0 : await this.#kept.countedBets(member),
        waiting: inState("taken"),
        untold: inState("untold"),
      },
      own: await this.#chains.report(member, log?.origin),
      findings: await this.#kept.findings(member),
      lost: (await this.#kept.lost()) ?? null,
      isLasting: this.#isLasting,
    };
  }
}
