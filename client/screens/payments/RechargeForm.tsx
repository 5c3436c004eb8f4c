import { useState, type FormEvent } from "react";
import { useNavigate } from "react-router";
import { Amount } from "#client/components/Amount.tsx";
import { Button } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { TYPED_AMOUNT } from "./use-attempt.ts";
import { useTabStorage } from "#client/storage/use-tab-storage.ts";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { TextKey } from "#client/text/i18n.ts";
import { isAmount, typedDigits } from "#client/text/typed-digits.ts";
import type { BaseInfo } from "#shared/contract/site.ts";
import { QuickAmounts } from "./QuickAmounts.tsx";

const problemOf = (amount: string): TextKey | null => {
  if (amount === "") return "recharge.enter";
  return isAmount(amount) ? null : "recharge.wrong";
};

export function RechargeForm({ site }: { site: BaseInfo }) {
  const text = useText();
  const navigate = useNavigate();
  const [amount, store] = useTabStorage(TYPED_AMOUNT);
  const [problem, setProblem] = useState<TextKey | null>(null);
  const type = (typed: string) => {
    store(typedDigits(typed));
    setProblem(null);
  };
  const next = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = problemOf(amount);
    setProblem(found);
    if (found) event.currentTarget.querySelector("input")?.focus();
    else void navigate(`/Channel?money=${amount}`, { state: { isStepped: true } });
  };
  return (
    <form noValidate onSubmit={next} className="flex flex-col gap-5">
      <BalanceNow />
      <TextField
        name="money"
        label={text("recharge.amount")}
        hint={text("recharge.amountHint")}
        value={amount}
        onValue={type}
        error={problem ? text(problem) : undefined}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="next"
      />
      <QuickAmounts chosen={amount} onChoose={type} />
      {isSandbox(site) && <p className="rounded-md bg-brand-soft px-4 py-3 text-sm">{text("recharge.sandbox")}</p>}
      <Button type="submit">{text(site.pay_banklist.length === 1 ? "recharge.pay" : "recharge.next")}</Button>
    </form>
  );
}

/** Points are not money: a channel that sells them must be a sandbox. */
const isSandbox = ({ unit, pay_banklist }: BaseInfo) => unit === "point" && pay_banklist.length > 0;

function BalanceNow() {
  const text = useText();
  const { data: user, isError } = useUser();
  // A top-up does not need the balance, so a failed request shows nothing.
  if (!user && isError) return null;
  return (
    <Card className="flex items-center justify-between gap-4">
      <span className="text-sm text-muted">{text("recharge.balance")}</span>
      {user ? <Amount value={user.money} className="text-lg font-semibold" /> : <Skeleton className="h-7 w-28" />}
    </Card>
  );
}
