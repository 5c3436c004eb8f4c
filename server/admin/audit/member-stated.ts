import { and, asc, eq, gte, gt, inArray } from "drizzle-orm";
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
  const from = (id: number) => (Number.isFinite(id) ? id : Number.MAX_SAFE_INTEGER);
  await demandMoves(read, from(first.transfers), demand);
  await demandTurns(read, { spins: from(first.spins), pairs: from(first.pairs) }, demand);
  const asked = (after: number, limit: number) =>
    read
      .select()
      .from(withdrawals)
      .where(and(gt(withdrawals.id, after), gte(withdrawals.id, from(first.withdrawals))))
      .orderBy(asc(withdrawals.id))
      .limit(limit);
  for await (const rows of pagesOf(asked)) await demand(new Map(rows.flatMap(statesOf)));
}

async function demandMoves(read: Tx, first: number, demand: Demand): Promise<void> {
  const moves = (after: number, limit: number) =>
    read
      .select()
      .from(transfers)
      .where(and(gt(transfers.id, after), gte(transfers.id, first)))
      .orderBy(asc(transfers.id))
      .limit(limit);
  for await (const rows of pagesOf(moves)) await demand(new Map(rows.flatMap(moveOf)));
}

function moveOf({ id, code, cause }: typeof transfers.$inferSelect): [string, string][] {
  const kind = leafOfTransfer(code);
  return kind ? [[`${kind}:${code}:${causeText(cause)}`, `transfer ${id} (${code})`]] : [];
}

async function demandTurns(read: Tx, first: { spins: number; pairs: number }, demand: Demand): Promise<void> {
  const turns = (after: number, limit: number) =>
    read
      .select({ id: spins.id, memberId: spins.memberId, nonce: spins.nonce, number: wheelPairs.number })
      .from(spins)
      .innerJoin(wheelPairs, eq(wheelPairs.id, spins.pairId))
      .where(and(gt(spins.id, after), gte(spins.id, first.spins)))
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
      .where(and(gt(wheelPairs.id, after), gte(wheelPairs.id, first.pairs)))
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
  if (keys.size === 0) return;
  const rows = await read
    .select({ key: memberLeaves.key })
    .from(memberLeaves)
    .where(inArray(memberLeaves.key, [...keys.keys()]));
  const known = new Set(rows.map(({ key }) => key));
  for (const [key, name] of keys) found.check(known.has(key), () => `the log does not state ${name}`);
}
