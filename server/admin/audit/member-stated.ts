import { asc, eq, gt, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { memberLeaves, spins, transfers, wheelPairs, withdrawals } from "#db/schema/index.ts";
import { leafOfTransfer } from "#server/domains/ledger/state-transfer.ts";
import { causeText } from "#server/domains/log/member-leaves.ts";
import { withdrawalWireId } from "#server/domains/payments/withdraw.ts";
import type { Findings } from "./findings.ts";
import { pagesOf } from "./pages.ts";

/** From which row on each table was stated. */
export interface FirstStated {
  transfers: number;
  spins: number;
  pairs: number;
  withdrawals: number;
}

type Demand = (keys: ReadonlyMap<string, string>) => Promise<void>;

/** Asks transfers, spins, pairs and withdrawals for their leaves. What the leaves say is asked elsewhere. */
export async function demandMemberLeaves(read: Tx, first: FirstStated, found: Findings): Promise<void> {
  const demand: Demand = (keys) => demandAll(read, keys, found);
  await demandMoves(read, first.transfers, demand);
  await demandTurns(read, first, demand);
  const asked = (after: number, limit: number) =>
    read
      .select()
      .from(withdrawals)
      .where(gt(withdrawals.id, beginning(after, first.withdrawals)))
      .orderBy(asc(withdrawals.id))
      .limit(limit);
  for await (const rows of pagesOf(asked)) await demand(new Map(rows.flatMap(statesOf)));
}

/** The row after which a page begins: those before the first that was stated are left out. None was: no row is so high. */
const beginning = (after: number, first: number): number =>
  Math.max(after, Math.min(first, Number.MAX_SAFE_INTEGER) - 1);

async function demandMoves(read: Tx, first: number, demand: Demand): Promise<void> {
  const moves = (after: number, limit: number) =>
    read
      .select()
      .from(transfers)
      .where(gt(transfers.id, beginning(after, first)))
      .orderBy(asc(transfers.id))
      .limit(limit);
  for await (const rows of pagesOf(moves)) await demand(new Map(rows.flatMap(moveOf)));
}

function moveOf({ id, code, cause }: typeof transfers.$inferSelect): [string, string][] {
  const kind = leafOfTransfer(code);
  return kind ? [[`${kind}:${code}:${causeText(cause)}`, `transfer ${id} (${code})`]] : [];
}

async function demandTurns(read: Tx, first: FirstStated, demand: Demand): Promise<void> {
  const turns = (after: number, limit: number) =>
    read
      .select({ id: spins.id, memberId: spins.memberId, nonce: spins.nonce, number: wheelPairs.number })
      .from(spins)
      .innerJoin(wheelPairs, eq(wheelPairs.id, spins.pairId))
      .where(gt(spins.id, beginning(after, first.spins)))
      .orderBy(asc(spins.id))
      .limit(limit);
  for await (const rows of pagesOf(turns))
    await demand(
      new Map(rows.map(({ id, memberId, number, nonce }) => [`spin:${memberId}:${number}:${nonce}`, `spin ${id}`])),
    );
  const pairs = (after: number, limit: number) =>
    read
      .select()
      .from(wheelPairs)
      .where(gt(wheelPairs.id, beginning(after, first.pairs)))
      .orderBy(asc(wheelPairs.id))
      .limit(limit);
  for await (const rows of pagesOf(pairs))
    await demand(new Map(rows.map(({ id, memberId, number }) => [`pair:${memberId}:${number}`, `pair ${id}`])));
}

/** The states that a withdrawal has certainly been in, and was said to be. */
function statesOf({ id, status }: typeof withdrawals.$inferSelect): [string, string][] {
  const states = new Set(["review", ...(status === "paid" ? ["approved"] : []), status]);
  const name = withdrawalWireId(id);
  return [...states].map((state) => [`withdrawal:${name}:${state}`, `withdrawal ${name} (${state})`]);
}

async function demandAll(read: Tx, keys: ReadonlyMap<string, string>, found: Findings): Promise<void> {
  const rows = await read
    .select({ key: memberLeaves.key })
    .from(memberLeaves)
    .where(inArray(memberLeaves.key, [...keys.keys()]));
  const known = new Set(rows.map(({ key }) => key));
  for (const [key, name] of keys) found.check(known.has(key), () => `the log does not state ${name}`);
}
