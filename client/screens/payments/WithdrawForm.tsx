import { type SubmitEvent } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { Amount } from "#client/components/Amount.tsx";
import { Button } from "#client/components/Button.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useMoney, useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { UserInfo } from "#shared/contract/session.ts";
import { getUserBankInfo, type getBankList } from "#shared/contract/withdrawals.ts";
import { AccountFields } from "./AccountFields.tsx";
import { CoolingNote } from "./CoolingNote.tsx";
import { PasscodeSheet } from "./PasscodeSheet.tsx";
import { useAccountFields, useFocusOnWrong } from "./use-account-fields.ts";
import { useWithdrawal, type Rules, type Ways } from "./use-withdrawal.ts";

interface Props {
  rules: Rules;
  user: UserInfo;
  ways: Ways;
  banks: ReplyOf<typeof getBankList>;
}

/** The withdrawal form: the amount, the rules, and the first time the account; then the passcode. */
export function WithdrawForm({ rules, user, ways, banks }: Props) {
  const text = useText();
  const { form, focusWrong, wrongField } = useFocusOnWrong();
  const account = useAccountFields(banks, user.name);
  const isFirst = user.is_bank === 0;
  const { sum, next, ...asking } = useWithdrawal({ rules, user, ways, account });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!next()) focusWrong();
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Card className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="text-sm text-muted">{text("recharge.balance")}</span>
        <Amount value={user.money} className="text-lg font-semibold" />
      </Card>
      <Rehearsal />
      <SumField sum={sum} />
      {isFirst && <AccountFields account={account} banks={banks} realName={user.name} />}
      <CoolingNote until={rules.cooling_until_ms} />
      <RulesCard rules={rules} />
      <Button type="submit">{text("withdraw.send")}</Button>
      <PasscodeSheet
        amount={sum.amount}
        ways={ways}
        account={isFirst ? account.input : null}
        {...asking}
        focusAfter={wrongField}
      />
    </form>
  );
}

function SumField({ sum }: { sum: ReturnType<typeof useWithdrawal>["sum"] }) {
  const text = useText();
  return (
    <div className="flex flex-col gap-2">
      <TextField
        name="money"
        label={text("withdraw.amount")}
        hint={text("recharge.amountHint")}
        value={sum.amount}
        onValue={sum.type}
        error={sum.error}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="next"
      />
      <Button look="quiet" onClick={sum.takeWhole}>
        {text("withdraw.whole")}
      </Button>
    </div>
  );
}

/** Points are not money: nothing of them reaches a bank. */
function Rehearsal() {
  const text = useText();
  if (useSite().data?.unit !== "point") return null;
  return <p className="rounded-md bg-brand-soft px-4 py-3 text-sm">{text("withdraw.rehearsal")}</p>;
}

function RulesCard({ rules: { min, max, daily_count, used_today, arrival } }: { rules: Rules }) {
  const text = useText();
  const money = useMoney();
  const { data: bank } = useEndpoint(getUserBankInfo);
  const isMoney = useSite().data?.unit !== "point";
  return (
    <Card>
      <Facts
        facts={[
          ...(bank?.info ? [[text("withdraw.to"), `${bank.info.bankinfo} ${bank.info.bankid}`] as const] : []),
          [text("withdraw.perTime"), text("withdraw.range", { min: money(min), max: money(max) })],
          [text("withdraw.today"), text("withdraw.used", { used: used_today, most: daily_count })],
          ...(isMoney ? [[text("withdraw.arrival"), arrival] as const] : []),
          [text("withdraw.fee"), text("withdraw.free")],
        ]}
      />
    </Card>
  );
}
