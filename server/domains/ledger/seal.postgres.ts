import type pg from "pg";
import type { JobContext } from "#db/postgres/work.ts";
import { codeOf } from "#db/away.ts";
import { merkleLeaf, MerkleTree } from "#shared/merkle.ts";
import { SEALED, sealOf, sha256, type Sealed } from "./seal-leaves.ts";

const PAGE = 1_000;
/** Retries, and the pause between them, when writers hold the ledger's lock all the time. */
const MOST_TRIES = 10;
const PAUSE_MS = 100;

interface Reach {
  house_to: number;
  transfers_to: number;
}

/**
 * Seals everything that was committed since the last seal. An advisory lock lets only one process do it at a time.
 * Returns the new seal, or null when another process is at it or nothing is new.
 */
export async function sealLedger({ pool, clock }: JobContext): Promise<string | null> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query("begin");
    const seal = await sealOnce(client, clock.now());
    await client.query("commit");
    return seal;
  } catch (error) {
    await client.query("rollback").catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}

async function sealOnce(client: pg.PoolClient, now: number): Promise<string | null> {
  const lock = await client.query<{ mine: boolean }>("select pg_try_advisory_xact_lock(7247, 4) as mine");
  if (!lock.rows[0]!.mine) return null;
  const newest = await client.query<Reach & { seal: string }>(
    "select house_to, transfers_to, seal from seals order by id desc limit 1",
  );
  const last = newest.rows[0] ?? { house_to: 0, transfers_to: 0, seal: "" };
  const reach = await reachOf(client);
  if (reach.house_to === last.house_to && reach.transfers_to === last.transfers_to) return null;
  const tree = new MerkleTree(sha256);
  for await (const leaf of leavesBetween(client, last, reach)) tree.add(merkleLeaf(leaf, sha256));
  const root = tree.root();
  const seal = sealOf(last.seal, root);
  await client.query("insert into seals (house_to, transfers_to, root, seal, created_at) values ($1, $2, $3, $4, $5)", [
    reach.house_to,
    reach.transfers_to,
    root,
    seal,
    now,
  ]);
  return seal;
}

/** The ids up to which everything is committed. Writers wait only briefly: the lock it takes has a short timeout. */
async function reachOf(client: pg.PoolClient): Promise<Reach> {
  for (let tries = 1; ; tries++) {
    await client.query("savepoint reach");
    try {
      const { rows } = await client.query<Reach>("select house_to, transfers_to from ledger_reach()");
      return rows[0]!;
    } catch (error) {
      if (tries === MOST_TRIES || codeOf(error) !== "55P03") throw error;
      await client.query("rollback to reach");
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** The leaves in the order of house entries, each with what it sums, then the transfers. */
async function* leavesBetween(client: pg.PoolClient, from: Reach, to: Reach): AsyncGenerator<string> {
  for await (const house of pages(client, "house", "house_entries where", "id", from.house_to, to.house_to)) {
    yield SEALED.house.leafOfValues(house);
    const [, kind, , roundId, fromId, toId] = house as [number, string, number, number, number, number];
    const covered =
      kind === "bets"
        ? pages(client, "bet", "bets where", "id", fromId - 1, toId)
        : pages(client, "payout", `payouts where round_id = ${roundId} and`, "member_id", fromId - 1, toId);
    for await (const row of covered) yield SEALED[kind === "bets" ? "bet" : "payout"].leafOfValues(row);
  }
  const moved = pages(client, "transfer", "transfers where", "id", from.transfers_to, to.transfers_to);
  for await (const row of moved) yield SEALED.transfer.leafOfValues(row);
}

async function* pages(client: pg.PoolClient, kind: Sealed, from: string, key: string, after: number, to: number) {
  const place = SEALED[kind].placeOf(key);
  const text = `select ${SEALED[kind].sql} from ${from} ${key} > $1 and ${key} <= $2 order by ${key} limit ${PAGE}`;
  for (let last = after; ;) {
    const { rows } = await client.query<unknown[]>({ text, values: [last, to], rowMode: "array" });
    yield* rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)![place] as number;
  }
}
