import { and, asc, eq, gt, notLike } from "drizzle-orm";
import { debts, deposits, paymentReturns } from "#db/schema/payments.ts";
import { REST, returnOfRest } from "#server/domains/ledger/rests.ts";
import { toDecimal } from "#shared/money.ts";
import { toIso } from "#shared/time.ts";
import { byId, type Section } from "./export-pages.ts";

const returnId = (id: number) => `ret_${id}`;

/** Top-ups that a channel took back (`text`: the order), and whether that was undone. */
const takenBack: Section = {
  name: "returns",
  pieces: ({ read, memberId }) =>
    byId(
      (after, most) =>
        read
          .select({
            id: paymentReturns.id,
            orderNo: deposits.orderNo,
            kind: paymentReturns.kind,
            amount: paymentReturns.amount,
            createdAt: paymentReturns.createdAt,
            endedAt: paymentReturns.endedAt,
          })
          .from(paymentReturns)
          .innerJoin(deposits, eq(deposits.id, paymentReturns.depositId))
          // A rest is a part of its return.
          .where(
            and(
              eq(deposits.memberId, memberId),
              gt(paymentReturns.id, after),
              notLike(paymentReturns.reference, `${REST}%`),
            ),
          )
          .orderBy(asc(paymentReturns.id))
          .limit(most),
      ({ id, orderNo, kind, amount, createdAt, endedAt }) => ({
        id: returnId(id),
        time: toIso(createdAt),
        kind,
        text: orderNo,
        amount: toDecimal(amount),
        status: endedAt === null ? "taken back" : "undone",
        ...(endedAt !== null && { until: toIso(endedAt) }),
      }),
    ),
};

/** What a return (`text`) took beyond the balance, and what is still owed (`balance`). */
const owed: Section = {
  name: "debts",
  pieces: ({ read, memberId }) =>
    byId(
      (after, most) =>
        read
          .select({
            id: debts.id,
            returnId: debts.returnId,
            reference: paymentReturns.reference,
            amount: debts.amount,
            paid: debts.paid,
            createdAt: debts.createdAt,
            settledAt: debts.settledAt,
          })
          .from(debts)
          .innerJoin(paymentReturns, eq(paymentReturns.id, debts.returnId))
          .where(and(eq(debts.memberId, memberId), gt(debts.id, after)))
          .orderBy(asc(debts.id))
          .limit(most),
      ({ id, returnId: cause, reference, amount, paid, createdAt, settledAt }) => ({
        id: `debt_${id}`,
        time: toIso(createdAt),
        text: returnId(returnOfRest(reference) ?? cause),
        amount: toDecimal(amount),
        balance: toDecimal(settledAt === null ? amount - paid : 0),
        status: settledAt === null ? "open" : paid === amount ? "paid" : "forgiven",
        ...(settledAt !== null && { until: toIso(settledAt) }),
      }),
    ),
};

export const RETURN_SECTIONS: readonly Section[] = [takenBack, owed];
