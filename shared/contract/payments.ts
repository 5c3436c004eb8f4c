import * as z from "zod/mini";
import { get, post, type ReplyOf } from "./endpoint.ts";
import { Amount, Between, Decimal, Id, Langs, maybe, Paging, Seconds, Text } from "./values.ts";

export const doRecharge = post("/member/doRecharge", {
  access: "session",
  refuses: ["recharge.closed", "member.excluded", "limit.reached", "recharge.range", "recharge.open", "recharge.away"],
  input: z.object({ pay_way: Id, money: Amount, bank_type: maybe(Text(64)) }),
  reply: z.object({
    pay_url: z.string(),
    order: z.string(),
    /** How to show the page at `pay_url`. With `redirect` it may be framed too: it links to the channel's own page. */
    open: z.enum(["frame", "redirect", "qr"]),
    /** The channel's fee; `total` is the amount with it. */
    fee: Decimal,
    total: Decimal,
  }),
  summary: "Start a top-up; the member pays at pay_url",
});

export const rechargeList = get("/member/getUserRechargeList", {
  isRecord: true,
  access: "session",
  whileLocked: true,
  refuses: ["object.unknown"],
  input: z.object({ ...Paging, ...Between, id: maybe(Id) }),
  reply: z.array(
    z.object({
      id: z.string(),
      /** What people read and say; the operator's commands take it too. */
      number: z.string(),
      status: z.int(),
      status_text: z.string(),
      money: Decimal,
      desc: z.string(),
      ...Langs,
      create_time: Seconds,
      pay_time: Seconds,
    }),
  ),
  summary: "Top-ups, newest first; of a period, or the one with this id",
});

/**
 * 1 waiting, 2 paid, 3 failed or expired, 4 credited by the operator, 5 paid and in review, 6 refund under way,
 * 7 refunded, 8 taken back by the payer's bank.
 */
export const RECHARGE_STATUS = {
  waiting: 1,
  paid: 2,
  failed: 3,
  credited: 4,
  review: 5,
  refunding: 6,
  refunded: 7,
  disputed: 8,
} as const;
export type DepositStatus = keyof typeof RECHARGE_STATUS;

/** How a payment page opens: in a frame, beside the app, or as a QR code that is scanned. */
export type Opens = ReplyOf<typeof doRecharge>["open"];
