import { and, eq, isNull } from "drizzle-orm";
import { placeholder } from "#db/columns.ts";
import type { Db, Tx } from "#db/db.ts";
import { DatabaseCache } from "#db/database-cache.ts";
import { members } from "#db/schema/member.ts";
import { sessions } from "#db/schema/session.ts";
import type { Caller, SettingsReader } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { DAY_MS, MINUTE_MS, type Clock } from "#shared/time.ts";
import { endedRefusal } from "./still-in.ts";
import { hashToken, isTokenOf } from "./tokens.ts";

/** A session ends by itself after so long without use. */
export const IDLE_MS = 30 * DAY_MS;
/** A session that began at this time or earlier is over, however much it is used. */
export const oldestSession = (settings: SettingsReader, now: number): number =>
  now - settings.get<number>("session_days") * DAY_MS;
/** For this long, a session ended by the operator or a newer login answers `session.kicked`. */
const KICKED_FOR_MS = 30 * DAY_MS;
const SEEN_EVERY_MS = MINUTE_MS;
const PER_TRANSACTION = 50;
/** The most sessions cached. */
const MOST_CACHED = 20_000;

const prepareFind = (read: Tx) =>
  read
    .select({
      id: sessions.id,
      memberId: sessions.memberId,
      ssoHash: sessions.ssoHash,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      endedAt: sessions.endedAt,
      endedBy: sessions.endedBy,
      endReason: sessions.endReason,
      locked: members.locked,
      memberUntil: members.memberUntil,
    })
    .from(sessions)
    .innerJoin(members, eq(members.id, sessions.memberId))
    .where(eq(sessions.tokenHash, placeholder("hash")))
    .prepare();

type SessionRow = Awaited<ReturnType<ReturnType<typeof prepareFind>["execute"]>>[number];

/** Where a token came from, and the `sso` token beside it. */
interface From {
  ip: string;
  sso: string | undefined;
}

/** Finds the caller of a session token through a cache, and collects last-seen times until they are flushed. */
export class Sessions {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #settings: SettingsReader;
  readonly #find: ReturnType<typeof prepareFind>;
  /** Session rows by token, cached until news are committed: whatever ends a session or locks a member is announced. */
  readonly #rows: DatabaseCache<SessionRow>;
  readonly #seen = new Map<number, { ip: string; at: number }>();
  /** Last-seen times are not announced, so each flush counts as news here. */
  #flushes = 0;

  constructor(db: Db, clock: Clock, settings: SettingsReader) {
    this.#settings = settings;
    this.#db = db;
    this.#clock = clock;
    this.#find = prepareFind(db.read);
    this.#rows = new DatabaseCache<SessionRow>({ stamp: () => db.newsStamp() + this.#flushes }, MOST_CACHED);
  }

  /**
   * Throws `session.missing` or, if others ended it within 30 days, `session.kicked`. A session opened by single
   * sign-on also needs the same `sso` token; without it, it is missing.
   */
  identify(token: string, from: From): Caller | Promise<Caller> {
    const known = this.#rows.known(token);
    if (known) return this.#callerOf(known, from);
    return this.#rows.get(token, () => this.#read(token)).then((row) => this.#callerOf(row, from));
  }

  /** An unknown token throws, so that it is never cached: a session that begins is not announced. */
  async #read(token: string): Promise<SessionRow> {
    const [session] = await this.#find.execute({ hash: hashToken(token) });
    if (!session) throw new Refusal("session.missing");
    return session;
  }

  #callerOf(session: SessionRow, { ip, sso = "" }: From): Caller {
    const now = this.#clock.now();
    const { id, memberId, ssoHash, locked, memberUntil, endedAt } = session;
    if (ssoHash !== null && !isTokenOf(ssoHash, sso)) throw new Refusal("session.missing");
    if (endedAt !== null) {
      throw now < endedAt + KICKED_FOR_MS ? endedRefusal(session) : new Refusal("session.missing");
    }
    if (session.createdAt <= oldestSession(this.#settings, now)) throw new Refusal("session.missing");
    if (session.lastSeenAt + IDLE_MS <= now) throw new Refusal("session.missing");
    if (session.lastSeenAt + SEEN_EVERY_MS <= now) this.#seen.set(id, { ip, at: now });
    return { sessionId: id, memberId, locked, memberUntil };
  }

  /** Writes the collected last-seen times, in batches, so that no transaction takes long. */
  async flush(): Promise<void> {
    while (this.#seen.size > 0) {
      const some = [...this.#seen].slice(0, PER_TRANSACTION);
      for (const [id] of some) this.#seen.delete(id);
      await this.#db.transact(async (tx) => {
        for (const [id, { ip, at }] of some) {
          // An ended session stays as it ended: an erased member's address would come back.
          const isOpen = and(eq(sessions.id, id), isNull(sessions.endedAt));
          await tx.update(sessions).set({ lastSeenAt: at, ip }).where(isOpen);
        }
      });
      // At once: whoever is seen before the rows are read again would be written again.
      this.#flushes++;
    }
  }
}
