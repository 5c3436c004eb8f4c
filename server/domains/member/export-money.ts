import { and, asc, eq, getTableColumns, gt } from "drizzle-orm";
import { members, messages } from "#db/schema/member.ts";
import { deposits, withdrawals } from "#db/schema/payments.ts";
import { readJournal } from "#server/domains/ledger/journal.ts";
import { namePacked } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { toIso } from "#shared/time.ts";
import { byId, PIECE, type Section } from "./export-pages.ts";
import { wholeMessage, messageWireId } from "./read-messages.ts";

const topUps: Section = {
  name: "deposits",
  pieces: ({ read, memberId, locale }) =>
    byId(
      (after, most) =>
        read
          .select()
          .from(deposits)
          .where(and(eq(deposits.memberId, memberId), gt(deposits.id, after)))
          .orderBy(asc(deposits.id))
          .limit(most),
      ({ orderNo, createdAt, channel, reason, amount, status, paidAt }) => ({
        id: orderNo,
        time: toIso(createdAt),
        kind: channel,
        text: namePacked(reason ?? "", locale),
        amount: toDecimal(amount),
        status,
        ...(paidAt !== null && { until: toIso(paidAt) }),
      }),
    ),
};

const payOuts: Section = {
  name: "withdrawals",
  pieces: ({ read, memberId, locale }) =>
    byId(
      (after, most) =>
        read
          .select()
          .from(withdrawals)
          .where(and(eq(withdrawals.memberId, memberId), gt(withdrawals.id, after)))
          .orderBy(asc(withdrawals.id))
          .limit(most),
      ({ id, createdAt, reason, amount, status, updatedAt }) => ({
        id: `wdr_${id}`,
        time: toIso(createdAt),
        text: namePacked(reason ?? "", locale),
        amount: toDecimal(amount),
        status,
        until: toIso(updatedAt),
      }),
    ),
};

const inbox: Section = {
  name: "messages",
  pieces: ({ read, memberId, locale, ...deps }) =>
    byId(
      (after, most) =>
        read
          .select({ ...getTableColumns(messages), readTo: members.messagesReadTo })
          .from(messages)
          .innerJoin(members, eq(members.id, messages.memberId))
          .where(and(eq(messages.memberId, memberId), gt(messages.id, after)))
          .orderBy(asc(messages.id))
          .limit(most),
      (row) => ({
        id: messageWireId(row.id),
        time: toIso(row.createdAt),
        kind: row.kind,
        text: wholeMessage(deps, row, locale),
        status: row.id > row.readTo ? "unread" : "read",
      }),
    ),
};

/** As the money log calls them. */
const PREFIX = { bet: "bet", payout: "pay", transfer: "trf" } as const;

/** Every change of the balance from the first: version after version, without a gap. */
const entries: Section = {
  name: "entries",
  async *pieces({ read, memberId, locale, version: newest }) {
    for (let first = 1; first <= newest; first += PIECE) {
      const rows = await readJournal(read, memberId, first, Math.min(newest, first + PIECE - 1));
      yield rows.toReversed().map(({ kind, rowId, code, delta, balance, version, reason, at }) => ({
        id: `${PREFIX[kind]}_${rowId}`,
        time: toIso(at),
        kind: code,
        text: namePacked(reason ?? "", locale),
        amount: toDecimal(delta),
        balance: toDecimal(balance),
        version: String(version),
      }));
    }
  },
};

export const MONEY_SECTIONS: readonly Section[] = [inbox, topUps, payOuts, entries];
