import mitt from "mitt";
import type { Countdown, Outcome, Result, ServerEvents, ToldClosing } from "#shared/contract/events.ts";
import type { Left } from "#client/machines/session.ts";
import type { BetName } from "#client/watch/finding.ts";
import type { FindingKind } from "#shared/log/evidence/finding.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import type { BaseInfo, Notice } from "#shared/contract/site.ts";

type Payload<Name extends keyof ServerEvents> = Parameters<ServerEvents[Name]>[0];

export interface Toast {
  text: string;
  tone?: "plain" | "good" | "bad";
}

/** Events shared by all screens. Pushes keep their wire names; the rest are the client's own. */
export type ClientBus = {
  /** The socket connected or disconnected, or what keeps it did not come. */
  connection: { up: boolean };
  /** The connection stands, but the server cannot write (`away`), or can again. */
  serverAway: { away: boolean };
  hello: Payload<"hello">;
  /** The game's state: the reply to a watch, or a later push. */
  snapshot: Lottery;
  countdown: Countdown;
  /** How many screens have the game open. */
  watching: Payload<"lottery:watching">;
  result: Result;
  /** Which bets of a round count, before its draw. */
  closing: ToldClosing;
  /** A head of the log with signatures of witnesses. */
  cosigned: Payload<"fair:cosigned">;
  /** A beacon that a closed round waits for, long before its result. */
  beacon: Payload<"fair:beacon">;
  settled: Outcome & { key: string; expect: string };
  balance: Payload<"balance:change">;
  record: Payload<"record:change">;
  message: Payload<"message:new">;
  messagesRead: Payload<"message:read">;
  history: Payload<"history:change">;
  support: Payload<"support:change">;
  accountStatus: Payload<"member:change">;
  kick: Payload<"session:kick">;
  notice: Notice;
  site: Partial<BaseInfo>;
  /** A call was answered with 401 or 10001. */
  refused: { code: number; msg: string };
  toast: Toast;
  /** The server wants to know anew who the member is. `resolve` is called once: with true when it knows. */
  proof: { resolve: (isProven: boolean) => void };
  /** What the house said contradicts what it said before, or itself. */
  found: { kind: FindingKind | "unchecked"; bet?: BetName };
  /** The session ended here; login is the next screen. */
  left: Left;
};

export const bus = mitt<ClientBus>();

/** Toasts that nobody could show yet: what shows them is no part of the first screen. */
const early: Toast[] = [];
const MOST_EARLY = 3;
const first = Promise.withResolvers<void>();
/** Resolves when something is to be shown that nobody can show yet. */
export const firstToast: Promise<void> = first.promise;

export function showToast(text: string, tone: Toast["tone"] = "plain"): void {
  if (bus.all.get("toast")?.length) return bus.emit("toast", { text, tone });
  early.push({ text, tone });
  if (early.length > MOST_EARLY) early.shift();
  first.resolve();
}

/** Shows all toasts from now on, and those that came before. Returns a function that unsubscribes. */
export function onToasts(show: (toast: Toast) => void): () => void {
  bus.on("toast", show);
  early.splice(0).forEach(show);
  return () => bus.off("toast", show);
}

/** What was found last, and nothing could say yet: the banner is no part of the first screen either. */
let unsaid: ClientBus["found"] | null = null;

export function tellFound(found: ClientBus["found"]): void {
  unsaid = found;
  bus.emit("found", found);
}

/** Says all that is found from now on, and what was found last before. Returns a function that unsubscribes. */
export function onFound(say: (found: ClientBus["found"]) => void): () => void {
  const hear = (found: ClientBus["found"]) => {
    unsaid = null;
    say(found);
  };
  bus.on("found", hear);
  if (unsaid) hear(unsaid);
  return () => bus.off("found", hear);
}
