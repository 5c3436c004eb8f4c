import * as z from "zod/mini";
import { get, post } from "./endpoint.ts";
import {
  Amount,
  Between,
  Decimal,
  Flag,
  Id,
  Langs,
  maybe,
  Millis,
  Nothing,
  Paging,
  Passcode,
  PasskeyAnswer,
  RealName,
  Seconds,
  Text,
  told,
} from "./values.ts";

/** An account number, in any country's form: 6 to 34 digits and letters, at least one of them a digit. */
const AccountNumber = z
  .string({ error: (issue) => (issue.input === undefined || issue.input === null ? "required" : "text") })
  .check(z.minLength(1, "required"), z.regex(/^(?=.*[0-9])[A-Za-z0-9]{6,34}$/, "bankid"));

const Mobile = told(Text(20).check(z.regex(/^\+?[0-9][0-9 -]{4,18}$/, "mobile")), { maxLength: 20 });

export const getBankList = get("/system/getBankList", {
  access: "session",
  input: z.object({}),
  reply: z.array(z.object({ text: z.string(), value: z.string() })),
  summary:
    "The banks that an account may be bound at, by their names in the caller's language, its own country's first",
});

export const getUserBankInfo = get("/member/getUserBankInfo", {
  access: "session",
  input: z.object({}),
  reply: z.object({
    is_bank: Flag,
    info: z.nullable(z.object({ bankinfo: z.string(), bankid: z.string() })),
  }),
  summary: "The bound bank account; of its number the last four characters",
});

export const setBank = post("/member/setBank", {
  access: "session",
  freshProof: true,
  refuses: ["bank.bound", "passcode.missing", "name.mismatch"],
  input: z.object({
    bankid: AccountNumber,
    bank: Text(64),
    bank_code: Id,
    username: RealName,
    mobile: maybe(Mobile),
  }),
  reply: Nothing,
  summary: "Bind a bank account, once",
});

export const getUserWithdrawRole = get("/member/getUserWithdrawRole", {
  access: "session",
  input: z.object({}),
  reply: z.object({
    min: Decimal,
    max: Decimal,
    daily_count: z.int(),
    used_today: z.int(),
    arrival: z.string(),
    closed: Flag,
    /** What the member owes after a payment was taken back. Withdrawals are refused while they owe. */
    debt: Decimal,
    /** Until then withdrawals are requested, but neither approved nor paid: the account was changed. 0: no such time. */
    cooling_until_ms: Millis,
  }),
  summary: "The rules of a withdrawal",
});

/** The path's spelling is the specification's. */
export const setUserWithdraw = post("/member/setUserWirhdraw", {
  access: "session",
  refuses: [
    "withdraw.closed",
    "name.missing",
    "bank.missing",
    "passcode.missing",
    "passcode.wrong",
    "passcode.locked",
    "passkey.wrong",
    "passkey.address",
    "passkey.insecure",
    "debt.open",
    "withdraw.beyond",
    "withdraw.range",
  ],
  /** One of the two; `passkey` is ours, beyond the specification. */
  input: z.object({ money: Amount, paypwd: maybe(Passcode), passkey: maybe(PasskeyAnswer) }),
  reply: z.object({ id: z.string(), money: Decimal }),
  summary: "Request a withdrawal with the pay password or a passkey; the amount is held at once",
});

export const withdrawList = get("/member/getUserWithdrawList", {
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
      update_time: Seconds,
    }),
  ),
  summary: "Withdrawals, newest first; of a period, or the one with this id",
});

/** 1 in review, 2 approved, 3 refused (the held amount is returned), 4 paid. */
export const WITHDRAW_STATUS = { review: 1, approved: 2, refused: 3, paid: 4 } as const;
export type WithdrawalStatus = keyof typeof WITHDRAW_STATUS;
