import { withConnection, type OwnConnection } from "../support/own-connection.ts";

/** A change of a wallet, as its ledger row records it. */
export interface WalletRow {
  member: number;
  /** A bet as the wire names it, `round_N` of a payout, or a transfer's own. */
  cause: string;
  version: number;
  delta: number;
  balance: number;
}

export interface BetRow {
  id: number;
  member: number;
  round: number;
  total: number;
  balance: number;
  at: number;
}

export interface RoundRow {
  id: number;
  game: number;
  day: number;
  number: number;
  openedAt: number;
  closesAt: number;
  drawsAt: number;
  closedAt: number | null;
  /** It was opened too early, by a clock that was ahead, and nobody bet on it: a gap has its place. */
  skippedAt: number | null;
  fromBet: number;
  toBet: number | null;
  settledAt: number | null;
  indexedAt: number | null;
  staked: number;
  paid: number;
}

export interface PayoutRow {
  round: number;
  member: number;
  amount: number;
}

export interface GapRow {
  game: number;
  fromDay: number;
  fromNumber: number;
  toDay: number;
  toNumber: number;
}

export interface HouseRow {
  kind: "bets" | "payouts";
  amount: number;
  from: number;
  to: number;
}

/** The ledger in the database at one moment, read without the server's code. */
export const readBooks = (database: string) =>
  withConnection(database, (connection) => connection.snapshot(() => readAll(connection)));

async function readAll(connection: OwnConnection) {
  const all = <T>(text: string) => connection.all<T>(text);
  return {
    wallets: await all<{ member: number; balance: number; version: number }>(
      "select member_id as member, balance, version from wallets",
    ),
    changes: await all<WalletRow>(
      `select member_id as member, 'bet_' || id as cause, version, -total as delta, balance_after as balance from bets
         union all select member_id, 'round_' || round_id, version, amount, balance_after from payouts
         union all select member_id, cause, version, case when credit = 'member:' || member_id then amount else -amount end, balance_after
         from transfers where member_id is not null order by 1, 3`,
    ),
    bets: await all<BetRow>(
      `select id, member_id as member, round_id as round, total, balance_after as balance, created_at as at
         from bets order by id`,
    ),
    payouts: await all<PayoutRow>("select round_id as round, member_id as member, amount from payouts"),
    house: await all<HouseRow>('select kind, amount, from_id as "from", to_id as "to" from house_entries order by id'),
    deposits: await all<{ order: string; status: string; credits: number }>(
      `select order_no as "order", status,
         (select count(*) from transfers where code = 'deposit' and cause = order_no) as credits from deposits`,
    ),
    rounds: await all<RoundRow>(
      `select id, game_id as game, day, number, opened_at as "openedAt", closes_at as "closesAt", draws_at as "drawsAt",
         closed_at as "closedAt", skipped_at as "skippedAt", from_bet as "fromBet", to_bet as "toBet",
         settled_at as "settledAt", indexed_at as "indexedAt", staked, paid from rounds order by id`,
    ),
    gaps: await all<GapRow>(
      `select game_id as game, from_day as "fromDay", from_number as "fromNumber", to_day as "toDay", to_number as "toNumber"
         from gaps where taken_back_at is null order by id`,
    ),
  };
}

export type Books = Awaited<ReturnType<typeof readBooks>>;

/** The disagreements between the rows of each wallet and the wallet itself. */
export function walletFaults({ wallets, changes }: Books): string[] {
  const faults: string[] = [];
  for (const { member, balance, version } of wallets) {
    const own = changes.filter((change) => change.member === member);
    if (own.length !== version) faults.push(`wallet ${member} has ${own.length} changes and version ${version}`);
    let sum = 0;
    for (const [i, change] of own.entries()) {
      sum += change.delta;
      if (change.version !== i + 1) faults.push(`wallet ${member}: version ${change.version} where ${i + 1} belongs`);
      if (change.balance !== sum) faults.push(`wallet ${member}: ${change.balance} after version ${i + 1}, not ${sum}`);
    }
    if (balance !== sum) faults.push(`wallet ${member} holds ${balance} and its changes come to ${sum}`);
  }
  return faults;
}

/** Where the house's entries disagree with bets and payouts: each bet is in one entry, and all sums agree. */
export function houseFaults({ house, bets, payouts }: Books): string[] {
  const faults: string[] = [];
  const entries = house.filter(({ kind }) => kind === "bets");
  const covered = new Map<number, number>();
  const byId = new Map(bets.map((bet) => [bet.id, bet]));
  for (const { amount, from, to } of entries) {
    const own = Array.from({ length: to - from + 1 }, (_, i) => byId.get(from + i) ?? []).flat();
    for (const { id } of own) covered.set(id, (covered.get(id) ?? 0) + 1);
    const staked = own.reduce((sum, { total }) => sum + total, 0);
    if (staked !== amount) faults.push(`bets ${from} to ${to} come to ${staked}, the house has ${amount}`);
  }
  for (const { id } of bets) if (covered.get(id) !== 1) faults.push(`bet ${id} is in ${covered.get(id) ?? 0} entries`);
  const paid = payouts.reduce((sum, { amount }) => sum + amount, 0);
  const housePaid = house.reduce((sum, { kind, amount }) => sum + (kind === "payouts" ? amount : 0), 0);
  if (paid !== -housePaid) faults.push(`payouts come to ${paid}, the house has ${housePaid}`);
  return faults;
}

/**
 * Rounds and gaps together must be every round from the first to the last, each once. What comes after `upTo` may come
 * yet: a clock that was ahead has opened some of it.
 */
export function calendarFaults({ rounds, gaps }: Books, perDay: number, upTo = Number.POSITIVE_INFINITY): string[] {
  const ordinal = (day: number, number: number) => day * perDay + number - 1;
  const spans = [
    ...rounds
      .filter(({ skippedAt }) => skippedAt === null)
      .map(({ day, number }) => ({ from: ordinal(day, number), to: ordinal(day, number) })),
    ...gaps.map((gap) => ({ from: ordinal(gap.fromDay, gap.fromNumber), to: ordinal(gap.toDay, gap.toNumber) })),
  ].sort((a, b) => a.from - b.from);
  return spans.flatMap(({ from }, i) => {
    const before = spans[i - 1];
    if (!before || from === before.to + 1) return [];
    const mayCome = from > before.to && before.to >= upTo;
    return mayCome ? [] : [`between ${before.to} and ${from}`];
  });
}
