import { bytesToHex } from "@noble/hashes/utils.js";
import { and, asc, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { spins, wheelPairs, wheelTables } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { fromUnits, toDecimal } from "#shared/money.ts";
import type { Pair } from "./pairs.ts";
import type { WheelSeeds } from "./seeds.ts";
import { readSpinsLeft } from "./spins-left.ts";

/** The public part of a member's seed pair, and all of the pair before it, which is over. */
export async function readFair(read: Tx, deps: Pick<Deps, "clock" | "settings">, seeds: WheelSeeds, pair: Pair) {
  const { daily, extra } = await readSpinsLeft(read, deps, pair.memberId);
  return {
    commit: pair.commit,
    client_seed: pair.clientSeed,
    nonce: pair.nonce,
    spins_left: daily + extra,
    spin_price: toDecimal(fromUnits(deps.settings.get<number>("spin_price"))),
    previous: await readPrevious(read, seeds, pair),
  };
}

async function readPrevious(read: Tx, seeds: WheelSeeds, { memberId, number }: Pair) {
  const ofMember = eq(wheelPairs.memberId, memberId);
  const [pair] = await read
    .select()
    .from(wheelPairs)
    .where(and(ofMember, eq(wheelPairs.number, number - 1)));
  // A seed is shown only if its own row is marked as revealed, whatever its number.
  if (!pair || pair.revealedAt === null) return null;
  return {
    seed: bytesToHex(seeds.reveal(memberId, pair.number)),
    commit: pair.commit,
    client_seed: pair.clientSeed,
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
