import { and, asc, type Column, eq, gt, isNotNull, isNull, like, lte, max, ne, not } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { bankAccounts, logKeys, memberLeaves, passkeys, wheelPairs } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { handleOf } from "#server/domains/account/read-passkeys.ts";
import { openNumber, sealNumber } from "#server/domains/account/seal-number.ts";
import { sealAnew } from "#server/domains/log/log-key.ts";
import { endOldOpen, endPairs, readPairs } from "#server/domains/wheel/pairs.ts";
import { readTable } from "#server/domains/wheel/prize-table.ts";
import { WheelSeeds } from "#server/domains/wheel/seeds.ts";
import { contentText, parseChained } from "#shared/log/salted.ts";
import { DAY_MS } from "#shared/time.ts";
import { ACCOUNT, isOf, isOldPair } from "#server/domains/keys/still-needed.ts";

type Needs = Pick<Deps, "db" | "clock" | "keys" | "random" | "announce" | "log" | "publicLog">;

/** So many numbers of each kind does one step look through, however few rows they are or need it. */
const AT_ONCE = 1_000;

/** A row to renew: `renew` writes it in the place of what was read, and of nothing else. */
interface Old {
  id: number;
  what: string;
  renew(tx: Tx): Promise<unknown>;
}

/** Numbers of rows: those above `after`, up to `last`. */
interface Span {
  after: number;
  last: number;
}

/** Something that is stored under a key. */
interface Kind {
  id: Column;
  /** Finds the rows of some numbers that are not of the key in force. */
  find(deps: Needs, span: Span): Promise<Old[]>;
}

/**
 * Moves what is stored under earlier master keys to the one in force, a few rows at a time. Each is written where the row is
 * still as it was read, so that servers may do it at once, be killed, and have members change the same rows. A row that
 * does not open is passed over: the audit names it.
 */
export class Resealing {
  readonly #deps: Needs;
  /** How far each kind was looked through. */
  readonly #after = new Map<Kind, number>();

  constructor(deps: Needs) {
    this.#deps = deps;
  }

  /** Looks through some rows of each kind. Returns whether there are more; once there are none, it begins anew. */
  async step(): Promise<boolean> {
    let isMore = false;
    for (const kind of KINDS) isMore = (await this.#stepOf(kind)) || isMore;
    if (!isMore) this.#after.clear();
    return isMore;
  }

  async #stepOf(kind: Kind): Promise<boolean> {
    const after = this.#after.get(kind) ?? 0;
    const newest = await newestOf(this.#deps.db.read, kind.id);
    const last = Math.min(after + AT_ONCE, newest);
    if (last <= after) return false;
    for (const row of await kind.find(this.#deps, { after, last })) await this.#renew(row);
    this.#after.set(kind, last);
    return last < newest;
  }

  async #renew({ id, what, renew }: Old): Promise<void> {
    failpoint("keys.reseal", id);
    try {
      await this.#deps.db.transact((tx) => renew(tx));
    } catch (error) {
      this.#deps.log.error({ err: error, row: id }, `${what} could not be moved to the master key in force`);
    }
  }
}

const within = (id: Column, { after, last }: Span) => and(gt(id, after), lte(id, last));

async function newestOf(read: Tx, id: Column): Promise<number> {
  const [row] = await read.select({ newest: max(id).mapWith(Number) }).from(id.table);
  return row!.newest ?? 0;
}

const findBanks: Kind["find"] = async (deps, span) => {
  const { memberId: id, sealed } = bankAccounts;
  const rows = await deps.db.read
    .select({ id, sealed })
    .from(bankAccounts)
    .where(and(within(id, span), not(isOf(sealed, deps.keys.now.version))))
    .orderBy(asc(id));
  return rows.map((row) => ({
    id: row.id,
    what: "a bank account",
    renew: (tx) =>
      tx
        .update(bankAccounts)
        .set({ sealed: sealNumber(deps, row.id, openNumber(deps, row.id, row.sealed)) })
        .where(and(eq(id, row.id), eq(sealed, row.sealed))),
  }));
};

const findLeaves: Kind["find"] = async (deps, span) => {
  const { id, memberId, content } = memberLeaves;
  const isBank = and(like(memberLeaves.key, "bank:%"), ne(content, ""));
  const rows = await deps.db.read
    .select({ id, memberId, content })
    .from(memberLeaves)
    .where(and(within(id, span), isBank, not(isOf(content, deps.keys.now.version, ACCOUNT))))
    .orderBy(asc(id));
  return rows.map((row) => ({
    id: row.id,
    what: "a bank account in the log",
    renew: (tx) =>
      tx
        .update(memberLeaves)
        .set({ content: leafAnew(deps, row) })
        .where(and(eq(id, row.id), eq(content, row.content))),
  }));
};

/** The same content, its account encrypted under the key in force. */
function leafAnew(deps: Needs, { memberId, content }: { memberId: number; content: string }): string {
  const stored = parseChained(content);
  if (stored?.kind !== "bank") throw new Error("no content of a bank account");
  const account = sealNumber(deps, memberId, openNumber(deps, memberId, stored.account));
  return contentText({ ...stored, account });
}

const findLogKeys: Kind["find"] = async (deps, span) => {
  const { id, sealedKey } = logKeys;
  const rows = await deps.db.read
    .select({ id, sealedKey })
    .from(logKeys)
    .where(and(within(id, span), ne(sealedKey, ""), not(isOf(sealedKey, deps.keys.now.version))))
    .orderBy(asc(id));
  return rows.map((row) => ({
    id: row.id,
    what: "a key of the log",
    renew: (tx) =>
      tx
        .update(logKeys)
        .set({ sealedKey: sealAnew(deps, row.sealedKey) })
        .where(and(eq(id, row.id), eq(sealedKey, row.sealedKey))),
  }));
};

/** Authenticators keep the handle that they got: it is written down as it is. */
const findHandles: Kind["find"] = async (deps, span) => {
  const { id, handle } = passkeys;
  const rows = await deps.db.read
    .select({ id, handle, memberId: passkeys.memberId })
    .from(passkeys)
    .where(and(within(id, span), isNull(handle)))
    .orderBy(asc(id));
  return rows.map((row) => ({
    id: row.id,
    what: "a passkey",
    renew: (tx) =>
      tx
        .update(passkeys)
        .set({ handle: handleOf(deps, row) })
        .where(and(eq(id, row.id), isNull(handle))),
  }));
};

/** Whoever has the earlier key knows the seeds of these pairs. What was drawn from them can be checked from now on. */
const findOpenPairs: Kind["find"] = async (deps, span) => {
  const rows = await oldPairs(deps, span, true);
  return rows.map(({ id, memberId }) => ({
    id,
    what: "a pair of the wheel",
    renew: (tx) => endOldOpen(tx, deps, new WheelSeeds(deps), memberId),
  }));
};

/**
 * Commits that wait for words, a day later: until then a device may be about to send words for one, and would take other
 * words for fraud.
 */
const findNextPairs: Kind["find"] = async (deps, span) => {
  if (deps.clock.now() < (deps.keys.now.fromDay + 1) * DAY_MS) return [];
  const rows = await oldPairs(deps, span, false);
  return rows.map(({ id, memberId }) => ({
    id,
    what: "a commit of the wheel",
    renew: (tx) => endOldNext(tx, deps, memberId),
  }));
};

const oldPairs = ({ db: { read }, keys }: Needs, span: Span, isOpen: boolean) =>
  read
    .select({ id: wheelPairs.id, memberId: wheelPairs.memberId })
    .from(wheelPairs)
    .where(
      and(
        within(wheelPairs.id, span),
        isOldPair(read, keys.now.fromDay),
        isOpen ? isNotNull(wheelPairs.words) : isNull(wheelPairs.words),
      ),
    )
    .orderBy(asc(wheelPairs.id));

async function endOldNext(tx: Tx, deps: Needs, memberId: number): Promise<void> {
  const seeds = new WheelSeeds(deps);
  const { next } = await readPairs(tx, memberId);
  const table = await readTable(tx);
  // Without prizes there are no spins, and a pair cannot be bound to any.
  if (!next || !table || !seeds.isOld(next)) return;
  const { username: words } = await readMember(tx, memberId);
  await endPairs(tx, deps, seeds, new Map([[memberId, { words, wordsBy: "house", table }]]));
}

const KINDS: readonly Kind[] = [
  { id: bankAccounts.memberId, find: findBanks },
  { id: memberLeaves.id, find: findLeaves },
  { id: logKeys.id, find: findLogKeys },
  { id: passkeys.id, find: findHandles },
  { id: wheelPairs.id, find: findOpenPairs },
  { id: wheelPairs.id, find: findNextPairs },
];
