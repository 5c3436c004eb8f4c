import * as z from "zod/mini";
import { get, post } from "./endpoint.ts";
import { Amount, Decimal, Id, maybe, Paging, Seconds, Text } from "./values.ts";

export const doRecharge = post("/member/doRecharge", {
  access: "session",
  input: z.object({ pay_way: Id, money: Amount, bank_type: maybe(Text(64)) }),
  reply: z.object({ pay_url: z.string(), order: z.string() }),
  summary: "Start a top-up; the member pays at pay_url",
});

export const rechargeList = get("/member/getUserRechargeList", {
  access: "session",
  whileLocked: true,
  input: z.object(Paging),
  reply: z.array(
    z.object({
      id: z.string(),
      status: z.int(),
      status_text: z.string(),
      money: Decimal,
      desc: z.string(),
      create_time: Seconds,
      pay_time: Seconds,
    }),
  ),
  summary: "Top-ups, newest first",
});

/** 1 waiting, 2 paid, 3 failed or expired, 4 credited by the operator. */
export const RECHARGE_STATUS = { waiting: 1, paid: 2, failed: 3, credited: 4 } as const;
export type DepositStatus = keyof typeof RECHARGE_STATUS;
