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
  mine?: Outcome;
}

/** Why writes are refused: the disk is full, read-only or failing, or the database is unreachable. */
export type AwayReason = "full" | "readonly" | "failing" | "unreachable";

export interface ServerEvents {
  hello: (hello: { server_now_ms: number; epoch: string; login_out: 0 | 1 }) => void;
  "lottery:countdown": (countdown: Countdown) => void;
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
