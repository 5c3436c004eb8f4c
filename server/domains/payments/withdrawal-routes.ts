import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { verifyPasscode } from "#server/domains/account/passcode.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { serve, servePrepared, serveWrite } from "#server/http/serve.ts";
import * as contract from "#shared/contract/withdrawals.ts";
import { fromUnits, toDecimal } from "#shared/money.ts";
import { BANKS } from "./banks.ts";
import { bindBank } from "./bind-bank.ts";
import { readBank } from "./read-bank.ts";
import { readWithdrawals } from "./read-withdrawals.ts";
import { withdraw } from "./withdraw.ts";
import { readRules, refuseUnfit } from "./withdrawal-rules.ts";

/** Bank accounts and withdrawals over HTTP. */
export function withdrawalRoutes(app: FastifyInstance, deps: Deps, passwords: Passwords): void {
  const { read } = deps.db;

  serve(app, deps, contract.getBankList, () => [...BANKS]);

  serve(app, deps, contract.getUserBankInfo, ({ caller }) => readBank(read, caller.memberId));

  serveWrite(app, deps, contract.setBank, async (tx, { input, caller }) => {
    const { bankid, bank_code, username, mobile = "" } = input;
    await bindBank(tx, deps, caller.memberId, { number: bankid, bankCode: bank_code, holder: username, mobile });
    return null;
  });

  serve(app, deps, contract.getUserWithdrawRole, ({ caller, locale }) =>
    readRules(read, deps, { memberId: caller.memberId, locale }),
  );

  servePrepared(
    app,
    deps,
    contract.setUserWithdraw,
    async ({ input, caller: { memberId }, locale }) => {
      const request = { memberId, amount: fromUnits(input.money), locale };
      await refuseUnfit(read, deps, request);
      await verifyPasscode(deps, passwords, memberId, input.paypwd);
      return request;
    },
    async (tx, _call, request) => ({ id: await withdraw(tx, deps, request), money: toDecimal(request.amount) }),
  );

  serve(app, deps, contract.withdrawList, ({ input, caller, locale }) =>
    readWithdrawals(read, deps, { memberId: caller.memberId, locale, ...input }),
  );
}
