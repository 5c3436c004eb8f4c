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
/** So many members of whom one client is refused something of a kind; further ones are counted by kind and client. */
const MOST_OF_CLIENT = 20;

interface Counted {
  /** What the count's line says of the event. */
  about: object;
  more: number;
}

/**
 * Writes security events as log lines. Within a minute an event of the same kind, client and member gets one line, and
 * then a count, so that nobody can flood the log. Whoever tries many members from one client is soon told as one.
 */
export class SecurityLog {
  /** How often each kind came since this process began. */
  readonly totals = new Map<string, number>([...DONE, ...REFUSED].map((kind) => [kind, 0]));
  readonly #log: Logger;
  readonly #clock: Clock;
  #counts = new Map<string, Counted>();
  /** How many lines of a kind the refusals of one client have. */
  readonly #linesOf = new Map<string, number>();
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
    const full = `${kind} ${client} ${memberId} ${"done" in event ? event.act : ""}`;
    const own = { security: kind, client, ...(memberId !== undefined && { memberId }) };
    if (!this.#begin(full, own, "refused" in event ? `${kind} ${client}` : null)) return;
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

  /**
   * Whether an event is the first of its own, which gets a line. Any other is counted: as one of its own, with others of
   * its client, or with all others of its kind.
   */
  #begin(full: string, own: { security: string; client: string }, ofClient: string | null): boolean {
    const known = this.#counts.get(full);
    if (known) {
      known.more++;
      return false;
    }
    const lines = ofClient === null ? 0 : (this.#linesOf.get(ofClient) ?? 0);
    const isRoom = this.#counts.size < MOST_LINES;
    if (isRoom && lines < MOST_OF_CLIENT) {
      this.#counts.set(full, { about: own, more: 0 });
      if (ofClient !== null) this.#linesOf.set(ofClient, lines + 1);
      return true;
    }
    const { security, client } = own;
    if (ofClient !== null && lines >= MOST_OF_CLIENT) this.#countMore(ofClient, { security, client });
    else this.#countMore(security, { security });
    return false;
  }

  #countMore(key: string, about: object): void {
    const counted = this.#counts.get(key) ?? { about, more: 0 };
    counted.more++;
    this.#counts.set(key, counted);
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
    this.#linesOf.clear();
  }
}
