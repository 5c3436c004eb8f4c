import type { ToldClosing } from "#shared/contract/events.ts";
import { headAddress } from "#shared/log/address.ts";
import { namedBeacon } from "#shared/lottery/beacon.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { Anchors } from "./anchors.ts";
import { askingFor } from "./answers.ts";
import { Balances } from "./balances.ts";
import { Bets, unansweredFor } from "./bets.ts";
import { originNow } from "./carried.ts";
import { Chains } from "./chains.ts";
import { Doubts } from "./doubts.ts";
import { falseReturns } from "#shared/lottery/shown-odds.ts";
import { isClosingTrue, shownClosing } from "./check-closing.ts";
import { readHead } from "./check-head.ts";
import { HeadTimes } from "./head-times.ts";
import { checkBeacon, type CheckedBeacon } from "./check-result.ts";
import { Heads } from "./heads.ts";
import { Unproven } from "./unproven.ts";
import type { Finding } from "#shared/log/evidence/finding.ts";
import { betIn, isAbout, nameOf, OF_ANSWERS } from "./finding.ts";
import { LostBets } from "./lost-bets.ts";
import { Kept, type KeptClosing, type KeptReceipt } from "./kept.ts";
import { keyOfHead } from "./keys.ts";
import { checkOwnExport, heldNow } from "./check-own-export.ts";
import { isTableTold } from "./told-tables.ts";
import { OwnClock, type Moment } from "./own-clock.ts";
import type {
  Event,
  OrderReport,
  PairState,
  Request,
  Requests,
  SettledOrder,
  UncheckedReport,
  WatchReport,
} from "./messages.ts";
import { hasForm } from "./pushes.ts";
import { Rounds } from "./rounds.ts";
import type { Shelf } from "./shelf.ts";
import { Signing } from "./signing.ts";
import type { Found, Surroundings } from "./surroundings.ts";
import { droppedBets, tidy } from "./tidy.ts";
import { unjudgedOf } from "./unjudged.ts";

/** Closings whose arrival is remembered: those of the games on the screen. */
const MOST_REACHED = 10;

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
  readonly #bets: Bets;
  readonly #lostBets: LostBets;
  readonly #rounds: Rounds;
  readonly #signing: Signing;
  readonly #doubts: Doubts;
  readonly #around: Surroundings;
  readonly #clock = new OwnClock();
  /** When the closings of rounds that wait for their results reached this page. */
  readonly #reached = new Map<string, Moment>();
  readonly #unproven: Unproven;
  /** The beacon that was checked last. */
  #beacon: { rule: string; signature: string; checked: CheckedBeacon | null } | null = null;

  constructor(shelf: Shelf, surroundings: Surroundings) {
    const around = { ...surroundings, ask: askingFor(surroundings.ask) };
    this.#kept = new Kept(shelf);
    this.#around = around;
    const times = new HeadTimes(around);
    this.#signing = new Signing(this.#kept, times);
    this.#unproven = new Unproven(this.#kept, around, (head) => this.#heads.hold(head));
    this.#heads = new Heads(this.#kept, around, this.#signing, this.#found, this.#unproven.prove);
    this.#doubts = new Doubts(this.#kept, this.#heads, around, (finding) => this.#keep(finding));
    this.#anchors = new Anchors(this.#kept, this.#heads, around, this.#found);
    this.#chains = new Chains(this.#kept, this.#heads, { ...around, times }, this.#found);
    this.#balances = new Balances(this.#kept, this.#heads, around, this.#found);
    const checkBeacon = (rule: string, signature: string) => this.#checkBeacon(rule, signature);
    this.#rounds = new Rounds(this.#kept, this.#heads, around, this.#found, {
      anchors: this.#anchors,
      unproven: this.#unproven,
      checkBeacon,
      hadReached: (game, round, ms) => this.#hadReached(game, round, ms),
    });
    const { commitOf } = this.#rounds;
    this.#bets = new Bets(this.#kept, this.#heads, around, this.#found, { commitOf, checkBeacon });
    this.#lostBets = new LostBets(this.#kept, this.#heads, around, this.#found, (one) =>
      this.#bets.checkLater({ ...one, win: null }),
    );
  }

  /** `since`: when the page last knew this device to have begun. */
  async begin(since: number | null): Promise<void> {
    const now = this.#around.now();
    if (since !== null && !(await this.#kept.currentLog())) await this.#kept.keepLost({ since, at: now });
    await tidy(this.#kept, now);
    await this.#unproven.begin();
    await this.#rounds.begin();
  }

  async happen(event: Event): Promise<void> {
    await this.#takeIn(event);
    await this.#doubts.settle();
  }

  async #takeIn(event: Event): Promise<void> {
    if (!hasForm(event)) return this.#rounds.unformed(event);
    if (event.type === "head") return void (await this.#heads.take(event.head, null, event.witnesses));
    if (event.type === "closing") return this.#close(event.told, event.at);
    if (event.type === "beacon") return this.#compareClock(event);
    if (event.type === "open") return this.#rounds.open(event);
    if (event.type === "result") return this.#rounds.result(event.result);
    if (event.type === "board") return this.#board(event);
    if (event.type === "settled") return this.#settle(event.orders);
    if (event.type === "balance") return this.#balances.take(event);
    if (event.type === "chain") return this.#own(event.member, event.note);
    if (event.type === "member") await this.#tellUnseen(event.member);
    await this.#lostBets.look(event.member);
    return this.#bets.checkOlder(event.member);
  }

  async answer<R extends Request>(request: R, input: Requests[R]["input"]): Promise<Requests[R]["reply"]>;
  async answer(request: Request, input: never): Promise<unknown> {
    const answers: { [R in Request]: (input: Requests[R]["input"]) => Promise<Requests[R]["reply"]> } = {
      take: ({ placed, receipt }) => this.#bets.take(placed, receipt),
      report: ({ member, page }) => this.#show(member, () => this.#report(member, page)),
      findings: ({ member }) => this.#show(member, () => this.#findings(member)),
      order: (bet) => this.#order(bet),
      pair: ({ member, table, ...pair }) => this.#pair(member, pair, table),
      spins: ({ member, pair }) => this.#chains.spins(member, pair),
      log: () => this.#heads.origin(),
      held: ({ member }) => heldNow(member, this.#kept),
      export: (input) =>
        checkOwnExport(input, { kept: this.#kept, heads: this.#heads, found: this.#found, doubt: this.#doubt }),
      compare: (input) => this.#balances.compare(input),
      renew: () => this.#heads.renew(),
      anchor: ({ game, day, anchor }) => this.#anchors.ageOf(game, day, anchor),
      opening: ({ game, round }) => this.#rounds.opening(game, round),
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

  /** What another log answered, that was met meanwhile, is no finding. Where it could not be met, that is open. */
  readonly #found: Found = async (...parts) => {
    const finding = await this.#asFinding(...parts);
    const standing = OF_ANSWERS.has(finding.kind) ? await this.#heads.standing(finding.origin) : "still";
    if (standing === "unclear") await this.#doubts.add(finding);
    if (standing === "still" || standing === "silent") await this.#keep(finding);
  };

  readonly #doubt: Found = async (...parts) => this.#doubts.add(await this.#asFinding(...parts));

  async #asFinding(...[kind, subject, evidence, member = "", of]: Parameters<Found>): Promise<Finding> {
    const origin = of ?? (await this.#kept.currentLog())?.origin ?? "";
    return { kind, subject, origin, member, at: this.#around.now(), evidence };
  }

  async #keep(finding: Finding): Promise<void> {
    if (await this.#kept.keepFinding(finding)) this.#tellFound(finding);
  }

  #tellFound(finding: Pick<Finding, "kind" | "subject" | "origin" | "member" | "evidence">): void {
    const { kind, member } = finding;
    const bet = betIn(finding);
    this.#around.tell({ to: "found", kind, member, ...(bet && { bet: nameOf(bet) }) });
  }

  async #own(member: string, note: string): Promise<void> {
    await this.#chains.take(member, note);
    await this.#balances.again(member);
  }

  /** What could not be checked before is tried again. */
  async #settle(orders: SettledOrder[]): Promise<void> {
    for (const order of orders) this.#bets.checkLater(order);
    const [first] = orders;
    if (first) await this.#bets.checkOlder(first.member, ({ tried }) => tried !== undefined);
  }

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
    const { key: game, expect: round, head, close, path } = told;
    const { checkpoint } = taken.head;
    const { origin } = checkpoint;
    if (!isClosingTrue(told, checkpoint)) return this.#found("closing", `${game} ${round}`, { told });
    const before = await this.#kept.closing(origin, game, round);
    if (before) {
      const shown = { before, told: shownClosing(told) };
      if (before.leaf !== close.leaf) await this.#found("otherClosing", `${game} ${round}`, shown);
      return;
    }
    // A closing that comes after its draw binds nobody.
    if (await this.#isDrawn(origin, game, round)) return;
    const at = this.#around.now();
    const closing: KeptClosing = { origin, game, round, head, size: checkpoint.size, ...close, path, at };
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

  /** A chance or a return that the payouts beside it do not give is said before anybody bets on it. */
  async #board({ game, kind, odds }: Extract<Event, { type: "board" }>): Promise<void> {
    this.#rounds.isOfKind(game, kind);
    const types = falseReturns(odds, kind);
    if (types.length > 0) await this.#found("odds", `${game} ${types.join()}`, { game, kind, types, odds });
  }

  #hadReached(game: string, round: string, ms: number): boolean {
    const reached = this.#reached.get(`${game} ${round}`);
    return reached !== undefined && this.#clock.wasBefore(reached, ms);
  }

  /** Whether words may be made: the pair's commit is told, and so is the table of the wheel. */
  async #pair(member: string, pair: { number: number; commit: string }, table: string): Promise<PairState> {
    const state = await this.#chains.pair(member, pair.number, pair.commit);
    if (state !== "told" || (await isTableTold(table, this.#kept, this.#heads, this.#around))) return state;
    return "noTable";
  }

  /** What nobody has looked at is said again at the next visit. */
  async #tellUnseen(member: string): Promise<void> {
    const finding = await this.#kept.unseen(member);
    if (finding) this.#tellFound(finding);
  }

  async #order({ member, order, origin }: Requests["order"]["input"]): Promise<OrderReport | null> {
    const kept = this.#kept;
    const judged =
      origin === null ? await kept.newestReceipt(member, order) : await kept.receipt(member, origin, order);
    const receipt = judged ?? (await unjudgedOf(kept, member, order))[0];
    if (!receipt) return null;
    const closing = (await kept.closing(originNow(receipt), receipt.game, receipt.round)) ?? null;
    const findings = (await kept.findings(member)).filter((one) => isAbout(receipt, one));
    const unansweredSince = unansweredFor(receipt);
    return { receipt, closing, findings, unansweredSince, logs: await kept.logsOf([...findings, receipt]) };
  }

  /** What a screen gets to show counts as seen. */
  async #show<T>(member: string, work: () => Promise<T>): Promise<T> {
    const at = this.#around.now();
    const shown = await work();
    await this.#kept.keepSeen(member, at);
    return shown;
  }

  async #findings(member: string): Promise<Requests["findings"]["reply"]> {
    const findings = await this.#kept.findings(member);
    return { findings, logs: await this.#kept.logsOf(findings) };
  }

  async #report(member: string, page: string): Promise<WatchReport> {
    const log = (await this.#heads.today()) ?? null;
    const head = log && readHead(log.newest)!;
    const key = log && head && keyOfHead(log, head.checkpoint.size);
    const receipts = member === "" ? [] : await this.#kept.receipts(member);
    const findings = await this.#kept.findings(member);
    const unchecked = {
      log: (await this.#heads.unchecked()) ?? (await this.#doubts.report()),
      rounds: await this.#rounds.unchecked(),
      bets: await this.#bets.unanswered(member),
      own: await this.#chains.unanswered(member, log?.origin),
    };
    const inState = (state: KeptReceipt["state"]) => receipts.filter((one) => one.state === state).length;
    return {
      log,
      size: head?.checkpoint.size ?? 0,
      hour: await this.#heads.hour(),
      witnesses: await this.#signing.report(log),
      address: head && key && headAddress(page, head.note, key, await this.#balances.mark(member, log.origin)),
      ...(await this.#kept.counts(log?.origin ?? "")),
      days: await this.#anchors.report(log?.origin ?? ""),
      bets: {
        counted: member === "" ? 0 : await this.#kept.countedBets(member),
        waiting: inState("taken") + (member === "" ? 0 : (await unjudgedOf(this.#kept, member)).length),
        untold: inState("untold"),
        dropped: member === "" ? 0 : await droppedBets(this.#kept, member),
      },
      own: await this.#chains.report(member, log?.origin),
      findings,
      logs: await this.#kept.logsOf([...findings, ...owing(unchecked)]),
      lost: (await this.#kept.lost()) ?? null,
      unchecked,
      isLasting: this.#kept.shelf.isLasting,
    };
  }
}

/** What is unchecked, and so of which logs. */
const owing = ({ log, bets, own }: UncheckedReport): { origin: string }[] =>
  [log, own, ...(bets?.receipts ?? [])].flatMap((one) => one ?? []);
