import { inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { erasedMembers, keptSalts, memberSalts } from "#db/schema/log.ts";
import { KeptSalts, MemberSalt, type SaltSource } from "./member-salt.ts";

/** The salts of these members, as far as they have any: of erased ones, those that were written down. */
export async function readSalts(read: Tx, memberIds: readonly number[]): Promise<Map<number, SaltSource>> {
  const wanted = [...new Set(memberIds)];
  if (wanted.length === 0) return new Map();
  const rows = await read.select().from(memberSalts).where(inArray(memberSalts.memberId, wanted));
  const known = new Map<number, SaltSource>(rows.map((row) => [row.memberId, new MemberSalt(row.memberId, row.salt)]));
  const erased = await read.select().from(erasedMembers).where(inArray(erasedMembers.memberId, wanted));
  if (erased.length === 0) return known;
  const isKept = inArray(
    keptSalts.memberId,
    erased.map(({ memberId }) => memberId),
  );
  const kept = Map.groupBy(await read.select().from(keptSalts).where(isKept), ({ memberId }) => memberId);
  for (const { memberId, mark } of erased) {
    const own = (kept.get(memberId) ?? []).map(({ name, salt }) => [name, salt] as const);
    known.set(memberId, new KeptSalts(mark, own));
  }
  return known;
}
