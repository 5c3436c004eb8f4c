import { and, asc, eq, gt, lte } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { erasedMembers, operatorActs, type SealedAct } from "#db/schema/index.ts";
import { erasedName } from "#server/admin/erase/erase-member.ts";
import { contentOf } from "#server/domains/ledger/act-seals.ts";
import { SEALED, sha256 } from "#server/domains/ledger/seal-leaves.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import type { Findings } from "./findings.ts";

type Act = typeof operatorActs.$inferSelect;

/** Compares acts of operators with those that a seal names: its root tells whether it names the right ones. */
export async function auditActs(
  read: Tx,
  after: number,
  { actsTo, acts }: { actsTo: number; acts: readonly SealedAct[] },
  found: Findings,
): Promise<void> {
  // No act has a number below 1. The first seal finds one that somebody gave such a number.
  const isCovered =
    after === 0 ? lte(operatorActs.id, actsTo) : and(gt(operatorActs.id, after), lte(operatorActs.id, actsTo));
  const rows = await read.select().from(operatorActs).where(isCovered).orderBy(asc(operatorActs.id));
  const leaves = new Map(acts);
  for (const row of rows) {
    const leaf = leaves.get(row.id);
    leaves.delete(row.id);
    const name = `act ${row.id} of an operator`;
    found.check(leaf !== undefined, () => `${name} was added after its time was sealed`);
    const isAsSealed = leaf === undefined || (leafOf(row) === leaf && (await isWhole(read, row)));
    found.check(isAsSealed, () => `${name} was changed after it was sealed`);
  }
  for (const id of leaves.keys()) found.check(false, () => `act ${id} of an operator is gone, and was sealed`);
}

const leafOf = (row: Act): string => Buffer.from(merkleLeaf(SEALED.act.leaf(row), sha256)).toString("hex");

/** Whether its words are those that were sealed, or what the erasure of the member whom they named left of them. */
async function isWhole(read: Tx, { memberId, salt, content, ...row }: Act): Promise<boolean> {
  if (salt !== null && contentOf(row, salt) === content) return true;
  const { words, reason, why } = row;
  const number = /^erased (\d{1,15})$/.exec(words)?.[1];
  if (number === undefined || reason !== null || why !== null) return false;
  const id = Number(number);
  if (words !== erasedName(id) || memberId !== id) return false;
  const [erased] = await read.select().from(erasedMembers).where(eq(erasedMembers.memberId, id));
  return erased !== undefined;
}
