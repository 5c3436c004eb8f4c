import type { ShownOdds } from "#shared/lottery/shown-odds.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairProof } from "#shared/contract/log.ts";
import type { Cosigner } from "#shared/log/cosignature.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import type { KnownSeed } from "#shared/lottery/seed-at.ts";
import type { EvidenceLog } from "#shared/log/evidence/file.ts";
import type { Finding } from "#shared/log/evidence/finding.ts";
import type { Restore } from "#shared/log/origins.ts";
import { withNumber, type Ranges } from "./ranges.ts";
import type { Place, Shelf } from "./shelf.ts";
import type { CreditState, KeptWitnesses, Tried } from "./states.ts";

/** A log that this device has met, by its origin. */
export interface KeptLog extends EvidenceLog {
  /** All restores since the first log that this device met, oldest first. */
  restores?: Restore[];
}

/** The anchor of a day as this device first saw it. */
export interface KeptAnchor {
  origin: string;
  game: string;
  day: string;
  anchor: string;
  at: number;
  /** Its leaf, and the size and time of the first head that holds it, once the log proved them. */
  told?: { number: number; head: number; time: number };
}

/** The newest seed of a day that was checked. */
export interface KeptSeed extends KnownSeed {
  origin: string;
  game: string;
  day: string;
  /** The numbers of the rounds whose results were checked. */
  drawn?: Ranges;
}

/** A closing as it was told before the draw. */
export interface KeptClosing {
  origin: string;
  game: string;
  round: string;
  head: string;
  size: number;
  leaf: string;
  number: number;
  path: string[];
  at: number;
  /** Its head is not proved yet to follow from what was seen. */
  isUnproven?: boolean;
  /** The round was drawn meanwhile: it counts as this once the head is proved. */
  drawn?: RoundChecked;
  /** Those who signed this head, or a later one that holds it. */
  by?: Cosigner[];
}

/**
 * `unjudged`: not compared yet with what was shown. `taken`: as it was shown. `counted`: by the told closing. `untold`: none
 * was told. `lost`: the house no longer has it.
 */
export type ReceiptState = "unjudged" | "taken" | "counted" | "untold" | "wrong" | "lost";

export interface KeptReceipt {
  origin: string;
  member: string;
  order: string;
  game: string;
  round: string;
  receipt: string;
  at: number;
  state: ReceiptState;
  /** The kind of game that the board showed, and what it showed of the chosen options. */
  kind?: string;
  odds?: readonly ShownOdds[];
  /** A later log whose house still has the bet. */
  carried?: string;
  /** The path by which it was counted. */
  proof?: ReplyOf<typeof fairProof>;
  /** It could not be checked to the end although its round is over. */
  tried?: Tried;
  /** What it won, and whether that is what its odds give; null where that could not be computed. */
  payout?: { win: string; isRight: boolean | null; credit?: CreditState };
}

/** A table of prizes in a head that follows from what was seen. */
export interface KeptTable {
  origin: string;
  hash: string;
  head: string;
  leaf: string;
  index: number;
  path: string[];
}

/** A leaf of the member's own, as the house answered it. `told`: its place in a head that follows from what was seen. */
export interface KeptOwn {
  member: string;
  origin: string;
  number: number;
  hash: string;
  content: string;
  salt: string;
  at: number;
  told: { head: string; index: number; path: string[] } | null;
}

/** The end of the member's chain as far as it is known, and the last note of it. */
export interface KeptChain {
  member: string;
  origin: string;
  number: number;
  hash: string;
  note: string;
  time: number;
  /** A longer one that the house signed, of which not all leaves have come. */
  promised?: Promised;
  /** Answers came without a note, or with one of long ago or of a time to come. */
  owed?: Tried;
}

/** The end of a chain as a note of the house names it. */
export interface Promised {
  number: number;
  hash: string;
  time: number;
  note: string;
  tried?: Tried;
}

/** How much of a drawn round could be checked. */
export interface RoundChecked {
  /** Its closing was told before the draw. */
  isTold: boolean;
  hasBeacon: boolean;
  /** Somebody else had signed its closing before its beacon. */
  isEarly: boolean;
  /** Its closing reached this device before its beacon, by a clock that beacons confirm. */
  isHereEarly: boolean;
}

export interface Counts {
  /** Rounds that were checked in full. */
  rounds: number;
  /** Rounds whose closing did not reach this device before the draw. */
  untold: number;
  /** Rounds that have a public beacon; those whose closing somebody else had signed before it, or had reached this device. */
  beacons: number;
  early: number;
  hereEarly: number;
}

/** What a member's own bets showed concerns nobody else. */
const isOwn = ({ member }: { member: string }) => member !== "";

const NO_COUNTS: Counts = { rounds: 0, untold: 0, beacons: 0, early: 0, hereEarly: 0 };
const NO_WITNESSES: KeptWitnesses = { keys: [], needed: 0, mostNeeded: 0, head: null, size: 0, by: [] };

const MOST_FINDINGS = 200;
const MOST_OWN = 2_000;

/** An app before this one kept the newest round alone. */
const drawnIn = ({ drawn, number }: KeptSeed): Ranges => drawn ?? [[number, number]];

/** Where each thing lies. */
export const PLACES = {
  current: ["current"],
  log: (origin: string) => ["log", origin],
  counts: (origin: string) => ["counts", origin],
  witnesses: (origin: string) => ["witnesses", origin],
  bets: (member: string) => ["bets", member],
  anchor: (origin: string, game: string, day: string) => ["anchor", origin, game, day],
  seed: (origin: string, game: string, day: string) => ["seed", origin, game, day],
  closing: (origin: string, game: string, round: string) => ["closing", origin, game, round],
  /** A restored house counts on from its backup: an order that was lost has the name of a later one. */
  receipt: (member: string, origin: string, order: string) => ["receipt", member, origin, order],
  finding: ({ member, kind, origin, subject }: Pick<Finding, "member" | "kind" | "origin" | "subject">) => [
    "finding",
    member,
    kind,
    origin,
    subject,
  ],
  own: (member: string, origin: string, number: number) => ["own", member, origin, number],
  chain: (member: string, origin: string) => ["chain", member, origin],
  table: (origin: string, hash: string) => ["table", origin, hash],
  seen: (member: string) => ["seen", member],
  lost: ["lost"],
} satisfies Record<string, Place | ((...of: never[]) => Place)>;

export const receiptPlace = ({ member, origin, order }: KeptReceipt): Place => PLACES.receipt(member, origin, order);

/** What this device keeps, by its names. */
export class Kept {
  readonly shelf: Shelf;

  constructor(shelf: Shelf) {
    this.shelf = shelf;
  }

  async currentLog(): Promise<KeptLog | undefined> {
    const origin = await this.shelf.get<string>(PLACES.current);
    return origin === undefined ? undefined : this.log(origin);
  }

  log = (origin: string) => this.shelf.get<KeptLog>(PLACES.log(origin));
  keepLog = (log: KeptLog) =>
    this.shelf.write({
      put: [
        [PLACES.log(log.origin), log],
        [PLACES.current, log.origin],
      ],
    });

  anchor = (origin: string, game: string, day: string) => this.shelf.get<KeptAnchor>(PLACES.anchor(origin, game, day));
  keepAnchor = (anchor: KeptAnchor) =>
    this.shelf.write({ put: [[PLACES.anchor(anchor.origin, anchor.game, anchor.day), anchor]] });

  closing = (origin: string, game: string, round: string) =>
    this.shelf.get<KeptClosing>(PLACES.closing(origin, game, round));
  keepClosing = (closing: KeptClosing) =>
    this.shelf.write({ put: [[PLACES.closing(closing.origin, closing.game, closing.round), closing]] });

  seed = (origin: string, game: string, day: string) => this.shelf.get<KeptSeed>(PLACES.seed(origin, game, day));

  seeds = (origin: string) => this.shelf.list<KeptSeed>(["seed", origin]);

  closings = () => this.shelf.list<KeptClosing>(["closing"]);

  /**
   * The newest checked seed of a day and the count change together, so no round counts twice. Null for one that does not
   * count yet. `number`: of the round that was checked.
   */
  async keepSeed(seed: KeptSeed, checked: RoundChecked | null, number = seed.number): Promise<void> {
    const { origin, game, day } = seed;
    const put: [Place, unknown][] = [[PLACES.seed(origin, game, day), await this.#withDrawn(seed, number)]];
    if (checked) put.push([PLACES.counts(origin), await this.#countsWith(origin, checked)]);
    await this.shelf.write({ put });
  }

  /** The checked seed of a round that counts once the head of its closing is proved. */
  async keepSeedUnproven(seed: KeptSeed, closing: KeptClosing): Promise<void> {
    const { origin, game, day } = seed;
    const place = PLACES.closing(origin, game, closing.round);
    const now = await this.#withDrawn(seed, parseRound(closing.round)!.number);
    await this.shelf.write({ put: [[PLACES.seed(origin, game, day), now] as const, [place, closing] as const] });
  }

  /** The newest seed also gives those of rounds that were never drawn: so it says which were. */
  async #withDrawn(seed: KeptSeed, number: number): Promise<KeptSeed> {
    const before = await this.seed(seed.origin, seed.game, seed.day);
    return { ...seed, drawn: withNumber(before ? drawnIn(before) : [], number) };
  }

  /** Whether the result of this very round was checked. */
  async isDrawn(origin: string, game: string, round: string): Promise<boolean> {
    const { number } = parseRound(round)!;
    const seed = await this.seed(origin, game, round.slice(0, 8));
    return seed !== undefined && drawnIn(seed).some(([from, to]) => from <= number && number <= to);
  }

  /** The head of a closing is proved: its round counts, if it was drawn meanwhile. */
  async keepProven(closing: KeptClosing, drawn: RoundChecked | undefined): Promise<void> {
    const { origin, game, round } = closing;
    const put: [Place, unknown][] = [[PLACES.closing(origin, game, round), closing]];
    if (drawn) put.push([PLACES.counts(origin), await this.#countsWith(origin, drawn)]);
    await this.shelf.write({ put });
  }

  async #countsWith(origin: string, { isTold, hasBeacon, isEarly, isHereEarly }: RoundChecked): Promise<Counts> {
    const before = await this.counts(origin);
    return {
      rounds: before.rounds + Number(isTold),
      untold: before.untold + Number(!isTold),
      beacons: before.beacons + Number(hasBeacon),
      early: before.early + Number(isEarly),
      hereEarly: before.hereEarly + Number(isHereEarly),
    };
  }

  counts = async (origin: string): Promise<Counts> => ({
    ...NO_COUNTS,
    ...(await this.shelf.get<Counts>(PLACES.counts(origin))),
  });

  witnesses = async (origin: string): Promise<KeptWitnesses> =>
    (await this.shelf.get<KeptWitnesses>(PLACES.witnesses(origin))) ?? NO_WITNESSES;
  keepWitnesses = (origin: string, witnesses: KeptWitnesses) =>
    this.shelf.write({ put: [[PLACES.witnesses(origin), witnesses]] });

  receipt = (member: string, origin: string, order: string) =>
    this.shelf.get<KeptReceipt>(PLACES.receipt(member, origin, order));
  /** That of the log of now; else of the newest log before it. */
  newestReceipt = async (member: string, order: string): Promise<KeptReceipt | undefined> => {
    const current = await this.shelf.get<string>(PLACES.current);
    const all = (await this.receipts(member)).filter((one) => one.order === order);
    return all.find(({ origin }) => origin === current) ?? all.toSorted((one, other) => other.at - one.at)[0];
  };
  receipts = (member: string) => this.shelf.list<KeptReceipt>(["receipt", member]);
  keepReceipt = (receipt: KeptReceipt) => this.shelf.write({ put: [[receiptPlace(receipt), receipt]] });

  /** The receipt is counted, and so is the member's bet. */
  async keepCounted(receipt: KeptReceipt): Promise<void> {
    const counted = (await this.countedBets(receipt.member)) + 1;
    const put = [[receiptPlace(receipt), receipt] as const, [PLACES.bets(receipt.member), counted] as const];
    await this.shelf.write({ put });
  }

  countedBets = async (member: string): Promise<number> => (await this.shelf.get<number>(PLACES.bets(member))) ?? 0;

  own = (member: string, origin: string, number: number) => this.shelf.get<KeptOwn>(PLACES.own(member, origin, number));
  /** In the order of their numbers. */
  owns = async (member: string, origin: string): Promise<KeptOwn[]> =>
    (await this.shelf.list<KeptOwn>(["own", member, origin])).sort((one, other) => one.number - other.number);
  table = (origin: string, hash: string) => this.shelf.get<KeptTable>(PLACES.table(origin, hash));
  keepTable = (table: KeptTable) => this.shelf.write({ put: [[PLACES.table(table.origin, table.hash), table]] });
  chain = (member: string, origin: string) => this.shelf.get<KeptChain>(PLACES.chain(member, origin));
  keepChain = (chain: KeptChain) => this.shelf.write({ put: [[PLACES.chain(chain.member, chain.origin), chain]] });

  /** A leaf, and the end of the chain if it is the newest. The oldest beyond a number goes. */
  keepOwn = (own: KeptOwn, end: KeptChain | null) =>
    this.shelf.write({
      put: [
        [PLACES.own(own.member, own.origin, own.number), own],
        ...(end ? [[PLACES.chain(end.member, end.origin), end] as const] : []),
      ],
      drop: own.number > MOST_OWN ? [PLACES.own(own.member, own.origin, own.number - MOST_OWN)] : [],
    });

  findings = async (member: string): Promise<Finding[]> => {
    const all = await this.shelf.list<Finding>(["finding"]);
    return all.filter((one) => !isOwn(one) || one.member === member).sort((one, other) => other.at - one.at);
  };

  /** The logs that these are about, and those that they say they continue. */
  logsOf = async (findings: readonly Pick<Finding, "origin">[]): Promise<KeptLog[]> => {
    const logs = new Map<string, KeptLog>();
    const origins = findings.map(({ origin }) => origin);
    for (const origin of origins) {
      const log = logs.has(origin) ? undefined : await this.log(origin);
      if (!log) continue;
      logs.set(origin, log);
      if (log.before !== undefined) origins.push(log.before);
    }
    return [...logs.values()];
  };

  /** Keeps what was found. False if that is known already. Beyond a number only the first of each kind is new. */
  async keepFinding(finding: Finding): Promise<boolean> {
    const place = PLACES.finding(finding);
    if ((await this.shelf.get(place)) !== undefined) return false;
    const known = await this.shelf.list<Finding>(["finding", finding.member]);
    // One cause may show itself in every round: what is there already shows enough.
    if (known.length >= MOST_FINDINGS && known.some(({ kind }) => kind === finding.kind)) return false;
    await this.shelf.write({ put: [[place, finding]] });
    return true;
  }

  /** What was found and not looked at yet. */
  unseen = async (member: string): Promise<Finding | undefined> => {
    const seen = (await this.shelf.get<number>(PLACES.seen(member))) ?? 0;
    return (await this.findings(member)).find(({ at }) => at > seen);
  };
  keepSeen = (member: string, at: number) => this.shelf.write({ put: [[PLACES.seen(member), at]] });

  lost = () => this.shelf.get<{ since: number; at: number }>(PLACES.lost);
  keepLost = (lost: { since: number; at: number }) => this.shelf.write({ put: [[PLACES.lost, lost]] });

  /** Forgets what is a member's own. Heads and anchors are the same for everybody, and stay. */
  forgetMember = (member: string) =>
    this.shelf.write({
      drop: [PLACES.bets(member), PLACES.seen(member)],
      dropUnder: [
        ["receipt", member],
        ["unjudged", member],
        ["dropped", member],
        ["own", member],
        ["chain", member],
        ["balance", member],
        ["credited", member],
        ["unread", member],
        ["finding", member],
        ["doubt", member],
      ],
    });
}
