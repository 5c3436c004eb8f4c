import { and, asc, eq, gt, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logLeaves, memberChains, memberLeaves, memberSalts } from "#db/schema/index.ts";
import type { Keys } from "#server/config/keys.ts";
import { currentLog } from "#server/domains/log/add-leaf.ts";
import { chainEndsAfter, kindOfKey } from "#server/domains/log/state-chain-ends.ts";
import { NAMING } from "#server/admin/erase/erase-member.ts";
import { memberLeafSalt, NO_CHAIN, saltedKey, type ChainEnd } from "#server/domains/log/member-leaves.ts";
import { openContent } from "#server/domains/log/read-member-leaves.ts";
import { sha256 } from "#server/domains/log/sha256.ts";
import {
  contentKey,
  follows,
  hashOfContent,
  parseChained,
  type ChainedKind,
  type Content,
} from "#shared/log/salted.ts";
import { Erasures } from "./erasures.ts";
import type { Findings } from "./findings.ts";
import { MemberFacts } from "./member-facts.ts";
import type { SaidLeaf } from "./said-leaf.ts";
import { pagesOf } from "./pages.ts";

type Row = typeof memberLeaves.$inferSelect;

/** How a sentence names a member's leaf. */
export const nameOfOwn = ({ number, memberId }: Row): string => `the log's leaf ${number} of member ${memberId}`;

/**
 * Checks what the log says of members beside bets: each chain is numbered in a row and linked by its hashes, each hash is
 * that of its content and stands in the log, and each content agrees with the tables. Then asks the tables for their
 * leaves.
 */
export async function auditMemberChains(read: Tx, keys: Keys | null, found: Findings): Promise<void> {
  const ends = new Map<number, ChainEnd>();
  const erasures = await Erasures.read(read, found);
  const facts = new MemberFacts(read, keys, erasures, found);
  const page = (after: number, limit: number) =>
    read.select().from(memberLeaves).where(gt(memberLeaves.id, after)).orderBy(asc(memberLeaves.id)).limit(limit);
  for await (const rows of pagesOf(page)) {
    const said = await readContents(read, keys, rows, erasures, found);
    const byRow = new Map(said.map(({ row, content }) => [row.id, content]));
    for (const row of rows.filter((one) => byRow.has(one.id) || isEmptied(one, erasures)))
      checkLink(row, byRow.get(row.id), ends, found);
    await checkStated(read, rows, found);
    await facts.check(
      said,
      rows.filter((row) => isEmptied(row, erasures)),
    );
  }
  await checkEnds(read, ends, found);
  await checkBound(read, found);
  await facts.finish();
  await erasures.finish();
}

/** Rows whose hash is that of their content. */
async function readContents(
  read: Tx,
  keys: Keys | null,
  rows: Row[],
  erasures: Erasures,
  found: Findings,
): Promise<SaidLeaf[]> {
  const isOfPage = inArray(memberSalts.memberId, [...new Set(rows.map(({ memberId }) => memberId))]);
  const salts = new Map((await read.select().from(memberSalts).where(isOfPage)).map((one) => [one.memberId, one.salt]));
  return rows.flatMap((row) => {
    const { memberId, number, hash } = row;
    if (isEmptied(row, erasures)) return [];
    const stored = parseChained(row.content);
    // Without the master key nobody can say what the hash of an encrypted number is over.
    if (stored?.kind === "bank" && !keys) return [{ row, content: stored }];
    const content = keys ? opened(keys, row) : stored;
    const salt = saltOf(row, salts);
    const isHash =
      content !== null &&
      salt !== null &&
      hashOfContent(salt, content, sha256) === hash &&
      content.member === String(memberId) &&
      content.number === number &&
      contentKey(content) === row.key;
    found.check(isHash, () => `${nameOfOwn(row)}: its hash is not that of its content`);
    return isHash ? [{ row, content }] : [];
  });
}

/** A leaf that named an erased member: its hash alone is left. */
const isEmptied = ({ memberId, content, key }: Row, erasures: Erasures): boolean =>
  content === "" && erasures.has(memberId) && NAMING.includes(kindOfKey(key));

function saltOf({ memberId, number, salt: kept }: Row, salts: ReadonlyMap<number, string>): Uint8Array | null {
  if (kept !== null) return /^[0-9a-f]{64}$/.test(kept) ? Buffer.from(kept, "hex") : null;
  const salt = salts.get(memberId);
  return salt === undefined ? null : memberLeafSalt(salt, number);
}

function opened(keys: Keys, { memberId, content }: Row): Content<ChainedKind> | null {
  try {
    return openContent({ keys }, memberId, content);
  } catch {
    return null;
  }
}

/** A leaf without content names none before it; the next one still names its hash. */
function checkLink(
  row: Row,
  content: SaidLeaf["content"] | undefined,
  ends: Map<number, ChainEnd>,
  found: Findings,
): void {
  const before = ends.get(row.memberId) ?? NO_CHAIN;
  const isNext = content ? follows(content, before) : row.number === before.number + 1;
  found.check(isNext, () => `${nameOfOwn(row)} does not follow leaf ${before.number}`);
  ends.set(row.memberId, { number: row.number, hash: row.hash });
}

/** Each stands in a log: that of today, or one before a restore. */
async function checkStated(read: Tx, own: readonly Row[], found: Findings): Promise<void> {
  const keys = new Map(own.map((row) => [saltedKey(kindOfKey(row.key), row.hash), row]));
  const rows = await read
    .select({ key: logLeaves.key })
    .from(logLeaves)
    .where(inArray(logLeaves.key, [...keys.keys()]));
  for (const { key } of rows) keys.delete(key);
  for (const row of keys.values()) found.check(false, () => `${nameOfOwn(row)} stands in no log`);
}

async function checkEnds(read: Tx, ends: Map<number, ChainEnd>, found: Findings): Promise<void> {
  for (const { memberId, number, hash } of await read.select().from(memberChains)) {
    const last = ends.get(memberId) ?? NO_CHAIN;
    ends.delete(memberId);
    const isEnd = last.number === number && last.hash === hash;
    found.check(isEnd, () => `the log's chain of member ${memberId} ends at leaf ${last.number}, and counts ${number}`);
  }
  for (const [memberId, { number }] of ends)
    found.check(false, () => `the log's chain of member ${memberId} ends at leaf ${number}, and counts none`);
}

/** Chains that are checked at once. */
const AT_ONCE = 500;

/** The log of today states where each chain ends, so it binds what stands in logs before a restore too. */
async function checkBound(read: Tx, found: Findings): Promise<void> {
  for (let after = 0; ;) {
    const ends = await chainEndsAfter(read, after, AT_ONCE);
    const keys = new Map(ends.map((end) => [saltedKey(kindOfKey(end.key), end.hash), end]));
    const isOfPage = and(eq(logLeaves.log, currentLog), inArray(logLeaves.key, [...keys.keys()]));
    const rows = await read.select({ key: logLeaves.key }).from(logLeaves).where(isOfPage);
    for (const { key } of rows) keys.delete(key);
    for (const { memberId, number } of keys.values())
      found.check(
        false,
        () => `the log's chain of member ${memberId} ends at leaf ${number}, which the log of today does not state`,
      );
    if (ends.length < AT_ONCE) return;
    after = ends.at(-1)!.memberId;
  }
}
