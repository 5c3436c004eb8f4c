import { useRef, type SubmitEvent } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { Amount } from "#client/components/Amount.tsx";
import { Button } from "#client/components/Button.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useWithdrawal, type Means } from "./use-withdrawal.ts";
import { getUserBankInfo } from "#shared/contract/withdrawals.ts";
import { CoolingNote } from "./CoolingNote.tsx";
import { PasscodeSheet, type Ways } from "./PasscodeSheet.tsx";

/** The withdrawal form: amount, rules and passcode. */
export function WithdrawForm({ ways, ...means }: Means & { ways: Ways }) {
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const { sum, next, ...asking } = useWithdrawal(means);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!next()) field()?.focus();
  };
  const field = () => form.current?.querySelector("input") ?? null;
  // If the server refused the amount, focus returns to its field.
  const wrongField = () => form.current?.querySelector<HTMLElement>("[aria-invalid=true]") ?? null;
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Card className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="text-sm text-muted">{text("recharge.balance")}</span>
        <Amount value={means.money} className="text-lg font-semibold" />
      </Card>
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
      <CoolingNote until={means.rules.cooling_until_ms} />
      <Rules {...means} />
      <Button type="submit">{text("withdraw.send")}</Button>
      <PasscodeSheet amount={sum.amount} ways={ways} {...asking} focusAfter={wrongField} />
    </form>
  );
}

function Rules({ rules: { min, max, daily_count, used_today, arrival } }: Means) {
  const text = useText();
  const money = useMoney();
  const { data: bank } = useEndpoint(getUserBankInfo);
  return (
    <Card>
      <Facts
        facts={[
          ...(bank?.info ? [[text("withdraw.to"), `${bank.info.bankinfo} ${bank.info.bankid}`] as const] : []),
          [text("withdraw.perTime"), text("withdraw.range", { min: money(min), max: money(max) })],
          [text("withdraw.today"), text("withdraw.used", { used: used_today, most: daily_count })],
          [text("withdraw.arrival"), arrival],
          [text("withdraw.fee"), text("withdraw.free")],
        ]}
      />
    </Card>
  );
}
