import type { BetName } from "./finding.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { Result, ToldClosing, WantedWitnesses } from "#shared/contract/events.ts";
import type { fairAnchors, fairRound } from "#shared/contract/fair.ts";
import type {
  fairConsistency,
  fairHead,
  fairHour,
  fairMine,
  fairOrigins,
  fairPayout,
  fairProof,
  fairTable,
} from "#shared/contract/log.ts";
import type { gameList, Lottery } from "#shared/contract/lottery.ts";
import type { moneyLog } from "#shared/contract/wallet.ts";
import type { PublishedOdds } from "#shared/lottery/shown-odds.ts";
import type { PlacedBet } from "./check-bet.ts";
import type { Finding, FindingKind } from "#shared/log/evidence/finding.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import type { Content } from "#shared/log/salted.ts";
import type { Moment } from "./own-clock.ts";
import type { Counts, KeptChain, KeptClosing, KeptLog, KeptOwn, KeptReceipt } from "./kept.ts";
import type { KeptCosigner, KeptUnchecked, KeptWitnesses } from "./states.ts";

/** What the watcher may ask the house, by the page, which holds the session. */
export interface Questions {
  head: { input: Record<string, never>; reply: ReplyOf<typeof fairHead> };
  consistency: { input: { from: string; to: string }; reply: ReplyOf<typeof fairConsistency> };
  hour: { input: Record<string, never>; reply: ReplyOf<typeof fairHour> };
  origins: { input: Record<string, never>; reply: ReplyOf<typeof fairOrigins> };
  anchors: { input: { key: string }; reply: ReplyOf<typeof fairAnchors> };
  round: { input: { key: string; expect: string }; reply: ReplyOf<typeof fairRound> };
  proof: { input: { id: string }; reply: ReplyOf<typeof fairProof> };
  orders: { input: { id: string }; reply: ReplyOf<typeof gameList> };
  money: { input: { from?: string; page: string; limit: string }; reply: ReplyOf<typeof moneyLog> };
  mine: { input: { from: string }; reply: ReplyOf<typeof fairMine> };
  table: { input: { hash: string }; reply: ReplyOf<typeof fairTable> };
  payout: { input: { id: string }; reply: ReplyOf<typeof fairPayout> };
}
export type Question = keyof Questions;

/** What only a member's own session can ask: to anybody else's the house has no such thing. */
export type OwnQuestion = "proof" | "orders" | "money" | "mine" | "payout";

/** Asks the house. Null: it has no such thing. Throws if no answer came. */
export type Ask = <Q extends Question>(
  question: Q,
  input: Questions[Q]["input"],
  ...of: Q extends OwnQuestion ? [member: string] : []
) => Promise<Questions[Q]["reply"] | null>;

/** A balance as the house answered it, with the note that it signed. */
export interface ShownBalance {
  member: string;
  note: string;
  version: number;
  money: string;
}

/** The order of a member that was settled. */
export interface SettledOrder {
  member: string;
  order: string;
  win: string;
}

/** What a round opened with, as the house tells it to everybody who looks at the game. */
export interface ToldOpening extends Pick<Lottery, "key" | "beacon"> {
  expect: string;
  commit: string;
  /** When it stops taking bets. */
  closes: number;
  /** Whether it takes bets still. */
  isOpen: boolean;
  /** The kind and the period of the game, where they were told along with it. */
  kind?: string;
  period?: number;
}

/** A result, without what the member won. */
export type ToldResult = Omit<Result, "mine">;

/** What the page tells the watcher as it happens. */
export type Event =
  /** `witnesses`: who is to sign, where the house said so along with it. */
  | { type: "head"; head: string; witnesses?: WantedWitnesses }
  | { type: "closing"; told: ToldClosing; at: Moment }
  /** `at`: when it came, by this device's clock. */
  | { type: "beacon"; rule: string; signature: string; at: Moment }
  | ({ type: "open" } & ToldOpening)
  | { type: "result"; result: ToldResult }
  /** What the board of a game shows, before anybody bets on it. */
  | { type: "board"; game: string; kind: string; odds: PublishedOdds[] }
  | { type: "settled"; orders: SettledOrder[] }
  | { type: "member"; member: string }
  /** The line is there again: what was said meanwhile did not come. */
  | { type: "again"; member: string }
  | { type: "chain"; member: string; note: string }
  | ({ type: "balance" } & ShownBalance);

/** What became of a receipt: as it was shown, otherwise, or not judged because the log could not be reached. */
export type Judged = "right" | "wrong" | "unknown";
/** The same; `missing` where the house gave no receipt. */
export type Taken = Judged | "missing";

/** Whether the log that this device keeps has a pair's commit and the table: then words may be made for them. */
export type PairState = "told" | "waits" | "differs" | "noTable";

/** A spin of the member's, as the house signed it. */
export type SignedSpin = Pick<Content<"spin">, "nonce" | "prize" | "words" | "words_by" | "table_hash">;

/** What the house signed about the spins of a pair. */
export interface SignedSpins {
  spins: SignedSpin[];
  /** Nothing that the house signed about the member until now is unread. */
  isWhole: boolean;
}

/** How another device's head stands to ours. */
export type Compared =
  | "same"
  | "linked"
  | "differs"
  | "otherLog"
  | "restored"
  | "unsigned"
  | "unreadable"
  | "unknown"
  | "otherBalance";

/** The orders whose receipts are kept, and the newest change of the balance that was signed. */
export interface Held {
  orders: readonly string[];
  version: number;
}

/** What became of an export, and with how many receipts it was compared. */
export interface ExportChecked {
  state: Judged;
  bets: number;
}

/** How long an anchor was in the log before its day: the whole week, less, or nobody has shown it there. */
export type AnchorAge = "week" | "young" | "unproved";

/** What the watcher answers the page. */
export interface Requests {
  take: { input: { placed: PlacedBet; receipt: string | null }; reply: Taken };
  report: { input: { member: string; page: string }; reply: WatchReport };
  /** What was found, for a screen that cannot get the rest of the report. */
  findings: { input: { member: string }; reply: Pick<WatchReport, "findings" | "logs"> };
  /** `origin`: the log that took the bet; without it the log of now, or the newest one before it. */
  order: { input: { member: string; order: string; origin: string | null }; reply: OrderReport | null };
  /** `table`: the hash of the wheel that is shown. */
  pair: { input: { member: string; number: number; commit: string; table: string }; reply: PairState };
  /** `pair`: its number. */
  spins: { input: { member: string; pair: number }; reply: SignedSpins };
  /** The origin of the log that the house has today, or had when it last said. Null before the first. */
  log: { input: Record<string, never>; reply: string | null };
  /** What is kept by now. */
  held: { input: { member: string }; reply: Held };
  /** `held`: what was kept before the download. */
  export: { input: { member: string; held: Held; text: string }; reply: ExportChecked };
  compare: { input: { address: string; member: string }; reply: Compared };
  renew: { input: Record<string, never>; reply: boolean };
  /** How long a day's anchor was in the log before that day. Null for another one than the log's. */
  anchor: { input: { game: string; day: string; anchor: string }; reply: AnchorAge | null };
  /** What a round opened with, as the log proves it in a head that is kept. Null while it does not. */
  opening: { input: { game: string; round: string }; reply: Leaf<"open"> | null };
  /** Whether the chain that a rule names signed this. */
  beacon: { input: { rule: string; signature: string }; reply: boolean };
  forget: { input: { member: string }; reply: true };
}
export type Request = keyof Requests;

export interface WatchReport extends Counts {
  log: KeptLog | null;
  /** How many leaves the newest head has. */
  size: number;
  /** The words of the first head since a full hour, in ms. Null while the house does not answer. */
  hour: { hour: number; words: string[] } | null;
  /** Who signs heads beside the house. */
  witnesses: SigningReport;
  /** The newest head as an address that another device opens. Null where that is too long for a code. */
  address: string | null;
  /** Days whose first seed was in the log for less than a week before, and those whose first seed nobody has shown there. */
  days: { young: number; unproved: number };
  /** `dropped`: those whose receipts went unchecked, because there were too many. */
  bets: { counted: number; waiting: number; untold: number; dropped: number };
  /** How many leaves the house has signed about the member, and the newest of them that are kept, newest first. */
  own: { count: number; newest: KeptOwn[] };
  findings: Finding[];
  /** The logs that the findings are about, and what is unchecked. */
  logs: KeptLog[];
  /** What the browser deleted, if it did. */
  lost: { since: number; at: number } | null;
  unchecked: UncheckedReport;
  /** Whether it is kept longer than the page is open. */
  isLasting: boolean;
}

/** Who signed, how long before the newest head each last did, and how many signed what the house says now. */
export interface SigningReport extends KeptWitnesses {
  /** `isBehind`: for so long that it has not signed what the house says now. */
  by: (KeptCosigner & { behindMs: number; isBehind: boolean })[];
  signed: number;
}

/** What the house has not answered for long, though it owes it: no fraud is shown, and nothing of it is checked. */
export interface UncheckedReport {
  /** That the log continues what this device keeps. */
  log: KeptUnchecked | null;
  /** That these results follow from what their rounds opened with; a push without a form counts as one. `since`: of the first. */
  rounds: { count: number; since: number } | null;
  /** What became of these bets. `since`: of the first of them. */
  bets: { receipts: KeptReceipt[]; since: number } | null;
  /** What it signed about the member: the end of the chain that this device knows, and since when the next lines, or a note of now, are owed. */
  own: (KeptChain & { since: number }) | null;
}

/** One bet, from the receipt to the closing that counted it. */
export interface OrderReport {
  receipt: KeptReceipt;
  closing: KeptClosing | null;
  /** What was found about this bet, and since when the house owes an answer for it. */
  findings: Finding[];
  unansweredSince: number | null;
  /** The logs that these are about. */
  logs: KeptLog[];
}

/** From the page to the worker. */
export type ToWorker =
  | { to: "begin"; since: number | null }
  | { to: "event"; event: Event }
  | { to: "request"; id: number; request: Request; input: unknown }
  | { to: "answer"; id: number; answer: unknown; failed: boolean };

/** From the worker to the page. */
export type ToPage =
  /** `member`: in whose session it is to be asked; empty where that is all the same. */
  | { to: "ask"; id: number; question: Question; input: unknown; member: string }
  | { to: "reply"; id: number; reply: unknown; failed: boolean }
  | { to: "found"; kind: FindingKind | "unchecked"; member: string; bet?: BetName }
  | { to: "since"; since: number }
  | { to: "receiptKept" };
