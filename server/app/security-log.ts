import type { Logger } from "pino";
import { clientKey } from "#server/domains/account/client-key.ts";
import { MINUTE_MS, type Clock } from "#shared/time.ts";

/** What went as somebody wanted. A line at `info`. */
const DONE = [
  "login.done",
  "login.partner",
  "login.passkey",
  "signup.done",
  "session.closed",
  "session.ended",
  "password.changed",
  "recovery.made",
  "recovery.used",
  "passcode.set",
  "passcode.changed",
  "passkey.added",
  "passkey.removed",
  "bank.bound",
  "withdrawal.asked",
  "proof.given",
  "export.begun",
  "operator.acted",
] as const;

/** What was refused. A line at `warn`. */
const REFUSED = [
  "login.failed",
  "login.locked",
  "password.failed",
  "recovery.failed",
  "passcode.failed",
  "passcode.locked",
  "passkey.failed",
  "passkey.copied",
  "invite.failed",
  "session.unknown",
  "session.kicked",
  "proof.needed",
  "access.denied",
  "rate.limited",
  "notification.unsigned",
] as const;

type Done = (typeof DONE)[number];
type Refused = (typeof REFUSED)[number];

/** An event that concerns security. It names nobody by what was typed, and holds no value that a client sent. */
export type SecurityEvent = { ip?: string; memberId?: number | undefined } & (
  | { done: Done; act?: string }
  | { refused: Refused; reason: string; route?: string | undefined; channel?: string }
);

/** So many different events of a minute get a line of their own; further ones are counted by kind alone. */
const MOST_LINES = 1_000;

interface Counted {
  /** What the count's line says of the event. */
  about: object;
  more: number;
}

/**
 * Writes security events as log lines. Within a minute an event of the same kind and client gets one line, and then a
 * count, so that nobody can flood the log. What succeeds is told apart by member, too.
 */
export class SecurityLog {
  /** How often each kind came since this process began. */
  readonly totals = new Map<string, number>([...DONE, ...REFUSED].map((kind) => [kind, 0]));
  readonly #log: Logger;
  readonly #clock: Clock;
  #counts = new Map<string, Counted>();
  #since = 0;

  constructor({ log, clock }: { log: Logger; clock: Clock }) {
    this.#log = log;
    this.#clock = clock;
  }

  note(event: SecurityEvent): void {
    this.tick();
    const { ip, memberId, ...rest } = event;
    const client = ip === undefined ? "" : clientKey(ip);
    const kind = "done" in event ? event.done : event.refused;
    this.totals.set(kind, this.totals.get(kind)! + 1);
    const full = "done" in event ? `${kind} ${client} ${memberId} ${event.act}` : `${kind} ${client}`;
    const isTold = this.#counts.size < MOST_LINES || this.#counts.has(full);
    const known = this.#counts.get(isTold ? full : kind);
    if (known) return void known.more++;
    this.#counts.set(isTold ? full : kind, {
      about: { security: kind, ...(isTold && { client }) },
      more: isTold ? 0 : 1,
    });
    if (!isTold) return;
    const { done: _done, refused: _refused, ...facts } = rest as { done?: Done; refused?: Refused };
    const line = {
      security: kind,
      ...(ip !== undefined && { ip }),
      ...(memberId !== undefined && { memberId }),
      ...facts,
    };
    if ("done" in event) this.#log.info(line, "security");
    else this.#log.warn(line, "security");
  }

  /** Tells the counts of the minute that is over. Called every few seconds. */
  tick(): void {
    const now = this.#clock.now();
    if (now >= this.#since && now - this.#since < MINUTE_MS) return;
    this.flush();
    this.#since = now;
  }

  /** Tells what was counted and not told yet. */
  flush(): void {
    for (const { about, more } of this.#counts.values()) {
      if (more > 0) this.#log.warn({ ...about, more }, "security events repeated");
    }
    this.#counts = new Map();
  }
}
