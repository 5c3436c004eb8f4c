import { and, eq } from "drizzle-orm";
import { operatorPasskeys, operators, type Role } from "#db/schema/operators.ts";
import type { Operator } from "#server/admin/command.ts";
import { hashToken, newToken } from "#server/domains/session/tokens.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time.ts";

/** A session ends after so long a rest, and at this age. */
export const REST_MS = 30 * MINUTE_MS;
export const AGE_MS = 8 * HOUR_MS;
/** How long a challenge may be answered. */
export const CHALLENGE_MS = 5 * MINUTE_MS;
const MOST_CHALLENGES = 1_000;

/** An operator who is signed in. */
export interface Person {
  id: number;
  name: string;
  roles: Role[];
}

interface Session {
  /** Also names the session's folder of files. */
  hash: string;
  passkeyId: number;
  createdAt: number;
  /** When a person last did something. */
  seenAt: number;
  /** How much runs that they began: meanwhile it does not rest. */
  underWay: number;
}

type Needs = Pick<Operator, "db" | "clock" | "random">;

/** The sessions of this process's console: none outlives it. */
export class Sessions {
  readonly #needs: Needs;
  readonly #onEnd: (hash: string) => Promise<void>;
  readonly #open = new Map<string, Session>();

  /** `onEnd` does what is left to do for a session that ended. */
  constructor(needs: Needs, onEnd: (hash: string) => Promise<void> = async () => {}) {
    this.#needs = needs;
    this.#onEnd = onEnd;
  }

  /** Begins a session by a passkey, and returns its token. */
  begin(passkeyId: number): string {
    const token = newToken(this.#needs.random);
    const [hash, now] = [hashToken(token), this.#needs.clock.now()];
    this.#open.set(hash, { hash, passkeyId, createdAt: now, seenAt: now, underWay: 0 });
    return token;
  }

  async end(token: string): Promise<void> {
    await this.#end(hashToken(token));
  }

  async #end(hash: string): Promise<void> {
    if (this.#open.delete(hash)) await this.#onEnd(hash);
  }

  /** Ends every session that is over, though nobody asks with it any more. */
  async sweep(): Promise<void> {
    for (const hash of this.#open.keys()) await this.#read(hash);
  }

  /**
   * Whose session it is: null once it ended, or its passkey or operator is gone. It rests unless a person asks
   * (`isAttended`): a page that looks by itself keeps no session alive.
   */
  async find(token: string, isAttended: boolean): Promise<{ session: Session; person: Person } | null> {
    const found = await this.#read(hashToken(token));
    if (found && isAttended) found.session.seenAt = this.#needs.clock.now();
    return found;
  }

  async #read(hash: string): Promise<{ session: Session; person: Person } | null> {
    const session = this.#open.get(hash);
    if (!session) return null;
    const now = this.#needs.clock.now();
    const isResting = session.underWay === 0 && now - session.seenAt > REST_MS;
    const isOver = isResting || now - session.createdAt > AGE_MS;
    const [person] = isOver
      ? []
      : await this.#needs.db.read
          .select({ id: operators.id, name: operators.name, roles: operators.roles })
          .from(operatorPasskeys)
          .innerJoin(operators, eq(operators.id, operatorPasskeys.operatorId))
          .where(and(eq(operatorPasskeys.id, session.passkeyId), eq(operators.state, "active")));
    if (person) return { session, person };
    await this.#end(hash);
    return null;
  }

  /** Does what a person began, such as a long import. Their session rests from its end on. */
  async during<T>(session: Session, work: () => Promise<T>): Promise<T> {
    session.underWay++;
    try {
      return await work();
    } finally {
      session.underWay--;
      session.seenAt = this.#needs.clock.now();
    }
  }
}

/** The challenges that this console made, each to be answered once. */
export class Challenges {
  readonly #needs: Pick<Needs, "clock" | "random">;
  readonly #made = new Map<string, { purpose: string; until: number }>();

  constructor(needs: Pick<Needs, "clock" | "random">) {
    this.#needs = needs;
  }

  /** `purpose` says what an answer is good for, down to the words of a command. */
  make(purpose: string): string {
    const challenge = newToken(this.#needs.random);
    this.#made.set(challenge, { purpose, until: this.#needs.clock.now() + CHALLENGE_MS });
    // The oldest goes: strangers who ask for many fill no memory.
    if (this.#made.size > MOST_CHALLENGES) this.#made.delete(this.#made.keys().next().value!);
    return challenge;
  }

  spend(challenge: string, purpose: string): boolean {
    const made = this.#made.get(challenge);
    this.#made.delete(challenge);
    return made?.purpose === purpose && made.until > this.#needs.clock.now();
  }
}
