import { and, count as rows, eq, like, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { attempts } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { clientKey } from "#server/domains/account/client-key.ts";
import { timeLeft } from "#server/domains/account/time-left.ts";
import { Refusal } from "#shared/refusal.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";

/** How many failures of a kind in a row are free, and how long the delays after them become. */
const LIMITS = {
  /** A name guessed from one client: almost nobody mistypes so often. */
  pair: { free: 5, longestMs: 15 * MINUTE_MS },
  /** A member's name guessed from a device where that member logged in before. */
  device: { free: 5, longestMs: 15 * MINUTE_MS },
  /** A member's password guessed with the token of a session, wherever it is used: it may be stolen. */
  session: { free: 5, longestMs: 15 * MINUTE_MS },
  /** A name guessed from anywhere. Short, or strangers could keep its member out. */
  name: { free: 50, longestMs: MINUTE_MS },
  /** A client that many people may share, each with a right password and a typo now and then. */
  address: { free: 50, longestMs: MINUTE_MS },
  /** Members whom a client registers, invites that it guesses, and taken names that it finds. It waits, but gets on. */
  signup: { free: 20, longestMs: MINUTE_MS },
  invite: { free: 50, longestMs: MINUTE_MS },
  taken: { free: 100, longestMs: MINUTE_MS },
} as const;
const FIRST_DELAY_MS = 15 * SECOND_MS;
/** The count resets after this long without a failure. */
const RESET_AFTER_MS = HOUR_MS;
/** Failures of a client that are free for each member who logs in there. */
const FREE_PER_MEMBER = 5;

type Kind = keyof typeof LIMITS;

/** 15 s, 30 s, 1 min… up to the longest. */
function delayAfter(kind: Kind, failures: number, more: number): number {
  const { free, longestMs } = LIMITS[kind];
  const beyond = failures - free - more;
  return beyond < 0 ? 0 : Math.min(longestMs, FIRST_DELAY_MS * 2 ** Math.min(beyond, 10));
}

type Row = typeof attempts.$inferSelect;

/** How often each kind of a guess's subjects has failed in a row, and its row before that guess. */
export type Counts = ReadonlyMap<Kind, { failures: number; before: Row | undefined }>;

interface Subject {
  kind: Kind;
  subject: string;
}

/** A guess of a password: at whose name, and from where. A partner's ticket guesses at no name. */
export interface Guess {
  username: string | null;
  ip: string;
  /** A device where this member logged in before: it counts by itself, and no stranger can make it wait. */
  device?: string | null;
  /** The member logged in from this client before: others' guesses, there or elsewhere, do not make it wait. */
  isFamiliar?: boolean;
  /** The session that guesses at its own member's password. */
  sessionId?: number;
}

const LONGEST_NAME = 64;

/** What a guess counts for. Without a name that is the client alone. */
function subjectsOf({ username, ip, device, sessionId }: Guess): Subject[] {
  if (device) return [{ kind: "device", subject: device }];
  const [client, name] = [clientKey(ip), username?.slice(0, LONGEST_NAME)];
  const ofClient: Subject = { kind: "address", subject: client };
  if (name === undefined) return [ofClient];
  const ofSession: Subject[] = sessionId === undefined ? [] : [{ kind: "session", subject: `${sessionId}` }];
  return [ofClient, { kind: "pair", subject: `${name} ${client}` }, { kind: "name", subject: name }, ...ofSession];
}

const isAny = (subjects: Subject[]) =>
  or(...subjects.map(({ kind, subject }) => and(eq(attempts.kind, kind), eq(attempts.subject, subject))));

type Reason = "login.locked" | "attempts.many";

/** Returns what is counted of the subjects. Refuses while one of them that matters must wait. */
async function readFree(
  read: Tx,
  subjects: Subject[],
  now: number,
  { reason, matters = () => true }: { reason: Reason; matters?: ((kind: string) => boolean) | undefined },
) {
  const known = await read.select().from(attempts).where(isAny(subjects));
  const waits = known
    .filter(({ kind }) => matters(kind))
    .map(({ kind, blockedUntil }) => timeLeft(blockedUntil, now, LIMITS[kind as Kind].longestMs));
  const wait = Math.max(0, ...waits);
  if (wait > 0) throw new Refusal(reason, { retryAfterS: Math.ceil(wait / SECOND_MS) });
  return known;
}

/** Counts each subject once more, and returns the counts by kind. Refuses while one that matters must wait. */
async function count(tx: Tx, subjects: Subject[], now: number, limit: Parameters<typeof readFree>[3]) {
  const known = await readFree(tx, subjects, now, limit);
  const counts = new Map<Kind, { failures: number; before: Row | undefined }>();
  for (const { kind, subject } of subjects) {
    const before = known.find((row) => row.kind === kind);
    const isRecent = before && before.lastAt > now - RESET_AFTER_MS;
    const failures = (isRecent ? before.failures : 0) + 1;
    const isMany = kind === "address" && failures >= LIMITS.address.free;
    const more = isMany ? FREE_PER_MEMBER * (await countMembers(tx, subject)) : 0;
    await put(tx, { kind, subject, failures, blockedUntil: now + delayAfter(kind, failures, more), lastAt: now });
    counts.set(kind, { failures, before });
  }
  return counts;
}

async function put(tx: Tx, row: typeof attempts.$inferInsert): Promise<void> {
  await tx
    .insert(attempts)
    .values(row)
    .onConflictDoUpdate({ target: [attempts.kind, attempts.subject], set: row });
}

/** How many members logged in from this client, for as long as attempts are kept. */
async function countMembers(tx: Tx, client: string): Promise<number> {
  const [counted] = await tx
    .select({ members: rows() })
    .from(attempts)
    .where(and(eq(attempts.kind, "regular"), like(attempts.subject, `${client} %`)));
  return counted!.members;
}

const limitOf = ({ isFamiliar }: Guess) => ({
  reason: "login.locked" as const,
  matters: isFamiliar ? (kind: string) => kind !== "name" && kind !== "address" : undefined,
});

/**
 * Counts an attempt before its password is checked, so that parallel guesses do not slip through. Refuses it while the
 * client, the name or both together must wait (exponential backoff). Returns the counts, for forgiving.
 */
export const countAttempt = (tx: Tx, guess: Guess, now: number): Promise<Counts> =>
  count(tx, subjectsOf(guess), now, limitOf(guess));

/**
 * Whether a guess's failure has just made strangers wait for this name: once for each row of failures, so that nobody
 * floods a member with messages.
 */
export const hasLockedName = (counts: Counts): boolean => counts.get("name")?.failures === LIMITS.name.free;

/** Refuses a guess that must wait, and counts nothing. */
export async function refuseBlocked(read: Tx, guess: Guess, now: number): Promise<void> {
  await readFree(read, subjectsOf(guess), now, limitOf(guess));
}

const MANY = { reason: "attempts.many" } as const;

type Limiting = Pick<Deps, "clock" | "db" | "isLimited">;

/** Counts a new member, a wrong invite or a taken name for this client. Refuses it while the client must wait. */
export async function countSignUp(
  { db, clock, isLimited }: Limiting,
  kind: "signup" | "invite" | "taken",
  ip: string,
): Promise<void> {
  if (isLimited) await db.transact((tx) => count(tx, [{ kind, subject: clientKey(ip) }], clock.now(), MANY));
}

/** Refuses a sign-up of a client that must wait after wrong invites or taken names, and counts nothing. */
export async function refuseGuesser({ db, clock, isLimited }: Limiting, ip: string): Promise<void> {
  const subject = clientKey(ip);
  const subjects: Subject[] = [
    { kind: "invite", subject },
    { kind: "taken", subject },
  ];
  if (isLimited) await readFree(db.read, subjects, clock.now(), MANY);
}

/**
 * After a right password: resets the name's count, and takes this attempt and its delay off the client, where the member
 * is a regular now. A delay that others caused in the meantime stays.
 */
export async function forgiveAttempt(
  tx: Tx,
  guess: Guess,
  { counted, memberId, now }: { counted: Counts; memberId: number | null; now: number },
): Promise<void> {
  const subjects = subjectsOf(guess);
  const ofClient = subjects.find(({ kind }) => kind === "address");
  const ofName = subjects.filter(({ kind }) => kind !== "address");
  if (ofName.length > 0) await tx.delete(attempts).where(isAny(ofName));
  if (!ofClient) return;
  if (memberId !== null) {
    const subject = `${ofClient.subject} ${memberId}`;
    await put(tx, { kind: "regular", subject, failures: 0, blockedUntil: 0, lastAt: now });
  }
  await takeOff(tx, ofClient, counted);
}

/** Takes back an attempt whose password nobody could check. What others counted in the meantime stays. */
export async function takeBackAttempt(tx: Tx, guess: Guess, counted: Counts): Promise<void> {
  for (const subject of subjectsOf(guess)) await takeOff(tx, subject, counted);
}

/** Takes one attempt off a subject, and its delay; one that was there before, or that others caused since, stays. */
async function takeOff(tx: Tx, subject: Subject, counted: Counts): Promise<void> {
  const isSubject = isAny([subject]);
  const [row] = await tx.select().from(attempts).where(isSubject);
  const own = counted.get(subject.kind);
  if (!row || !own) return;
  const isLast = row.failures === own.failures;
  const { blockedUntil, lastAt } = isLast ? { blockedUntil: 0, lastAt: row.lastAt, ...own.before } : row;
  await tx
    .update(attempts)
    .set({ failures: Math.max(0, row.failures - 1), blockedUntil, lastAt })
    .where(isSubject);
}
