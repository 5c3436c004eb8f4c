import type { Ack } from "./envelope.ts";
import type { BaseInfo, Notice } from "./site.ts";
import type { Lottery } from "./lottery.ts";

/** The outcome of one member's bets on a round, and their wallet after it. */
export interface Outcome {
  orders: { id: string; win: string }[];
  win: string;
  money: string;
  money_value: string;
  version: number;
}

export interface Countdown {
  key: string;
  expect: string | null;
  state: Lottery["state"];
  second: number;
  close_ms: number | null;
  draw_ms: number | null;
  server_now_ms: number;
  commit: string | null;
  beacon: Lottery["beacon"];
  /** The oldest round whose draw is due and waits for its beacon. */
  awaits_beacon: string | null;
  /** A pause that is announced or under way. */
  pause: Lottery["pause"];
}

export interface Result {
  key: string;
  expect: string;
  kind: string;
  opencode: readonly number[];
  /** Null where the kind, or this draw, has no size or parity. */
  one: "A" | "B" | null;
  two: "C" | "D" | null;
  sum: number;
  seed: string;
  /** Where its beacon comes from, what was mixed into the draw, and the chain's signature; empty under `none`. */
  rule: string;
  beacon: string;
  beacon_signature: string;
  /** The size of the first head that holds the round's closing; null for a round from before the log. */
  head: number | null;
  mine?: Outcome;
}

/** Which bets of a round count, told to the game's watchers before its draw. */
export interface ToldClosing {
  key: string;
  expect: string;
  /** The head: a signed note. */
  head: string;
  /** The closing's leaf and its number. */
  close: { leaf: string; number: number };
  /** From that leaf to the head's root. */
  path: string[];
  /** The proof that this head begins with the one that this game's watchers were told before; null for the first. */
  consistency: { from: number; path: string[] } | null;
}

/** Who signs heads of the log beside the house, as vkeys, and how many of them have to. */
export interface WantedWitnesses {
  keys: string[];
  needed: number;
}

/**
 * Why writes are refused: the disk is full, read-only or failing, the database is unreachable, or another one answers in its
 * place that may have lost something.
 */
export const AWAY_REASONS = ["full", "readonly", "failing", "unreachable", "lost"] as const;
export type AwayReason = (typeof AWAY_REASONS)[number];

export interface ServerEvents {
  /** `head`: the newest head of the public log, a signed note; null before the first. */
  hello: (hello: {
    server_now_ms: number;
    epoch: string;
    login_out: 0 | 1;
    head: string | null;
    witnesses: WantedWitnesses;
  }) => void;
  "fair:head": (head: ToldClosing) => void;
  /** A head that was told before, or one after it, now with signatures of witnesses. */
  "fair:cosigned": (cosigned: { head: string }) => void;
  /** A beacon that a closed round of the game waits for, as soon as this server has it: long before the result. */
  "fair:beacon": (beacon: { rule: string; signature: string }) => void;
  "lottery:countdown": (countdown: Countdown) => void;
  /** How many sockets watch the game, the receiver's own too: those of other processes as they said in the last 15 s. */
  "lottery:watching": (watching: { key: string; screens: number }) => void;
  "lottery:result": (result: Result) => void;
  "order:settled": (settled: Outcome & { key: string; expect: string }) => void;
  "balance:change": (change: {
    money: string;
    money_value: string;
    delta: string;
    type: string;
    version: number;
  }) => void;
  "record:change": (record: { kind: "withdraw" | "recharge"; id: string; status: number; status_text: string }) => void;
  "member:change": (member: { status: number; is_see: 0 | 1; member_until: number }) => void;
  "session:kick": (kick: { code: 10001; msg: string }) => void;
  "notice:new": (notice: Notice) => void;
  /** A message about the safety of the account. Ours, beyond the specification. */
  "message:new": (message: { id: string }) => void;
  /** The member has read the messages about their account, up to this one, on some device. Ours, beyond the specification. */
  "message:read": (read: { id: string }) => void;
  /** Whether a history of what the member watches is kept, as said on some device. Ours, beyond the specification. */
  "history:change": (history: { keeps_history: 0 | 1 }) => void;
  /** The member's conversation with the customer service has another message, or was read on another device. */
  "support:change": (change: { unread: number }) => void;
  "site:change": (changed: Partial<BaseInfo>) => void;
  /** Writes are refused for now; reads and the connection still work. Sent on connecting too. */
  "server:away": (state: { reason: AwayReason; retry_after_s: number }) => void;
  /** Everything works again. */
  "server:back": (state: Record<string, never>) => void;
}

export interface ClientEvents {
  "lottery:watch": (key: string, ack: (answer: Ack<Lottery>) => void) => void;
  "lottery:unwatch": (key: string) => void;
}

/** All rooms of the sockets. */
export const rooms = {
  game: (key: string) => `game:${key}`,
  session: (sessionId: number) => `session:${sessionId}`,
  locale: (locale: string) => `locale:${locale}`,
};
