import type { Plays } from "../play.ts";
import { WITHDRAWAL } from "./ids.ts";
import { GOLD } from "./ledger.ts";

export const withdrawals: Plays = {
  "mark-a-withdrawal-paid": {
    data: `update withdrawals set status = 'paid' where id = ${WITHDRAWAL.approved};
      insert into transfers (code, cause, debit, credit, amount, created_at)
        values ('withdraw-paid', 'wdr_2', 'held:withdrawals', 'house:channels', 11000, 1772582581000);
      update wallets set withdrawn_total = withdrawn_total + 11000 where member_id = 1`,
    now: { audit: /^withdrawal wdr_2 counts as paid, but nobody told its member so$/m },
  },
  "make-a-withdrawal-vanish": {
    data: `delete from withdrawals where id = ${WITHDRAWAL.review}; ${GOLD};
      update transfers set code = 'plan', cause = 'gold:30d:1:x', credit = 'house:plans' where cause = 'wdr_1'`,
    now: { audit: /^member 1: plans and prizes gave membership until \S+, it ends \S+$/m },
  },
  "refuse-and-keep-the-hold": {
    data: `update withdrawals set status = 'refused', reason = 'No' where id = ${WITHDRAWAL.review}`,
    now: { audit: /^withdrawal wdr_1: its transfers do not match its status refused$/m },
  },
  "swap-a-bank-account": {
    data: "update bank_accounts set sealed = replace(sealed, substr(sealed, 45, 3), 'abc') where member_id = 1",
    now: { audit: /^the log's bank, leaf \d+ of member 1, differs from its bank account$/m },
  },
  "decide-a-withdrawal-twice": {
    data: `update withdrawals set status = 'refused', reason = 'No' where id = ${WITHDRAWAL.paid}`,
    now: { audit: /^withdrawal wdr_4: its transfers do not match its status refused$/m },
  },
};
