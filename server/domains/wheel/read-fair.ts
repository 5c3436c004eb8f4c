import { bytesToHex } from "@noble/hashes/utils.js";
import { and, asc, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { spins, wheelPairs, wheelTables } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { memberWireId } from "#server/domains/account/find-member.ts";
import { fromUnits, toDecimal } from "#shared/money.ts";
import { rowsOf } from "#shared/wheel.ts";
import type { Pair } from "./pairs.ts";
import type { WheelSeeds } from "./seeds.ts";
import { readSpinsLeft } from "./spins-left.ts";

/** The public part of a member's pairs: the one in use, the commit of the next, and all of the one that is over. */
export async function readFair(
  read: Tx,
  deps: Pick<Deps, "clock" | "settings">,
  seeds: WheelSeeds,
  { open, next }: { open: Pair | undefined; next: typeof wheelPairs.$inferSelect },
) {
  const { memberId } = next;
  const { daily, extra } = (await readSpinsLeft(read, deps, [memberId])).get(memberId)!;
  return {
    member: memberWireId(memberId),
    number: open?.number ?? null,
    commit: open?.commit ?? null,
    client_seed: open?.words ?? null,
    words_by: open?.wordsBy ?? null,
    table: open ? await readBound(read, open) : null,
    nonce: open?.nonce ?? 0,
    spins_left: daily + extra,
    spins_daily: deps.settings.get<number>("spin_daily"),
    spin_price: toDecimal(fromUnits(deps.settings.get<number>("spin_price"))),
    next_commit: next.commit,
    next_number: next.number,
    previous: await readPrevious(read, seeds, memberId, (open ?? next).number - 1),
  };
}

/** The table that a pair is bound to, with the hash that was written down then. */
async function readBound(read: Tx, { tableId, tableHash }: typeof wheelPairs.$inferSelect) {
  if (tableId === null || tableHash === null) return null;
  const [table] = await read.select().from(wheelTables).where(eq(wheelTables.id, tableId));
  return { id: `tbl_${tableId}`, hash: tableHash, prizes: rowsOf(table!.prizes) };
}

async function readPrevious(read: Tx, seeds: WheelSeeds, memberId: number, number: number) {
  const ofMember = eq(wheelPairs.memberId, memberId);
  const [pair] = await read
    .select()
    .from(wheelPairs)
    .where(and(ofMember, eq(wheelPairs.number, number)));
  // A seed is shown only if its own row is marked as revealed, whatever its number.
  if (!pair || pair.revealedAt === null || pair.words === null) return null;
  const seed = seeds.shown(pair);
  // Its master key is gone: the message that told the seed is still there.
  if (!seed) return null;
  return {
    number,
    seed: bytesToHex(seed),
    commit: pair.commit,
    client_seed: pair.words,
    words_by: pair.wordsBy,
    table: await readBound(read, pair),
    spins: await readSpins(read, pair.id),
  };
}

async function readSpins(read: Tx, pairId: number) {
  const rows = await read.select().from(spins).where(eq(spins.pairId, pairId)).orderBy(asc(spins.nonce));
  const tableIds = [...new Set(rows.map(({ tableId }) => tableId))];
  const tables = tableIds.length ? await read.select().from(wheelTables).where(inArray(wheelTables.id, tableIds)) : [];
  const chances = new Map(tables.map(({ id, prizes }) => [id, prizes.map(({ id, weight }) => ({ id, weight }))]));
  return rows.map(({ nonce, prizeId, tableId }) => ({ nonce, id: prizeId, prizes: chances.get(tableId)! }));
}
