import { and, asc, between, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { betColumns, bets, houseEntries, payouts, seals, transfers } from "#db/schema/index.ts";
import { SEALED, sealOf, sha256 } from "#server/domains/ledger/seal-leaves.ts";
import { merkleLeaf, MerkleTree } from "#shared/merkle.ts";
import { auditActs } from "./acts.ts";
import type { Findings } from "./findings.ts";
import { BEFORE_ALL } from "./pages.ts";

/** Recomputes every seal from the rows it covers. */
export async function auditSeals(read: Tx, found: Findings): Promise<void> {
  let before = { houseTo: BEFORE_ALL, transfersTo: BEFORE_ALL, actsTo: 0, seal: "" };
  for (const seal of await read.select().from(seals).orderBy(asc(seals.id))) {
    const tree = new MerkleTree(sha256);
    for await (const leaf of leavesOf(read, before, seal)) tree.add(merkleLeaf(leaf, sha256));
    const acts = seal.acts ?? [];
    for (const [, leaf] of acts) tree.add(Buffer.from(leaf, "hex"));
    const root = tree.root();
    found.check(root === seal.root, () => `seal ${seal.id}: what it covers was changed`);
    found.check(sealOf(before.seal, seal.root) === seal.seal, () => `seal ${seal.id} does not follow the one before`);
    const actsTo = seal.actsTo ?? before.actsTo;
    await auditActs(read, before.actsTo, { actsTo, acts }, found);
    before = { ...seal, actsTo };
  }
}

interface Reach {
  houseTo: number;
  transfersTo: number;
}

async function* leavesOf(read: Tx, from: Reach, to: Reach): AsyncGenerator<string> {
  const house = await read
    .select()
    .from(houseEntries)
    .where(between(houseEntries.id, from.houseTo + 1, to.houseTo))
    .orderBy(asc(houseEntries.id));
  for (const entry of house) {
    yield SEALED.house.leaf(entry);
    for (const row of await coveredBy(read, entry)) yield SEALED[entry.kind === "bets" ? "bet" : "payout"].leaf(row);
  }
  const moved = await read
    .select()
    .from(transfers)
    .where(between(transfers.id, from.transfersTo + 1, to.transfersTo))
    .orderBy(asc(transfers.id));
  for (const row of moved) yield SEALED.transfer.leaf(row);
}

function coveredBy(
  read: Tx,
  { kind, roundId, fromId, toId }: typeof houseEntries.$inferSelect,
): PromiseLike<Record<string, unknown>[]> {
  if (kind === "bets")
    return read
      .select(betColumns)
      .from(bets)
      .where(between(bets.id, fromId, toId))
      .orderBy(asc(bets.id));
  const range = and(eq(payouts.roundId, roundId!), between(payouts.memberId, fromId, toId));
  return read.select().from(payouts).where(range).orderBy(asc(payouts.memberId));
}
