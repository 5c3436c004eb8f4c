import type { FastifyInstance } from "fastify";
import type { Tx } from "#db/db.ts";
import type { Deps } from "#server/app/deps.ts";
import { refuseReplaced, verifyPasscode } from "#server/domains/account/passcode.ts";
import { needAnswer, spendOrRefuse } from "#server/domains/account/passkey-answer.ts";
import { needRelyingParty } from "#server/domains/account/read-passkeys.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { serve, servePrepared, serveWrite } from "#server/http/serve.ts";
import * as contract from "#shared/contract/withdrawals.ts";
import { fromUnits, toDecimal } from "#shared/money.ts";
import { invalid } from "#shared/refusal.ts";
import { banksFor } from "./banks.ts";
import { bindBank } from "./bind-bank.ts";
import { readBank } from "./read-bank.ts";
import { readWithdrawals } from "./read-withdrawals.ts";
import { withdraw } from "./withdraw.ts";
import { readRules, refuseUnfit } from "./withdrawal-rules.ts";

/** Bank accounts and withdrawals over HTTP. */
export function withdrawalRoutes(app: FastifyInstance, deps: Deps, passwords: Passwords): void {
  const { read } = deps.db;

  serve(app, deps, contract.getBankList, ({ locale }) => banksFor(locale));

  serve(app, deps, contract.getUserBankInfo, ({ caller, locale }) => readBank(read, caller.memberId, locale));

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
    async ({ input: { money, paypwd, passkey: json }, caller: { memberId, sessionId }, locale, host }) => {
      const request = { memberId, amount: fromUnits(money), locale };
      if (json !== undefined) {
        await refuseUnfit(read, deps, { ...request, byPasskey: true });
        const party = needRelyingParty(deps, host);
        const answer = await needAnswer(deps, { json, purpose: "withdraw", sessionId, memberId, party });
        return { request, confirm: (tx: Tx) => spendOrRefuse(tx, deps, answer) };
      }
      if (paypwd === undefined) throw invalid({ paypwd: "required" });
      await refuseUnfit(read, deps, request);
      const verified = await verifyPasscode(deps, passwords, memberId, paypwd);
      return { request, confirm: (tx: Tx) => refuseReplaced(tx, memberId, verified) };
    },
    async (tx, _call, { request, confirm }) => {
      await confirm(tx);
      return { id: await withdraw(tx, deps, request), money: toDecimal(request.amount) };
    },
  );

  serve(app, deps, contract.withdrawList, ({ input, caller, locale }) =>
    readWithdrawals(read, deps, { memberId: caller.memberId, locale, ...input }),
  );
}
