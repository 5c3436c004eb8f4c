import mitt from "mitt";
import type { Countdown, Outcome, Result, ServerEvents, ToldClosing } from "#shared/contract/events.ts";
import type { FindingKind } from "#client/watch/kept.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import type { BaseInfo, Notice } from "#shared/contract/site.ts";

type Payload<Name extends keyof ServerEvents> = Parameters<ServerEvents[Name]>[0];

export interface Toast {
  text: string;
  tone?: "plain" | "good" | "bad";
}

/** Events shared by all screens. Pushes keep their wire names; the rest are the client's own. */
export type ClientBus = {
  /** The socket connected or disconnected. */
  connection: { up: boolean };
  /** The connection stands, but the server cannot write (`away`), or can again. */
  serverAway: { away: boolean };
  hello: Payload<"hello">;
  /** The game's state: the reply to a watch, or a later push. */
  snapshot: Lottery;
  countdown: Countdown;
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
  found: { kind: FindingKind };
  /** The session ended here; login is the next screen. */
  left: { why: "logout" | "ended" };
};

export const bus = mitt<ClientBus>();

export const showToast = (text: string, tone: Toast["tone"] = "plain"): void => bus.emit("toast", { text, tone });
