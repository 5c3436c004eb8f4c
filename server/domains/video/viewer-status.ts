import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import { sessions } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { SECOND_MS } from "#shared/time.ts";

/** A cached status is read again after this time, even without an announced change. */
const TRUSTED_MS = 2 * SECOND_MS;
const MOST_CACHED = 20_000;

/** `nobody`: the session has ended, or its member is locked. */
type ViewerStatus = "nobody" | "guest" | "member";

interface Known {
  readAt: number;
  memberId: number;
  isOpen: boolean;
  memberUntil: number;
}

/** Caches for seconds what the viewer of a signed address may see. A membership still ends to the millisecond. */
export class ViewerStatusCache {
  readonly #deps: Pick<Deps, "clock" | "settings">;
  readonly #read: Tx;
  readonly #known = new Map<number, Known>();
  readonly #most: number;
  #changes = 0;

  constructor({ db, bus, clock, settings }: Pick<Deps, "db" | "bus" | "clock" | "settings">, most = MOST_CACHED) {
    this.#deps = { clock, settings };
    this.#most = most;
    this.#read = db.read;
    bus.on("session.ended", ({ sessionIds }) => this.#invalidate((_, id) => sessionIds.includes(id)));
    bus.on("member.changed", ({ memberId }) => this.#invalidate((known) => known.memberId === memberId));
  }

  async statusOf(sessionId: number): Promise<ViewerStatus> {
    const { clock, settings } = this.#deps;
    if (sessionId === 0) return settings.get("video_login") === 1 ? "nobody" : "guest";
    const { isOpen, memberUntil } = this.#fresh(sessionId) ?? (await this.#readStatus(sessionId));
    if (!isOpen) return "nobody";
    return memberUntil > clock.now() ? "member" : "guest";
  }

  #fresh(sessionId: number): Known | undefined {
    const known = this.#known.get(sessionId);
    const age = this.#deps.clock.now() - (known?.readAt ?? 0);
    return age >= 0 && age < TRUSTED_MS ? known : undefined;
  }

  async #readStatus(sessionId: number): Promise<Known> {
    const [changesBefore, readAt] = [this.#changes, this.#deps.clock.now()];
    const { memberId, endedAt } = sessions;
    const { locked, memberUntil } = members;
    const [row] = await this.#read
      .select({ memberId, endedAt, locked, memberUntil })
      .from(sessions)
      .innerJoin(members, eq(members.id, memberId))
      .where(eq(sessions.id, sessionId));
    if (!row) return { readAt, memberId: 0, isOpen: false, memberUntil: 0 };
    const isOpen = row.endedAt === null && !row.locked;
    const known = { readAt, memberId: row.memberId, isOpen, memberUntil: row.memberUntil };
    // A row read during a change may be stale, so it is not cached.
    if (this.#changes === changesBefore) this.#store(sessionId, known);
    return known;
  }

  #store(sessionId: number, known: Known): void {
    this.#known.delete(sessionId);
    if (this.#known.size >= this.#most) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(sessionId, known);
  }

  #invalidate(isChanged: (known: Known, sessionId: number) => boolean): void {
    this.#changes++;
    for (const [sessionId, known] of this.#known) if (isChanged(known, sessionId)) this.#known.delete(sessionId);
  }
}
