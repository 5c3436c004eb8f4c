import { and, asc, eq, gte } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { memberChains, memberLeaves, memberSalts } from "#db/schema/log.ts";
import type { Deps } from "#server/app/deps.ts";
import { openNumber } from "#server/domains/account/seal-number.ts";
import { contentText, parseChained, type ChainedKind, type Content } from "#shared/log/salted.ts";
import { memberLeafSalt, NO_CHAIN, saltedKey, type ChainEnd } from "./member-leaves.ts";
import { newestTold, proveInclusion, readNumbers } from "./read-log.ts";

/** Leaves that one answer has. */
const MOST = 100;

/** The newest leaf of a member. */
export async function readChainEnd(read: Tx, memberId: number): Promise<ChainEnd> {
  const [end] = await read
    .select({ number: memberChains.number, hash: memberChains.hash })
    .from(memberChains)
    .where(eq(memberChains.memberId, memberId));
  return end ?? NO_CHAIN;
}

/** A content as it was hashed: the number of an account is stored encrypted. Throws where the row was changed. */
export function openContent({ keys }: Pick<Deps, "keys">, memberId: number, stored: string): Content<ChainedKind> {
  const content = parseChained(stored);
  if (!content) throw new Error(`no content of a leaf of member ${memberId}: ${stored}`);
  return content.kind === "bank" ? { ...content, account: openNumber({ keys }, memberId, content.account) } : content;
}

/**
 * A member's own leaves from a number on, at most 100, with what hides them. Those that are in the newest announced head
 * come with their place there and the path to its root.
 */
export async function readMemberLeaves(
  read: Tx,
  deps: Pick<Deps, "keys">,
  log: number,
  { memberId, from }: { memberId: number; from: number },
) {
  const rows = await read
    .select()
    .from(memberLeaves)
    .where(and(eq(memberLeaves.memberId, memberId), gte(memberLeaves.number, from)))
    .orderBy(asc(memberLeaves.number))
    .limit(MOST);
  const [known] = await read.select().from(memberSalts).where(eq(memberSalts.memberId, memberId));
  const contents = rows.map(({ content }) => openContent(deps, memberId, content));
  const head = await newestTold(read);
  const keys = rows.map(({ hash }, i) => saltedKey(contents[i]!.kind, hash));
  const places = await readNumbers(read, log, keys);
  const leaves = [];
  for (const [i, { number, hash }] of rows.entries()) {
    const index = places.get(keys[i]!);
    const isTold = head && index !== undefined && index < head.size;
    const place = isTold ? { index, path: await proveInclusion(read, log, index, head.size) } : null;
    const salt = memberLeafSalt(known!.salt, number).toString("hex");
    leaves.push({ number, hash, content: contentText(contents[i]!), salt, place });
  }
  return { head: head?.note ?? null, leaves };
}
