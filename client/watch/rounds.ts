import type { Leaf } from "#shared/log/leaf.ts";
import { isOpening } from "#shared/log/terms.ts";
import { namedBeacon } from "#shared/lottery/beacon.ts";
import { isInTime } from "#shared/lottery/fairness.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import type { Anchors } from "./anchors.ts";
import { readHead } from "./check-head.ts";
import { bringsItsOdds, isAsOpened, isAsShown, isChainKnown, termsText, type ShownOpening } from "./check-opening.ts";
import { FOUND_IN, isKindKnown, isSignedBefore, resultFaults, type CheckedBeacon } from "./check-result.ts";
import type { Heads } from "./heads.ts";
import type { Kept, KeptLog, KeptSeed, RoundChecked } from "./kept.ts";
import type { Event, ToldOpening, ToldResult } from "./messages.ts";
import { placeNamed } from "./pushes.ts";
import { placeOf, provenLeaf, type LeafPlace } from "./read-leaf.ts";
import type { Found, Surroundings } from "./surroundings.ts";
import type { Unproven } from "./unproven.ts";
import { Waiting, type KeptWaiting } from "./waiting.ts";

/** The anchor of a day is looked up soon after the day's first round on the screen. */
const SPREAD_MS = 10_000;
/** Openings that are remembered of each game: the open round's, and that of the round being drawn. */
const MOST_OPENINGS = 3;
/** Of so many results, one is compared with the log though its opening was seen: nobody knows which. */
const ONE_OF = 10;
/** Rounds that wait are tried again so many at a time. */
const MOST_AGAIN = 5;

/** What the log proves that a round opened with. */
interface LoggedOpening {
  open: Leaf<"open">;
  place: LeafPlace;
  /** Whether its times are those of its place in the day. */
  isInTime: boolean;
}

interface Others {
  anchors: Anchors;
  unproven: Unproven;
  checkBeacon(rule: string, signature: string): Promise<CheckedBeacon | null>;
  /** Whether the closing of a round had reached this device before that time. */
  hadReached(game: string, round: string, ms: number): boolean;
}

/** A result that contradicts nothing. */
interface Judged {
  round: string;
  seed: KeptSeed;
  checked: RoundChecked;
}

/** Remembers what rounds opened with, and checks that their results follow from it. */
export class Rounds {
  readonly #kept: Kept;
  readonly #heads: Heads;
  readonly #around: Surroundings;
  readonly #found: Found;
  readonly #others: Others;
  readonly #waiting: Waiting;
  readonly #openings = new Map<string, Map<string, ShownOpening>>();
  /** The kinds that each game was said to be of. */
  readonly #kinds = new Map<string, Set<string>>();
  /** Logs, games and days whose anchors were asked for. */
  readonly #asked = new Set<string>();
  /** Rounds that are about to be looked up. */
  readonly #underWay = new Set<string>();
  #isTold = false;

  constructor(kept: Kept, heads: Heads, around: Surroundings, found: Found, others: Others) {
    this.#kept = kept;
    this.#heads = heads;
    this.#around = around;
    this.#found = found;
    this.#others = others;
    this.#waiting = new Waiting(kept, around.now);
  }

  /** Goes on with those of earlier visits. */
  async begin(): Promise<void> {
    await this.#waiting.tidy();
    await this.#tryAgain();
  }

  /** The results that could not be checked for long. */
  unchecked = () => this.#waiting.report();

  /** The commit that a round showed; null if it was not seen. */
  commitOf = (game: string, round: string): string | null => this.#openings.get(game)?.get(round)?.commit ?? null;

  /** What the house pushes in no form that it may have. Whatever it says, nothing of it is checked. */
  async unformed(event: Event): Promise<void> {
    const origin = (await this.#kept.currentLog())?.origin ?? "";
    await this.#waiting.add({ origin, ...placeNamed(event), result: null, isTold: false, isNew: false, isOdd: true });
    this.#tell();
  }

  #tell(): void {
    if (!this.#isTold) this.#around.tell({ to: "found", kind: "unchecked", member: "" });
    this.#isTold = true;
  }

  /** The kind that a game is shown as. */
  isOfKind(game: string, kind: string): void {
    this.#kinds.set(game, (this.#kinds.get(game) ?? new Set<string>()).add(kind));
  }

  /** A round has one opening. Its beacon and its close are as fixed as its commit. */
  async open(told: ToldOpening): Promise<void> {
    const { key: game, expect: round } = told;
    if (told.kind !== undefined) this.isOfKind(game, told.kind);
    const origin = (await this.#heads.today())?.origin ?? "";
    const openings = this.#openings.get(game) ?? new Map<string, ShownOpening>();
    this.#openings.set(game, openings);
    const before = openings.get(round);
    const isOther =
      before && (before.origin === origin ? termsText(before) !== termsText(told) : before.commit !== told.commit);
    if (isOther)
      return this.#found("otherCommit", `${game} ${round}`, { game, round, before: termsText(before), now: told });
    if (before?.origin !== origin) openings.set(round, { ...told, origin });
    if (openings.size > MOST_OPENINGS) openings.delete(openings.keys().next().value!);
    this.#askAnchor(origin, game, round.slice(0, 8));
  }

  #askAnchor(origin: string, game: string, day: string): void {
    const name = `${origin} ${game} ${day}`;
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    // What no head holds yet is asked for again at the next round.
    this.#around.later(SPREAD_MS, async () => {
      if (!(await this.#others.anchors.keep(game, day).catch(() => false))) this.#asked.delete(name);
    });
  }

  /** The opening as it was told while the round took bets, by the log of now. */
  #shown({ key, expect }: ToldResult, origin: string): ShownOpening | null {
    const shown = this.#openings.get(key)?.get(expect);
    return shown?.origin === origin ? shown : null;
  }

  /**
   * Checks a result against what was told before. Where its opening was not seen while it took bets, and now and then
   * anyway, it counts only once the log has proved the opening.
   */
  async result(result: ToldResult): Promise<void> {
    const log = await this.#heads.today();
    if (!log) return;
    const place = parseRound(result.expect);
    if (!place) return this.unformed({ type: "result", result });
    const [{ origin }, { key: game, expect: round }] = [log, result];
    await this.#tryAgain();
    const isWaiting = await this.#waiting.has({ origin, game, round });
    const isTold = (await this.#kept.closing(origin, game, round)) !== undefined;
    const last = await this.#kept.seed(origin, game, round.slice(0, 8));
    const isNew = !isWaiting && place.number > (last?.number ?? 0);
    const wait = async (isOdd: boolean) =>
      this.#lookUp(await this.#waiting.add({ origin, game, round, result, isTold, isNew, isOdd }));
    const isReadable = await this.#isReadable(result).catch(() => null);
    if (isReadable === false) this.#tell();
    if (!isReadable) return isNew || isReadable === false ? wait(isReadable === false) : undefined;
    const judged = await this.#judge(log, result, isTold, null);
    if (!judged || !isNew) return;
    if (this.#shown(result, origin)?.isOpen && this.#around.random() * ONE_OF >= 1) return this.#count(judged);
    await this.#kept.keepSeed(judged.seed, null);
    await wait(false);
  }

  /** Whether this page knows the rules and the beacon by which a result is to be checked, and shows the game by those rules. */
  async #isReadable({ key, kind, rule }: ToldResult): Promise<boolean> {
    const isShown = [...(this.#kinds.get(key) ?? [])].every((one) => one === kind);
    return isShown && isKindKnown(kind) && isChainKnown(rule, await this.#chains(rule));
  }

  /** What knows the chains comes with the arithmetic of their signatures, so only rounds with a beacon ask for it. */
  #chains = async (rule: string) => (namedBeacon(rule) === null ? [] : (await this.#around.beacons()).chains);

  /** Null for a result that contradicts what was told or logged before: that is said. */
  async #judge(
    log: KeptLog,
    result: ToldResult,
    wasTold: boolean,
    logged: LoggedOpening | null,
  ): Promise<Judged | null> {
    const [{ origin }, { key: game, expect: round }] = [log, result];
    const [number, day] = [parseRound(round)!.number, round.slice(0, 8)];
    const last = await this.#kept.seed(origin, game, day);
    const { anchors } = this.#others;
    if (!last && !(await anchors.of(origin, game, day))) await anchors.keep(game, day).catch(() => false);
    const anchor = await anchors.of(origin, game, day);
    // Without any of them the chain that is checked begins here. Its day is said to be unproved.
    const from = last ?? { number: anchor ? 0 : number, seed: anchor?.anchor ?? result.seed };
    const closing = (wasTold && (await this.#kept.closing(origin, game, round))) || null;
    const shown = this.#shown(result, origin);
    const commit = shown?.commit ?? null;
    const beacon = await this.#others.checkBeacon(result.rule, result.beacon_signature);
    const faults = resultFaults(result, { commit, from, closing });
    if (beacon && !beacon.isGenuine && !faults.includes("beacon")) faults.push("beacon");
    if (!(await this.#isOfTerms(result, shown, logged))) faults.push("terms");
    const evidence = { result, commit, from, anchor, closing, shown, ...(logged && { opening: logged.place }) };
    for (const fault of faults) await this.#found(FOUND_IN[fault], `${game} ${round}`, evidence);
    if (faults.length > 0) return null;
    const isEarly = beacon !== null && isSignedBefore(closing?.by ?? [], beacon.at);
    const isHereEarly = beacon !== null && this.#others.hadReached(game, round, beacon.at);
    const checked = { isTold: closing !== null, hasBeacon: beacon !== null, isEarly, isHereEarly };
    const seed = { origin, game, day, number, seed: result.seed };
    return { round, seed, checked };
  }

  async #isOfTerms(result: ToldResult, shown: ShownOpening | null, logged: LoggedOpening | null): Promise<boolean> {
    const chains = await this.#chains(result.rule);
    if (shown && !isAsShown(result, shown, chains)) return false;
    return !logged || (logged.isInTime && isAsOpened(result, logged.open, shown, chains));
  }

  /** Counts a round. One that was checked late does not hide the later one that was checked before. */
  async #count({ round, seed: own, checked }: Judged): Promise<void> {
    const { origin, game, day } = own;
    const last = await this.#kept.seed(origin, game, day);
    const seed = last && last.number > own.number ? last : own;
    const closing = checked.isTold ? await this.#kept.closing(origin, game, round) : undefined;
    if (closing?.isUnproven) return this.#others.unproven.keepSeed(seed, closing, checked);
    return this.#kept.keepSeed(seed, checked, own.number);
  }

  /** What could not be read before is looked for again. */
  async #tryAgain(): Promise<void> {
    const waiting = (await this.#waiting.all()).filter(({ result }) => result !== null);
    for (const one of waiting.toSorted((a, b) => a.at - b.at).slice(0, MOST_AGAIN)) this.#lookUp(one);
  }

  #lookUp(waiting: KeptWaiting): void {
    const name = `${waiting.origin} ${waiting.game} ${waiting.round}`;
    if (this.#underWay.has(name)) return;
    this.#underWay.add(name);
    this.#around.later(SPREAD_MS, async () => {
      this.#underWay.delete(name);
      if (await this.#waiting.has(waiting)) await this.#compare(waiting, waiting.result!);
    });
  }

  /** Compares a result with the opening of its round in the log. It waits on while that cannot be read. */
  async #compare(waiting: KeptWaiting, result: ToldResult): Promise<void> {
    const { origin, game, round, isTold } = waiting;
    const log = await this.#kept.currentLog();
    // What became of a round of a log before this one, the new log cannot say.
    if (log?.origin !== origin) return this.#waiting.drop(waiting);
    const logged = await this.#read(game, round).catch(() => null);
    if (!logged) return this.#waiting.noteTried(waiting);
    const { open, place: opening } = logged;
    if (open.rules !== result.kind) {
      await this.#waiting.drop(waiting);
      return this.#found("otherCommit", `${game} ${round}`, { result, closing: null, opening });
    }
    if (!(await this.#isReadable(result).catch(() => false))) return this.#waiting.noteTried(waiting);
    const judged = await this.#judge(log, result, isTold, logged);
    await this.#waiting.drop(waiting);
    if (judged && waiting.isNew) await this.#count(judged);
  }

  /** What a round opened with, as the log proves it. Null while it does not. */
  async opening(game: string, round: string): Promise<Leaf<"open"> | null> {
    if (!(await this.#heads.today())) return null;
    return (await this.#prove(game, round).catch(() => null))?.open ?? null;
  }

  /** The same, with the odds that say when it had to close. */
  async #read(game: string, round: string): Promise<LoggedOpening | null> {
    const proven = await this.#prove(game, round);
    if (!proven || !bringsItsOdds(proven.open, proven.odds)) return null;
    return { ...proven, isInTime: isInTime(proven.open, proven.odds) };
  }

  /** The house says where its opening stands. The log's own files prove it, in the newest head that is kept. */
  async #prove(game: string, round: string) {
    const answer = await this.#around.ask("round", { key: game, expect: round });
    const number = answer?.logged?.open;
    if (!answer || typeof number !== "number") return null;
    const newest = async () => readHead((await this.#kept.currentLog())!.newest)!;
    if (number >= (await newest()).checkpoint.size) await this.#heads.renew();
    const head = await newest();
    const proven = await provenLeaf(number, head, this.#around.read);
    if (!proven || !isOpening(proven.leaf, { game, round })) return null;
    return { open: proven.leaf, place: placeOf(head, number, proven), odds: answer.odds };
  }
}
