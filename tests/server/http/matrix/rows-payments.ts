import { anybody, play, session, whileLocked, type Rows } from "./row.ts";

export const rows: Rows = {
  "POST /member/doRecharge": play(),
  "GET /member/getUserRechargeList": whileLocked(),
  /** Only the channel can sign; a session sent with it means nothing. */
  "POST /pay/notify/{channel}": anybody({}, "403 payment.unsigned"),
  "GET /pay/notify/{channel}": anybody({}, "404 path.unknown"),
  "GET /system/getBankList": session(),
  "GET /member/getUserBankInfo": session(),
  "POST /member/setBank": session(),
  "GET /member/getUserWithdrawRole": session(),
  /** A break does not stop withdrawals. */
  "POST /member/setUserWirhdraw": session({ excluded: "200" }),
  "GET /member/getUserWithdrawList": whileLocked(),
};
