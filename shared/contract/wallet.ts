import * as z from "zod/mini";
import { PERIODS } from "#shared/period.ts";
import { get, post } from "./endpoint.ts";
import { Amount, Between, Decimal, Id, Langs, maybe, Paging, Seconds, ShownPrice, WholeNumber } from "./values.ts";

export const moneyLog = get("/member/getMoneylog", {
  isRecord: true,
  access: "session",
  whileLocked: true,
  refuses: ["object.unknown"],
  input: z.object({ ...Paging, ...Between, version: maybe(WholeNumber(1, 2 ** 31 - 1)) }),
  reply: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        type_txt: z.string(),
        desc: z.string(),
        createtime: Seconds,
        money: Decimal,
        balance: Decimal,
        version: z.int(),
        /** Which round a payout or a returned stake is of. Null for other changes. */
        key: z.nullable(z.string()),
        expect: z.nullable(z.string()),
        ...Langs,
      }),
    ),
    count: z.int(),
  }),
  summary: "Every change of the wallet, newest first; of a period, or the one with this version",
});

const figures = { play_money: Decimal, recharge: Decimal, withdrawal: Decimal, win_money: Decimal };

export const personalReport = get("/member/getPersonalreport", {
  isRecord: true,
  access: "session",
  input: z.object({}),
  reply: z.object(figures),
  summary: "Settled stakes, credited top-ups, paid withdrawals and gross wins so far",
});

export const reportSeries = get("/member/reportSeries", {
  isRecord: true,
  access: "session",
  input: z.object({
    by: z.enum(PERIODS, {
      error: (issue) => (issue.input === undefined || issue.input === null ? "required" : "period"),
    }),
  }),
  reply: z.array(z.object({ from: Seconds, ...figures })),
  summary: "The same for each of the last 30 days, 12 weeks or 12 months, by UTC",
});

export const plans = get("/member/plans", {
  access: "session",
  input: z.object({}),
  reply: z.array(z.object({ id: z.string(), name: z.string(), days: z.int(), price: Decimal, ...Langs })),
  summary: "What membership costs",
});

export const buyPlan = post("/member/buyPlan", {
  access: "session",
  refuses: ["member.excluded", "object.unknown", "plan.changed", "balance.insufficient"],
  input: z.object({
    id: Id,
    price: maybe(ShownPrice),
    /** The days that the member saw. A plan that now has others is refused. */
    days: maybe(WholeNumber(1, 2 ** 31 - 1)),
  }),
  reply: z.object({ member_until: Seconds, money: Decimal, chain: z.string() }),
  summary: "Buy membership from the balance",
});

/** The nine amounts that a member may limit, as the wire spells them. */
export const LIMIT_FIELDS = [
  "stake_day",
  "stake_week",
  "stake_month",
  "loss_day",
  "loss_week",
  "loss_month",
  "recharge_day",
  "recharge_week",
  "recharge_month",
] as const;
export type LimitField = (typeof LIMIT_FIELDS)[number];
export type LimitName = LimitField | "remind_minutes";

const limits = <T extends z.core.$ZodType>(value: T) =>
  Object.fromEntries(LIMIT_FIELDS.map((name) => [name, value])) as Record<LimitField, T>;

const Limits = z.object({
  ...limits(z.nullable(z.int())),
  remind_minutes: z.nullable(z.int()),
  exclude_until: z.nullable(Seconds),
  pending: z.array(z.object({ name: z.string(), value: z.nullable(z.int()), from: Seconds })),
  /** What each limit still allows in its current day, week or month: a stake or top-up beyond it is refused. */
  left: z.object(limits(z.nullable(Decimal))),
});
export type Limits = z.output<typeof Limits>;

export const getLimits = get("/member/limits", {
  access: "session",
  input: z.object({}),
  reply: Limits,
  summary: "One's own limits and the looser ones still pending",
});

/** Absent: unchanged (`undefined`). Empty: removed (`null`). */
const change = <T extends z.core.$ZodType>(value: T) =>
  z.optional(
    z.union([
      z.pipe(
        z.literal(""),
        z.transform(() => null),
      ),
      value,
    ]),
  );

export const setLimits = post("/member/limits", {
  access: "session",
  refuses: ["limit.shortened"],
  input: z.object({
    ...limits(change(Amount)),
    remind_minutes: change(WholeNumber(1, 1440)),
    exclude_until: maybe(WholeNumber(1, 99_999_999_999)),
  }),
  reply: Limits,
  summary: "Set one's own limits: a tighter one applies at once, a looser one after 24 hours",
});
