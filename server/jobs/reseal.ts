import { and, asc, eq, gt, isNotNull, isNull, like, ne, not } from "drizzle-orm";
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

type Needs = Pick<Deps, "db" | "clock" | "keys" | "random" | "announce" | "log">;

/** Rows of each kind that one step renews. */
const AT_ONCE = 50;

/** A row to renew: `renew` writes it in the place of what was read, and of nothing else. */
interface Old {
  id: number;
  what: string;
  renew(tx: Tx): Promise<unknown>;
}

/** Finds rows of a kind after a number that are not of the key in force. */
type Find = (deps: Needs, after: number) => Promise<Old[]>;

/**
 * Moves what is stored under earlier master keys to the one in force, a few rows at a time. Each is written where the row is
 * still as it was read, so that servers may do it at once, be killed, and have members change the same rows. A row that
 * does not open is passed over: the audit names it.
 */
export class Resealing {
  readonly #deps: Needs;
  /** How far each kind was looked through. */
  readonly #after = new Map<Find, number>();

  constructor(deps: Needs) {
    this.#deps = deps;
  }

  /** Renews some rows of each kind. Returns whether there may be more. */
  async step(): Promise<boolean> {
    let isMore = false;
    for (const find of KINDS) {
      const rows = await find(this.#deps, this.#after.get(find) ?? 0);
      for (const row of rows) await this.#renew(row);
      const isLast = rows.length < AT_ONCE;
      this.#after.set(find, isLast ? 0 : rows.at(-1)!.id);
      isMore ||= !isLast;
    }
    return isMore;
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

const findBanks: Find = async (deps, after) => {
  const { memberId: id, sealed } = bankAccounts;
  const rows = await deps.db.read
    .select({ id, sealed })
    .from(bankAccounts)
    .where(and(gt(id, after), not(isOf(sealed, deps.keys.now.version))))
    .orderBy(asc(id))
    .limit(AT_ONCE);
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

const findLeaves: Find = async (deps, after) => {
  const { id, memberId, content } = memberLeaves;
  const isBank = and(like(memberLeaves.key, "bank:%"), ne(content, ""));
  const rows = await deps.db.read
    .select({ id, memberId, content })
    .from(memberLeaves)
    .where(and(gt(id, after), isBank, not(isOf(content, deps.keys.now.version, ACCOUNT))))
    .orderBy(asc(id))
    .limit(AT_ONCE);
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

const findLogKeys: Find = async (deps, after) => {
  const { id, sealedKey } = logKeys;
  const rows = await deps.db.read
    .select({ id, sealedKey })
    .from(logKeys)
    .where(and(gt(id, after), ne(sealedKey, ""), not(isOf(sealedKey, deps.keys.now.version))))
    .orderBy(asc(id))
    .limit(AT_ONCE);
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
const findHandles: Find = async (deps, after) => {
  const { id, handle } = passkeys;
  const rows = await deps.db.read
    .select({ id, handle, memberId: passkeys.memberId })
    .from(passkeys)
    .where(and(gt(id, after), isNull(handle)))
    .orderBy(asc(id))
    .limit(AT_ONCE);
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
const findOpenPairs: Find = async (deps, after) => {
  const rows = await oldPairs(deps, after, true);
  return rows.map(({ id, memberId }) => ({
    id,
    what: "a pair of the wheel",
    renew: (tx) => endOldOpen(tx, deps, new WheelSeeds(deps.keys), memberId),
  }));
};

/**
 * Commits that wait for words, a day later: until then a device may be about to send words for one, and would take other
 * words for fraud.
 */
const findNextPairs: Find = async (deps, after) => {
  if (deps.clock.now() < (deps.keys.now.fromDay + 1) * DAY_MS) return [];
  const rows = await oldPairs(deps, after, false);
  return rows.map(({ id, memberId }) => ({
    id,
    what: "a commit of the wheel",
    renew: (tx) => endOldNext(tx, deps, memberId),
  }));
};

const oldPairs = ({ db: { read }, keys }: Needs, after: number, isOpen: boolean) =>
  read
    .select({ id: wheelPairs.id, memberId: wheelPairs.memberId })
    .from(wheelPairs)
    .where(
      and(
        gt(wheelPairs.id, after),
        isOldPair(read, keys.now.fromDay),
        isOpen ? isNotNull(wheelPairs.words) : isNull(wheelPairs.words),
      ),
    )
    .orderBy(asc(wheelPairs.id))
    .limit(AT_ONCE);

async function endOldNext(tx: Tx, deps: Needs, memberId: number): Promise<void> {
  const seeds = new WheelSeeds(deps.keys);
  const { next } = await readPairs(tx, memberId);
  const table = await readTable(tx);
  // Without prizes there are no spins, and a pair cannot be bound to any.
  if (!next || !table || !seeds.isOld(next)) return;
  const { username: words } = await readMember(tx, memberId);
  await endPairs(tx, deps, seeds, new Map([[memberId, { words, wordsBy: "house", table }]]));
}

const KINDS: readonly Find[] = [findBanks, findLeaves, findLogKeys, findHandles, findOpenPairs, findNextPairs];
