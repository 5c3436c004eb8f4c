import { codeOf, OutcomeUnknown } from "#db/away.ts";
import { failpoint } from "#db/failpoint.ts";
import type { BatchContext } from "#db/postgres/work.ts";
import { isDuplicate, isSerializationFailure } from "#db/postgres/pool.ts";
import type { WalletState } from "#server/domains/ledger/why-refused.ts";
import { answerOfKnown, refusedBy, whyNotTaken } from "./bet-book.ts";
import type { BetAnswer, BetOrder, KnownBet } from "./bet-book.ts";
import { PLACE } from "./place-sql.ts";

const MOST_TRIES = 5;

/**
 * Places a batch of bets, which are durable when it returns. If one order hits a bug, it alone fails: the orders are
 * retried one by one. Once some are committed, a failure is no longer thrown: it becomes the answer of the orders it hit.
 */
export async function placeBets(context: BatchContext, orders: BetOrder[]): Promise<BetAnswer[]> {
  const answers: BetAnswer[] = [];
  for (const [n, wave] of wavesOf(orders).entries()) {
    const some = wave.map((i) => orders[i]!);
    const placed = placeWave(context, some, orders.length === 1);
    const placedNow = await (n === 0
      ? placed
      : placed.catch((error: unknown) => some.map(() => struckBy(context, error))));
    for (const [at, i] of wave.entries()) answers[i] = placedNow[at]!;
  }
  return answers;
}

/** Splits orders into waves with at most one of each member: one statement changes a wallet only once. */
function wavesOf(orders: BetOrder[]): number[][] {
  const waves: number[][] = [];
  const before = new Map<number, number>();
  for (const [i, { memberId }] of orders.entries()) {
    const wave = before.get(memberId) ?? 0;
    before.set(memberId, wave + 1);
    (waves[wave] ??= []).push(i);
  }
  return waves;
}

function struckBy(context: BatchContext, error: unknown): BetAnswer {
  context.failed(error);
  return refusedBy(error);
}

async function placeWave(context: BatchContext, orders: BetOrder[], isAlone: boolean): Promise<BetAnswer[]> {
  try {
    const answers = await placeTogether(context, orders);
    const [{ memberId }, answer] = [orders[0]!, answers[0]!];
    if (isAlone && "refused" in answer && answer.refused === "server.fault")
      throw new Error(`there is no member ${memberId}`);
    return answers;
  } catch (error) {
    if (isAlone || !codeOf(error)?.startsWith("23")) throw error;
    const singly = orders.map((order) =>
      placeTogether(context, [order]).then(
        ([answer]) => answer!,
        (cause: unknown) => struckBy(context, cause),
      ),
    );
    return Promise.all(singly);
  }
}

/** A row of `PLACE`: an order, numbered from 1, that is taken or whose key is known; or a round that is open. */
type PlacedRow =
  | {
      what: "taken";
      n: number;
      id: number;
      balance: number;
      version: number;
      commit: number;
      now: number;
      logkey: number | null;
    }
  | { what: "known"; n: number; id: number; balance: number; version: number; hash: string }
  | { what: "open"; n: null; id: number | null; now: number };

async function placeTogether(context: BatchContext, orders: BetOrder[], tries = 1): Promise<BetAnswer[]> {
  const column = (name: keyof BetOrder) => orders.map((order) => order[name]);
  const names = ["memberId", "roundId", "mask", "stake", "total", "key", "requestHash"] as const;
  const { from, startedAt, speed } = context.reading();
  const values = [...names.map(column), from, startedAt, speed];
  let rows: PlacedRow[];
  try {
    failpoint("bets.place");
    ({ rows } = await context.pool.commit<PlacedRow>({ name: "bets.place", text: PLACE, values }));
    failpoint("bets.placed");
  } catch (error) {
    // Where another process wrote the same key first, a retry sees it.
    const isUndone = isSerializationFailure(error) || isDuplicate(error);
    if (tries === MOST_TRIES || !isUndone) throw error;
    return placeTogether(context, orders, tries + 1);
  }
  return answerAll(context, orders, rows, tries);
}

/** Some orders are committed now, so nothing may be retried. After an error the outcome of the rest is unknown. */
async function answerAll(
  context: BatchContext,
  orders: BetOrder[],
  rows: PlacedRow[],
  tries: number,
): Promise<BetAnswer[]> {
  try {
    const answers = await answersOf(context, orders, rows);
    return tries === 1 ? await makeSure(context, orders, answers) : answers;
  } catch (error) {
    throw rows.some(({ what }) => what === "taken") ? new OutcomeUnknown({ cause: error }) : error;
  }
}

/**
 * The reason of a refusal is read after the statement. A wallet that was too empty and has been topped up since would
 * look as if the member's own limit had been reached. So such orders are placed once more before that is the answer.
 */
async function makeSure(context: BatchContext, orders: BetOrder[], answers: BetAnswer[]): Promise<BetAnswer[]> {
  const doubtful = orders.flatMap((order, i) => {
    const answer = answers[i]!;
    return "refused" in answer && answer.refused === "limit.reached" ? [{ i, order }] : [];
  });
  if (doubtful.length === 0) return answers;
  const again = await placeTogether(
    context,
    doubtful.map(({ order }) => order),
    2,
  );
  for (const [at, { i }] of doubtful.entries()) answers[i] = again[at]!;
  return answers;
}

async function answersOf(context: BatchContext, orders: BetOrder[], rows: PlacedRow[]): Promise<BetAnswer[]> {
  const answers: BetAnswer[] = [];
  const open = new Set<number | null>();
  let now = 0;
  for (const one of rows) {
    if (one.what === "open") {
      open.add(one.id);
      now = one.now;
    } else if (one.what === "known") answers[one.n - 1] = answerOfKnown(orders[one.n - 1]!, one);
    else {
      const { id, balance, version, commit, now: at, logkey } = one;
      context.committed({ id: commit, at });
      answers[one.n - 1] = {
        betId: id,
        balance,
        version,
        fresh: true,
        commit: { id: commit, at, logKey: logkey ?? 0 },
      };
    }
  }
  const refused = orders.flatMap((order, i) => (answers[i] ? [] : [{ n: i + 1, ...order }]));
  if (refused.length === 0) return answers;
  await untilTaken(
    context,
    refused.filter(({ key, roundId }) => key !== null && !open.has(roundId)),
  );
  const [meanwhile, wallets] = await Promise.all([takenMeanwhile(context, refused), walletsOf(context, refused)]);
  for (const { n, memberId, roundId, total, ...order } of refused) {
    const known = meanwhile.get(n);
    const wallet = wallets.get(memberId);
    if (known) answers[n - 1] = answerOfKnown(order, known);
    else if (!wallet) answers[n - 1] = { refused: "server.fault" };
    else answers[n - 1] = { refused: whyNotTaken(wallet, now, total, open.has(roundId)) };
  }
  return answers;
}

/**
 * Waits for the bets that other statements are taking on these orders' rounds, by the lock that closing takes too. One of
 * them may be the same order, sent before the round was over by a server that has been cut off since: `round.closed` would
 * be wrong.
 */
async function untilTaken({ pool }: BatchContext, late: BetOrder[]): Promise<void> {
  if (late.length === 0) return;
  const rounds = [...new Set(late.map(({ roundId }) => roundId))];
  await pool.query({ name: "bets.late", text: LATE, values: [rounds] });
}

const LATE = "select 1 from rounds where id = any($1::bigint[]) and closed_at is null order by id for update";

/**
 * Keys that other processes wrote while the statement waited for a wallet: it saw the wallet after them, but the keys
 * before them.
 */
async function takenMeanwhile(
  { pool }: BatchContext,
  orders: (BetOrder & { n: number })[],
): Promise<Map<number, KnownBet>> {
  const keyed = orders.filter(({ key }) => key !== null);
  if (keyed.length === 0) return new Map();
  const columns = [keyed.map(({ n }) => n), keyed.map(({ memberId }) => memberId), keyed.map(({ key }) => key)];
  const { rows } = await pool.query<KnownBet & { n: number }>({ name: "bets.known", text: KNOWN, values: columns });
  return new Map(rows.map((row) => [row.n, row]));
}

const KNOWN = `select n, b.id, b.balance_after as balance, b.version, k.request_hash as hash
  from unnest($1::int[], $2::bigint[], $3::text[]) as o(n, o_member, o_key), lateral (
    select bet_id, request_hash from bet_keys where member_id = o_member and key = o_key
    union all select bet_id, request_hash from spent_keys where member_id = o_member and key = o_key
  ) k join bets b on b.id = k.bet_id`;

async function walletsOf({ pool }: BatchContext, orders: BetOrder[]): Promise<Map<number, WalletState>> {
  const { rows } = await pool.query<WalletState & { memberId: number }>(
    `select member_id as "memberId", frozen, excluded_until as "excludedUntil", balance from wallets where member_id = any($1)`,
    [orders.map(({ memberId }) => memberId)],
  );
  return new Map(rows.map((row) => [row.memberId, row]));
}
