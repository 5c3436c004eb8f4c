import { recomputeDraw } from "#client/machines/recompute-draw.ts";
import { checkPast, isSigned } from "#client/screens/wheel/check-past.ts";
import { countUnchecked, differencesOf, isKeptBack, keepChecked, readKept } from "#client/screens/wheel/kept-pairs.ts";
import { Kept, type KeptOwn } from "#client/watch/kept.ts";
import type { Ask, Event, Question, Questions, ToPage } from "#client/watch/messages.ts";
import { evidenceOf } from "#client/watch/evidence-of.ts";
import type { Place, Shelf } from "#client/watch/shelf.ts";
import { ENDPOINTS } from "#client/watch/questions.ts";
import { openingIn } from "#client/watch/told-opening.ts";
import { memoryShelf } from "#client/watch/shelf.ts";
import { Watcher } from "#client/watch/watcher.ts";
import { siteFiles } from "#server/verify/log-files.ts";
import type * as z from "zod/mini";
import type { Endpoint, ReplyOf } from "#shared/contract/endpoint.ts";
import { lotteryInfo } from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { wheelSeeds } from "#shared/contract/wheel.ts";
import type { BeaconCheck } from "#shared/lottery/beacon.ts";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { checkEvidence } from "#shared/log/evidence/check.ts";
import { sentenceOfSaid } from "#shared/log/evidence/says.ts";
import { toIso } from "#shared/time.ts";
import { Client, isDone } from "../../support/client.ts";

const ASKED: Record<Question, Endpoint<z.ZodMiniType, z.ZodMiniType>> = ENDPOINTS;
const NOT_THERE = 404;
const LONGEST_FILE = 1_000_000;
/** Whose pairs no phone kept. */
const NOBODY = "mem_0";
const PAGE = "https://house.example/Proof";

/** What the house answers in place of the truth. Null: it has no such thing. */
type Lies = {
  [Q in Question]?: (truth: Questions[Q]["reply"] | null, input: Questions[Q]["input"]) => Questions[Q]["reply"] | null;
};

/** What a phone kept, at one moment. */
export type Memory = readonly (readonly [Place, unknown])[];

/** A shelf whose content can be taken along. */
class RememberingShelf implements Shelf {
  readonly isLasting = true;
  readonly #shelf = memoryShelf();
  readonly #places = new Map<string, Place>();

  get: Shelf["get"] = (place) => this.#shelf.get(place);
  list: Shelf["list"] = (place) => this.#shelf.list(place);
  write: Shelf["write"] = async (change) => {
    for (const [place] of change.put ?? []) this.#places.set(JSON.stringify(place), place);
    await this.#shelf.write(change);
  };

  async memory(): Promise<Memory> {
    const all = await Promise.all(
      [...this.#places.values()].map(async (place) => [place, await this.get(place)] as const),
    );
    return all.filter(([, what]) => what !== undefined);
  }
}

interface Owner {
  token: string;
  /** As the API names them. */
  member: string;
}

/** The app's own checks, driven without a screen, on what a phone kept and what a site really answers. */
export class Phone {
  /** The site that it talks to now. */
  address: string;
  readonly owner: Owner | null;
  readonly watcher: Watcher;
  readonly told: ToPage[] = [];
  /** Answers that a changed server gives. */
  lies: Lies = {};
  /** Who knows the key of the beacons' chain. */
  beacons: BeaconCheck = QUICKNET_BEACONS;
  /** How far its clock has moved on since the site stood still. */
  aheadMs = 0;
  /** Whether it kept the member's pairs, which lie in another store than the rest. */
  hasPairs = true;
  /** Whether it is given the log's files. */
  hasFiles = true;
  readonly #shelf = new RememberingShelf();
  #later: (() => Promise<void>)[] = [];
  #knownLeaves = 0;

  private constructor(address: string, owner: Owner | null, now: () => number) {
    this.address = address;
    this.owner = owner;
    this.watcher = new Watcher(this.#shelf, {
      ask: this.#ask,
      read: async (path) => {
        if (!this.hasFiles) throw new Error(`no file ${path}`);
        return (await siteFiles(this.address).read(path, LONGEST_FILE))!;
      },
      now: () => now() + this.aheadMs,
      beacons: async () => this.beacons,
      later: (_within, work) => void this.#later.push(work),
      tell: (said) => void this.told.push(said),
      // It compares every result with the log, as one of many phones does.
      random: () => 0,
    });
  }

  static async begin(
    address: string,
    owner: Owner | null,
    now: () => number,
    memory: Memory = [],
    since: number | null = null,
  ): Promise<Phone> {
    const phone = new Phone(address, owner, now);
    await phone.#shelf.write({ put: memory });
    await phone.watcher.begin(since);
    phone.#knownLeaves = memory.reduce((most, [[kind], what]) => {
      return kind === "own" ? Math.max(most, (what as KeptOwn).number) : most;
    }, 0);
    return phone;
  }

  memory = (): Promise<Memory> => this.#shelf.memory();

  async hear(...events: Event[]): Promise<void> {
    for (const event of events) await this.watcher.happen(event);
  }

  /** Does all that was left for a random moment. What the house does not answer is left, as in the app. */
  async wait(): Promise<void> {
    while (this.#later.length > 0) for (const work of this.#later.splice(0)) await work().catch(() => undefined);
  }

  /** A visit: the app is opened, shows a game and the member's balance, and checks what it left for later. */
  async visit(game: string): Promise<void> {
    const reply = await this.#ask("head", {});
    if (reply?.head) await this.hear({ type: "head", head: reply.head });
    const opening = openingIn(await this.client.must(lotteryInfo, { key: game }));
    if (opening) await this.hear(opening);
    await this.hear({ type: "member", member: this.owner?.member ?? "" });
    await this.readBalance();
    await this.wait();
  }

  /** Why the member's session was ended, as the app shows it, and what this phone still keeps of them. */
  async ended(): Promise<string[]> {
    const answer = await this.client.ask(getUserInfo);
    if (isDone(answer)) return [];
    const { own, bets } = await this.watcher.answer("report", { member: this.owner?.member ?? "", page: PAGE });
    return [`ended: ${answer.msg}; ${own.count} lines and ${bets.counted} bets are kept`];
  }

  /** The app reads the member's balance, with which the end of their chain comes. */
  async readBalance(): Promise<void> {
    if (!this.owner) return;
    const answer = await this.client.ask(getUserInfo);
    if (!isDone(answer)) return;
    const { chain, balance_note: note, version, money } = answer.data;
    const { member } = this.owner;
    await this.hear({ type: "chain", member, note: chain }, { type: "balance", member, note, version, money });
  }

  /** What the member's own page lists that this phone did not know when it began: what was done in their name. */
  async newOwn(): Promise<string[]> {
    const { own } = await this.watcher.answer("report", { member: this.owner?.member ?? "", page: PAGE });
    return own.newest.filter(({ number }) => number > this.#knownLeaves).map(({ content }) => `own: ${content}`);
  }

  get client(): Client {
    return new Client(this.address, this.owner?.token);
  }

  /** The screen "Check a draw". */
  async checkDraw(game: string, expect: string): Promise<string[]> {
    const [round, anchors] = [
      await this.#ask("round", { key: game, expect }),
      await this.#ask("anchors", { key: game }),
    ];
    if (!round || round.seed === null || round.opencode === null || round.commit === null) return [];
    const {
      seed,
      commit,
      opencode: dice,
      kind,
      index,
      rule,
      beacon,
      beacon_signature: signature,
      closes,
      odds,
    } = round;
    const anchor = anchors?.find(({ day }) => day === expect.slice(0, 8))?.anchor ?? "";
    const place = { gameKey: game, kind, round: expect, index, anchor, due: round.due };
    const opening = await this.watcher.answer("opening", { game, round: expect });
    const drawn = { ...place, commit, seed, dice, rule, beacon, signature, closes, odds, opening };
    const { failed } = await recomputeDraw(drawn, async () => {}, QUICKNET_BEACONS);
    return failed.map((one) => `draw: ${one}`);
  }

  /** The wheel's screen: what is shown otherwise than it was kept, and the pair whose seed is public. */
  async checkWheel(change = (seeds: ReplyOf<typeof wheelSeeds>) => seeds): Promise<string[]> {
    if (!this.owner) return [];
    const answer = await this.client.ask(wheelSeeds);
    if (!isDone(answer)) return [];
    const shown = change(answer.data);
    const seeds = this.hasPairs ? shown : { ...shown, member: NOBODY };
    const found = differencesOf(seeds).map((one) => `wheel: ${one}`);
    if (isKeptBack(seeds)) found.push("wheel: unshown");
    if (countUnchecked(seeds) > 0) found.push("wheel: unchecked");
    const { previous } = seeds;
    if (!previous) return found;
    const kept = readKept(seeds.member).find((one) => one.number === previous.number);
    const signed = await this.watcher.answer("spins", { member: this.owner.member, pair: previous.number });
    const checks = checkPast(previous, kept, signed.spins);
    if (!checks.commit) found.push("wheel: seed");
    if (!checks.complete) found.push("wheel: spins");
    if (!checks.table) found.push("wheel: table");
    if (checks.wrong.length > 0) found.push("wheel: prize");
    const isRead = signed.isWhole && isSigned(previous, signed.spins);
    if (!isRead) found.push("wheel: unsigned");
    if (isRead && checks.isGood) keepChecked(seeds.member, previous.number);
    return found;
  }

  async found(): Promise<string[]> {
    return (await new Kept(this.#shelf).findings(this.owner?.member ?? "")).map(({ kind }) => `found: ${kind}`);
  }

  /** What the screen says that the house has not answered for long, and what the file of evidence then holds. */
  async unchecked(): Promise<string[]> {
    const report = await this.watcher.answer("report", { member: this.owner?.member ?? "", page: PAGE });
    const { log, bets, own } = report.unchecked;
    const file = checkEvidence(new TextEncoder().encode(evidenceOf(report, PAGE, Date.now())));
    if ("refused" in file) throw new Error(file.refused);
    const said = file.judged.flatMap((one) => one.said).map(sentenceOfSaid);
    return [
      ...(log ? [`unchecked: the log, since ${toIso(log.since)}`] : []),
      ...(bets?.receipts ?? []).map(({ order, tried }) => `unchecked: ${order}, since ${toIso(tried!.since)}`),
      ...(own ? [`unchecked: my lines, since ${toIso(own.promised!.tried!.since)}`] : []),
      ...said.filter((one) => /owes/.test(one)).map((one) => `in the file: ${one}`),
    ];
  }

  /** What the screen says beside findings, once all was compared: rounds whose closing came too late, what the browser forgot. */
  async counted(): Promise<{ untold: number; lost: boolean }> {
    await this.wait();
    const { untold, lost } = await this.watcher.answer("report", { member: this.owner?.member ?? "", page: PAGE });
    return { untold, lost: lost !== null };
  }

  /** The newest head, as the address that another phone's camera reads. Null where the phone took none for true. */
  async code(): Promise<string | null> {
    return (await this.watcher.answer("report", { member: this.owner?.member ?? "", page: PAGE })).address;
  }

  readonly #ask: Ask = async (question, input, ..._of) => {
    const lie = this.lies[question] as ((truth: unknown, input: unknown) => never) | undefined;
    const truth = await this.#truth(question, input);
    return lie ? lie(truth, input) : truth;
  };

  async #truth<Q extends Question>(question: Q, input: Questions[Q]["input"]): Promise<Questions[Q]["reply"] | null> {
    const answer = await this.client.ask(ASKED[question], input);
    if (isDone(answer)) return answer.data as Questions[Q]["reply"];
    if (answer.code === NOT_THERE) return null;
    throw new Error(`${question} was answered ${answer.code}`);
  }
}
