import mitt from "mitt";
import type { Countdown, Outcome, Result, ServerEvents } from "#shared/contract/events.ts";
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
  settled: Outcome & { key: string; expect: string };
  balance: Payload<"balance:change">;
  record: Payload<"record:change">;
  accountStatus: Payload<"member:change">;
  kick: Payload<"session:kick">;
  notice: Notice;
  site: Partial<BaseInfo>;
  /** A call was answered with 401 or 10001. */
  refused: { code: number; msg: string };
  toast: Toast;
  /** The session ended here; login is the next screen. */
  left: { why: "logout" | "ended" };
};

export const bus = mitt<ClientBus>();

export const showToast = (text: string, tone: Toast["tone"] = "plain"): void => bus.emit("toast", { text, tone });
