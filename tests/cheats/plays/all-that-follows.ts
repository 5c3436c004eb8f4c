import type { Forger } from "../trial/forger.ts";
import { BET, LAST, MIA } from "./ids.ts";

const LEDGER = ["bets", "payouts", "transfers"];
/** The sums that a change of today counts in, and those of one of days ago. */
const TODAY = ["total", "day", "week", "month"];
const EARLIER = ["total", "week", "month"];

/** A change of a wallet never was: all later ones move up, and each balance is what it would have been. */
async function closeUp(forger: Forger, memberId: number, version: number, gained: number): Promise<void> {
  const later = `member_id = ${memberId} and version > ${version}`;
  const moved = LEDGER.map(
    (table) => `update ${table} set version = version - 1, balance_after = balance_after - (${gained}) where ${later}`,
  );
  await forger.run(`${moved.join("; ")};
    delete from journal_index where member_id = ${memberId} and version = ${version};
    update journal_index set version = -version where ${later};
    update journal_index set version = -version - 1 where member_id = ${memberId} and version < 0;
    update wallets set version = version - 1, balance = balance - (${gained}) where member_id = ${memberId}`);
}

interface Changed {
  version: number;
  amount: number;
}

const less = (what: string, amount: number, sums = TODAY) =>
  sums.map((period) => `${what}_${period} = ${what}_${period} - ${amount}`).join();

/** A win was never paid: the member's records, their wallet, the round and the house agree. */
export async function unpay(forger: Forger, roundId: number, memberId: number, isToday = true): Promise<void> {
  const paid = `round_id = ${roundId} and member_id = ${memberId}`;
  const { version, amount } = await forger.one<Changed>(`select version, amount from payouts where ${paid}`);
  await forger.run(`delete from payouts where ${paid}`);
  await closeUp(forger, memberId, version, amount);
  await forger.run(
    `update wallets set ${less("won", amount, isToday ? TODAY : EARLIER)} where member_id = ${memberId}`,
  );
  await forger.run(`update rounds set paid = paid - ${amount} where id = ${roundId}`);
  await forger.run(
    `update house_entries set amount = amount + ${amount}, from_id = from_id + 1 where kind = 'payouts' and round_id = ${roundId}`,
  );
}

/** A bet was never placed. Its number is free, as if a call had failed. */
export async function unbet(forger: Forger, betId: number): Promise<void> {
  const bet = await forger.one<Changed & { memberId: number; roundId: number }>(
    `select version, total as amount, member_id as "memberId", round_id as "roundId" from bets where id = ${betId}`,
  );
  const { version, amount, memberId, roundId } = bet;
  await forger.run(`delete from bets where id = ${betId}`);
  await closeUp(forger, memberId, version, -amount);
  await forger.run(`update wallets set ${less("staked", amount)} where member_id = ${memberId}`);
  await forger.run(`update rounds set staked = staked - ${amount}, bet_count = bet_count - 1 where id = ${roundId}`);
  await forger.run(`delete from house_entries where kind = 'bets' and from_id = ${betId}`);
}

/** When the played site was last busy. */
const LAST_MS = 1_772_582_581_000;

/** One unit more moves into or out of the wallet of member 2, with all that follows, as a forger writes it. */
export function moved(code: string, cause: string, from: string, to: string, atMs = LAST_MS): string {
  const gained = to === "member:2" ? 100 : -100;
  return `
    insert into transfers (code, cause, debit, credit, amount, member_id, version, balance_after, created_at)
      select '${code}', '${cause}', '${from}', '${to}', 100, 2, version + 1, balance + ${gained}, ${atMs}
      from wallets where member_id = 2;
    insert into journal_index (member_id, version, kind, row_id)
      select 2, version + 1, 'transfer', (select max(id) from transfers) from wallets where member_id = 2;
    update wallets set version = version + 1, balance = balance + ${gained} where member_id = 2`;
}

/** Another history: what mia won in the last round she has lost, in all tables, seals and leaves. */
export async function anotherWorld(forger: Forger): Promise<void> {
  await forger.run(`update bets set mask = 3 where id = ${BET}`);
  await unpay(forger, LAST.id, MIA);
  await forger.rewriteAll();
}
