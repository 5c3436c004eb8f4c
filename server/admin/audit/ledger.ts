import { asc, eq, getTableColumns, gt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { betColumns, bets, houseEntries, payouts, rounds, transfers, wallets } from "#db/schema/index.ts";
import { bitsIn } from "#shared/lottery/rules.ts";
import { DAY_MS } from "#shared/time.ts";
import type { Findings } from "./findings.ts";
import { HouseRanges } from "./house-ranges.ts";
import { BEFORE_ALL, inPages, isAfter } from "./pages.ts";
import { WalletChains } from "./wallet-chains.ts";
import { WalletTotals } from "./wallet-totals.ts";

interface LedgerCount {
  members: number;
  transfers: number;
  orders: number;
  /** The sum of all wallets and house accounts; 0 when no money appeared or vanished. */
  ledgerSum: number;
}

/** Recomputes every balance from the ledger's rows, and compares the house's entries with the same rows. */
export async function auditLedger(read: Tx, found: Findings): Promise<LedgerCount> {
  const chains = new WalletChains();
  const books = { chains, totals: await WalletTotals.read(read) };
  const staked = await addBets(read, books, found);
  const paid = await addPayouts(read, books, found);
  const moved = await addTransfers(read, books);
  const house = await readHouse(read, books);
  found.check(house.bets === staked.sum, () => `house entries of bets: ${house.bets}, bets: ${staked.sum}`);
  found.check(house.payouts === -paid, () => `house entries of payouts: ${house.payouts}, payouts: ${paid}`);
  let balances = 0;
  let members = 0;
  const page = (after: number, limit: number) =>
    read.select().from(wallets).where(gt(wallets.memberId, after)).orderBy(asc(wallets.memberId)).limit(limit);
  for await (const wallet of inPages(async (after, limit) => withId(await page(after, limit)))) {
    chains.check(wallet, found);
    books.totals.check(wallet, found);
    balances += wallet.balance;
    members++;
  }
  chains.checkRest(found);
  const ledgerSum = balances + house.bets + house.payouts + moved.house;
  found.check(ledgerSum === 0, () => `all accounts together are ${ledgerSum}, not 0`);
  return { members, transfers: moved.count, orders: staked.count, ledgerSum };
}

/** What every row of the ledger is added to. */
interface Books {
  chains: WalletChains;
  totals: WalletTotals;
}

const withId = <T extends { memberId: number }>(rows: T[]) => rows.map((row) => ({ ...row, id: row.memberId }));

async function addBets(read: Tx, { chains, totals }: Books, found: Findings) {
  let [count, sum] = [0, 0];
  const ranges = new HouseRanges(read, found);
  const page = (after: number, limit: number) =>
    read.select(betColumns).from(bets).where(gt(bets.id, after)).orderBy(asc(bets.id)).limit(limit);
  for await (const bet of inPages(page)) {
    chains.add(bet.memberId, bet.version, -bet.total, bet.balanceAfter);
    totals.add(bet.memberId, "staked", bet.total, bet.createdAt);
    await ranges.add(bet);
    const options = bitsIn(bet.mask);
    found.check(
      options > 0 && bet.total === bet.stake * options,
      () => `bet ${bet.id}: total is not stake times options`,
    );
    count++;
    sum += bet.total;
  }
  await ranges.end();
  return { count, sum };
}

const PAGE = 5_000;

/** A win counts towards the limits on the day of its round. */
async function addPayouts(read: Tx, { chains, totals }: Books, found: Findings): Promise<number> {
  let sum = 0;
  for (let last = { roundId: BEFORE_ALL, memberId: BEFORE_ALL }; ;) {
    const rows = await read
      .select({ ...getTableColumns(payouts), day: rounds.day })
      .from(payouts)
      .leftJoin(rounds, eq(rounds.id, payouts.roundId))
      .where(isAfter([payouts.roundId, payouts.memberId], [last.roundId, last.memberId]))
      .orderBy(asc(payouts.roundId), asc(payouts.memberId))
      .limit(PAGE);
    for (const { roundId, memberId, version, amount, balanceAfter, day } of rows) {
      chains.add(memberId, version, amount, balanceAfter);
      if (day !== null) totals.add(memberId, "won", amount, day * DAY_MS);
      else found.check(false, () => `member ${memberId} was paid in round ${roundId}, and there is no such round`);
      sum += amount;
    }
    if (rows.length < PAGE) return sum;
    last = rows.at(-1)!;
  }
}

async function addTransfers(read: Tx, { chains, totals }: Books) {
  let [count, house] = [0, 0];
  const page = (after: number, limit: number) =>
    read.select().from(transfers).where(gt(transfers.id, after)).orderBy(asc(transfers.id)).limit(limit);
  /** Credits of operators' top-ups: a reversal takes them out of the total again. */
  const toppedUp = new Set<string>();
  for await (const { id, code, cause, debit, credit, amount, memberId, version, balanceAfter, createdAt } of inPages(
    page,
  )) {
    count++;
    if (!debit.startsWith("member:")) house -= amount;
    if (!credit.startsWith("member:")) house += amount;
    if (memberId === null) continue;
    const delta = credit === `member:${memberId}` ? amount : -amount;
    chains.add(memberId, version!, delta, balanceAfter!);
    if (code === "spin") totals.add(memberId, "staked", amount, createdAt);
    if (code === "prize") totals.add(memberId, "won", amount, createdAt);
    if (code === "deposit" || (code === "reversal" && toppedUp.has(cause))) totals.addDeposited(memberId, delta);
    if (code === "deposit" && debit === "house:operator") toppedUp.add(`trf_${id}`);
  }
  return { count, house };
}

async function readHouse(read: Tx, { totals }: Books) {
  const sums = { bets: 0, payouts: 0 };
  const page = (after: number, limit: number) =>
    read.select().from(houseEntries).where(gt(houseEntries.id, after)).orderBy(asc(houseEntries.id)).limit(limit);
  for await (const { kind, amount, createdAt } of inPages(page)) {
    sums[kind] += amount;
    totals.see("commits", createdAt);
  }
  return sums;
}
