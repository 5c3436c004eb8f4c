import type pg from "pg";
import { codeOf } from "#db/away.ts";
import type { JobContext } from "#db/postgres/work.ts";
import type { SealedAct } from "#db/schema/ledger.ts";
import { merkleLeaf, MerkleTree } from "#shared/merkle.ts";
import { actLeaf, contentOf, namedBy, saltOf, type ActWords } from "./act-seals.ts";
import { SEALED, sealOf, sha256, type Sealed } from "./seal-leaves.ts";

const PAGE = 1_000;
/** Retries, and the pause between them, when writers hold the ledger's lock all the time. */
const MOST_TRIES = 10;
const PAUSE_MS = 100;

interface Reach {
  house_to: number;
  transfers_to: number;
  acts_to: number;
}

/**
 * Seals everything that was committed since the last seal. An advisory lock lets only one process do it at a time.
 * `random`: 32 bytes, hex. Returns the new seal, or null when another process is at it or nothing is new.
 */
export async function sealLedger({ pool, clock }: JobContext, random: string): Promise<string | null> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const seal = await sealOnce(client, clock.now(), random);
    await client.query("commit");
    client.release();
    return seal;
  } catch (error) {
    // It may hold a lock of its session, which no rollback gives back.
    client.release(true);
    throw error;
  }
}

async function sealOnce(client: pg.PoolClient, now: number, random: string): Promise<string | null> {
  const lock = await client.query<{ mine: boolean }>("select pg_try_advisory_xact_lock(7247, 4) as mine");
  if (!lock.rows[0]!.mine) return null;
  const newest = await client.query<Reach & { id: number; seal: string }>(
    `select id, house_to, transfers_to, (select coalesce(max(acts_to), 0) from seals) as acts_to, seal
      from seals order by id desc limit 1`,
  );
  const last = newest.rows[0] ?? { id: 0, house_to: 0, transfers_to: 0, acts_to: 0, seal: "" };
  const reach = await reachOf(client);
  const isSame = (["house_to", "transfers_to", "acts_to"] as const).every((part) => reach[part] === last[part]);
  if (isSame) return null;
  const tree = new MerkleTree(sha256);
  for await (const leaf of leavesBetween(client, last, reach)) tree.add(merkleLeaf(leaf, sha256));
  const acts = await sealActs(client, random, last.acts_to, reach.acts_to);
  for (const [, leaf] of acts) tree.add(Buffer.from(leaf, "hex"));
  const root = tree.root();
  const seal = sealOf(last.seal, root);
  // The table's own sequence leaves numbers out after a rollback, a crash or a promotion, and who reads the log would miss seals.
  await client.query(
    `insert into seals (id, house_to, transfers_to, acts_to, acts, root, seal, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [last.id + 1, reach.house_to, reach.transfers_to, reach.acts_to, JSON.stringify(acts), root, seal, now],
  );
  return seal;
}

/** Completes the acts of operators for their leaves. An erasure meanwhile conflicts with it on the row, and is retried. */
async function sealActs(client: pg.PoolClient, random: string, from: number, to: number): Promise<SealedAct[]> {
  const { rows } = await client.query<ActWords & { id: number; command: string }>(
    "select id, command, words, reason, why from operator_acts where id > $1 and id <= $2 order by id for update",
    [from, to],
  );
  const acts: SealedAct[] = [];
  for (const { id, command, ...words } of rows) {
    const salt = saltOf(random, id);
    const completed = await client.query<unknown[]>({
      text: `update operator_acts set member_id = coalesce(member_id, (select id from members where username = $1)),
        salt = $2, content = $3 where id = $4 returning ${SEALED.act.sql}`,
      values: [namedBy(command, words.words), salt, contentOf(words, salt), id],
      rowMode: "array",
    });
    acts.push([id, Buffer.from(actLeaf(completed.rows[0]!)).toString("hex")]);
  }
  return acts;
}

/** The ids up to which everything is committed. Writers wait only briefly: the lock it takes has a short timeout. */
async function reachOf(client: pg.PoolClient): Promise<Reach> {
  for (let tries = 1; ; tries++) {
    await client.query("savepoint reach");
    try {
      const { rows } = await client.query<Reach>("select house_to, transfers_to, acts_to from ledger_reach()");
      return rows[0]!;
    } catch (error) {
      if (tries === MOST_TRIES || codeOf(error) !== "55P03") throw error;
      // The function's lock is the session's: a rollback would keep it.
      await client.query("rollback to reach; select pg_advisory_unlock_all()");
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
