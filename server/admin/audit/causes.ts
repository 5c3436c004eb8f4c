import { asc, eq, gt, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { debts, deposits, members, paymentReturns, transfers, withdrawals } from "#db/schema/index.ts";
import type { TransferCode } from "#server/domains/ledger/transfer.ts";
import { OWN_CREDITS } from "#server/domains/wallet/operator-credit.ts";
import { withdrawalWireId } from "#server/domains/payments/withdraw.ts";
import type { Findings } from "./findings.ts";
import { pagesOf } from "./pages.ts";

type Transfer = typeof transfers.$inferSelect;

/** From which account to which each kind of transfer moves money. `member` is the one whose wallet it changes. */
const ENDS: Record<TransferCode | "withdraw-paid", string[]> = {
  deposit: ["house:channels member", "house:operator member"],
  plan: ["member house:plans"],
  credit: ["house:operator member"],
  reversal: ["member house:operator"],
  demo: ["house:operator member"],
  welcome: ["house:operator member"],
  withdraw: ["member held:withdrawals"],
  "withdraw-return": ["held:withdrawals member"],
  "withdraw-paid": ["held:withdrawals house:channels"],
  spin: ["member house:wheel"],
  prize: ["house:wheel member"],
  chargeback: ["member house:channels"],
  "chargeback-return": ["house:channels member"],
  debt: ["member house:channels"],
};

/**
 * Asks every transfer between which accounts it may move money, and for the row that caused it. Plans and spins are asked
 * elsewhere, beside their own rows.
 */
export async function auditCauses(read: Tx, found: Findings): Promise<void> {
  const page = (after: number, limit: number) =>
    read.select().from(transfers).where(gt(transfers.id, after)).orderBy(asc(transfers.id)).limit(limit);
  for await (const rows of pagesOf(page)) {
    for (const row of rows) checkEnds(row, found);
    await checkReversals(read, withCode(rows, "reversal"), found);
    await checkDemo(read, withCode(rows, "demo"), found);
    checkWelcomes(withCode(rows, "welcome"), found);
    await checkTopUps(read, rows, found);
    await checkWithdrawals(read, withCode(rows, "withdraw", "withdraw-return", "withdraw-paid"), found);
  }
}

const CREDIT = /^trf_([1-9]\d{0,14})$/g;
const WITHDRAWAL = /^wdr_([1-9]\d{0,14})$/g;
const DEBT = /^debt:(\d{1,15}):\d+$/g;

const withCode = (rows: Transfer[], ...codes: string[]) => rows.filter(({ code }) => codes.includes(code));
const nameOf = ({ id, code }: Transfer) => `transfer ${id} (${code})`;
/** The numbers of what causes of this form name. */
const numbersIn = (rows: Pick<Transfer, "cause">[], form: RegExp): number[] =>
  rows.flatMap(({ cause }) => Array.from(cause.matchAll(form), ([, number]) => Number(number)));

function checkEnds(row: Transfer, found: Findings): void {
  const { code, debit, credit, memberId } = row;
  const short = (account: string) => (account === `member:${memberId}` ? "member" : account);
  const ends = Object.hasOwn(ENDS, code) ? ENDS[code as TransferCode] : [];
  found.check(
    ends.includes(`${short(debit)} ${short(credit)}`),
    () => `${nameOf(row)} moves money from ${debit} to ${credit}: nothing explains that`,
  );
}

/** A reversal takes back one credit of an operator, whole, from the member who had it. */
async function checkReversals(read: Tx, rows: Transfer[], found: Findings): Promise<void> {
  const ids = numbersIn(rows, CREDIT);
  const credits = await read.select().from(transfers).where(inArray(transfers.id, ids));
  const byCause = new Map(credits.map((one) => [`trf_${one.id}`, one]));
  for (const row of rows) {
    const credit = byCause.get(row.cause);
    const isOperators = credit?.debit === "house:operator" && OWN_CREDITS.has(credit.code);
    const isWhole = credit?.memberId === row.memberId && credit.amount === row.amount;
    found.check(
      isOperators && isWhole,
      () => `${nameOf(row)} takes back ${row.amount} from member ${row.memberId}: no operator gave that (${row.cause})`,
    );
  }
}

/** A demo balance is given once, to a member of the demo. */
async function checkDemo(read: Tx, rows: Transfer[], found: Findings): Promise<void> {
  const { username, demo } = members;
  const given = await read
    .select({ id: transfers.id, username, demo })
    .from(transfers)
    .innerJoin(members, eq(members.id, transfers.memberId))
    .where(
      inArray(
        transfers.id,
        rows.map(({ id }) => id),
      ),
    );
  const people = new Map(given.map(({ id, ...member }) => [id, member]));
  for (const row of rows) {
    const member = people.get(row.id);
    found.check(
      member?.demo === true && row.cause === `demo:${member.username}`,
      () => `${nameOf(row)} gives ${row.amount} to member ${row.memberId}, who is none of the demo`,
    );
  }
}

/** Points at registration are given once, since a cause stands once. */
function checkWelcomes(rows: Transfer[], found: Findings): void {
  for (const row of rows)
    found.check(
      row.cause === `welcome:${row.memberId}`,
      () => `${nameOf(row)} of ${row.amount} to member ${row.memberId} has the cause ${row.cause}`,
    );
}

/** A top-up names its order, what was taken back also the return, and a payment of debt its debt. */
async function checkTopUps(read: Tx, rows: Transfer[], found: Findings): Promise<void> {
  const some = withCode(rows, "deposit", "chargeback", "chargeback-return", "debt");
  const orders = some.map(({ cause }) => cause.split(":")[0]!);
  const known = await read
    .select({ orderNo: deposits.orderNo, reference: paymentReturns.reference })
    .from(deposits)
    .leftJoin(paymentReturns, eq(paymentReturns.depositId, deposits.id))
    .where(inArray(deposits.orderNo, orders));
  const owed = await read
    .select({ id: debts.id })
    .from(debts)
    .where(inArray(debts.id, numbersIn(some, DEBT)));
  const isOrder = new Set(known.map(({ orderNo }) => orderNo));
  const returned = known.filter(({ reference }) => reference !== null);
  const isReturn = new Set(returned.map(({ orderNo, reference }) => `${orderNo}:${reference}`));
  const isDebt = new Set(owed.map(({ id }) => id));
  for (const row of some) {
    const isCaused =
      row.code === "debt"
        ? numbersIn([row], DEBT).some((id) => isDebt.has(id))
        : (row.code === "deposit" ? isOrder : isReturn).has(row.cause);
    found.check(isCaused, () => `${nameOf(row)} of ${row.amount} has no cause: there is no ${row.cause}`);
  }
}

async function checkWithdrawals(read: Tx, rows: Transfer[], found: Findings): Promise<void> {
  const ids = numbersIn(rows, WITHDRAWAL);
  const known = await read.select({ id: withdrawals.id }).from(withdrawals).where(inArray(withdrawals.id, ids));
  const names = new Set(known.map(({ id }) => withdrawalWireId(id)));
  for (const row of rows)
    found.check(names.has(row.cause), () => `${nameOf(row)} has no cause: there is no withdrawal ${row.cause}`);
}
