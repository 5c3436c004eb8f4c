import type { DataOf, Reply } from "./call.ts";
import type { Reader, Rows } from "./model-checks.ts";
import type { Operation } from "./model-operations.ts";
import type { ModelGame } from "./model-rounds.ts";
import type { ModelSavings } from "./model-savings.ts";
import type { ModelMember } from "./model.ts";
import type { WireOdds } from "./recompute.ts";
import type { Player, World } from "./world.ts";

/** A request that was answered under an idempotency key. */
export interface Answered {
  path: string;
  key: string;
  input: Record<string, string>;
  answer: string;
  at: number;
}

/** A player: on the server, in the model, and the requests between the two. */
export interface Seat {
  player: Player;
  username: string;
  /** The token of their latest session. */
  token: string;
  /** Whether they have logged in with this browser. */
  isDeviceKnown: boolean;
  /** When they last proved, in that session, who they are. */
  provenAt: number;
  model: ModelMember;
  savings: ModelSavings;
  answered: Answered[];
  orders: { order: string; units: number; status: "waiting" | "paid" | "failed" | "review"; expiresAt: number }[];
  credits: { id: number; amount: number; reversible: boolean }[];
  call<P extends string>(path: P, input: Record<string, string>, key?: string): Promise<Reply<DataOf<P, "POST">>>;
}

/** A server and its model, as every operation and every move of the clock changes them. */
export interface Play {
  readonly w: World;
  readonly reader: Reader;
  readonly seats: Seat[];
  readonly games: ModelGame[];
  readonly odds: WireOdds[];
  /** The rows that the model expects in each table. */
  readonly rows: Rows;
  /** When housekeeping last pruned; 0 after a restart. */
  prunedAt: number;
  /** A fresh idempotency key. */
  newKey(): string;
  /** Compares everything that can be compared while no request is under way. */
  compare(): Promise<void>;
}

/** One or several concurrent calls, and the answers they must get. */
export interface Attempt {
  calls: (() => Promise<string>)[];
  expected: string[];
  /** The member's wallet row must not change. */
  idle: boolean;
  /** May be cut off and sent again: its idempotency key makes both calls one. */
  again?: boolean;
}

export type Of<K extends Operation["does"]> = Extract<Operation, { does: K }>;
