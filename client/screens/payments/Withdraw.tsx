import { useState, type ComponentProps } from "react";
import { OperatorText } from "#client/components/OperatorText.tsx";
import { useEndpoint } from "#client/api/queries.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useHasPasskey } from "#client/hooks/use-passkey.ts";
import { useFormatMoney, useSite, useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { BaseInfo } from "#shared/contract/site.ts";
import { getBankList, getUserWithdrawRole } from "#shared/contract/withdrawals.ts";
import { fromDecimal } from "#shared/money.ts";
import { RecordsLink } from "./RecordCard.tsx";
import { WithdrawForm } from "./WithdrawForm.tsx";

/** Withdraws money to the bound account; the first time, it binds one. */
export default function Withdraw() {
  const text = useText();
  return (
    <Screen
      hasAmounts
      title={text("withdraw.title")}
      aside={<RecordsLink to="/WithdrawRecord" name={text("withdraw.records")} />}
    >
      <Inside />
    </Screen>
  );
}

function Inside() {
  const site = useSite();
  const user = useUser();
  const rules = useEndpoint(getUserWithdrawRole, {}, { staleTime: 0 });
  const hasPasskey = useHasPasskey();
  const banks = useEndpoint(getBankList, {}, { staleTime: Infinity });
  const failed = [site, user, rules, banks].find(({ data, isError }) => isError && !data);
  if (failed) return <FailedNote error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!site.data || !user.data || !rules.data || !banks.data || hasPasskey === undefined) return <WaitingForm />;
  if (site.data.close_withdraw === 1) return <Closed site={site.data} />;
  if (fromDecimal(rules.data.debt) > 0) return <Owed debt={rules.data.debt} />;
  const ways = { hasPasscode: user.data.paypassword === 1, hasPasskey };
  return <OfBalance rules={rules.data} user={user.data} ways={ways} banks={banks.data} />;
}

/** The form, where there is enough to withdraw. Once there was, it stays: a withdrawal takes the balance before its answer is there. */
function OfBalance(means: ComponentProps<typeof WithdrawForm>) {
  const { rules, user } = means;
  const isEnough = fromDecimal(user.money) >= fromDecimal(rules.min);
  const [wasEnough, see] = useState(isEnough);
  if (isEnough && !wasEnough) see(true);
  return isEnough || wasEnough ? <WithdrawForm {...means} /> : <TooLittle min={rules.min} />;
}

/** Nothing can be withdrawn yet: where a balance comes from. */
function TooLittle({ min }: { min: string }) {
  const text = useText();
  const money = useFormatMoney();
  const { data: site } = useSite();
  return (
    <EmptyNote drawing="entries" title={text("withdraw.tooLittle", { amount: money(min) })}>
      <ButtonLink to="/Recharge">{text("mine.recharge")}</ButtonLink>
      {site?.isplay !== 0 && (
        <ButtonLink look="bare" to="/Game">
          {text("order.toGames")}
        </ButtonLink>
      )}
    </EmptyNote>
  );
}

/** The debt after a reversed payment: withdrawals stay blocked until it is paid. */
function Owed({ debt }: { debt: string }) {
  const text = useText();
  const money = useFormatMoney();
  return (
    <EmptyNote drawing="entries" title={text("withdraw.owed", { amount: money(debt) })}>
      <p className="text-muted">{text("withdraw.owedWhy")}</p>
      <ButtonLink to="/Recharge">{text("mine.recharge")}</ButtonLink>
      <ButtonLink look="bare" to="/RechargeRecord">
        {text("recharge.records")}
      </ButtonLink>
    </EmptyNote>
  );
}

function Closed({ site: { close_withdraw_reason: why, close_number, iskefu, langs } }: { site: BaseInfo }) {
  const text = useText();
  return (
    <EmptyNote drawing="closed" title={text("withdraw.closed")}>
      <p className="text-muted">
        {why ? <OperatorText text={why} lang={langs?.close_withdraw_reason} /> : text("withdraw.support")}
      </p>
      {close_number && <p className="break-words">{text("withdraw.contact", { contact: close_number })}</p>}
      {iskefu === 1 && <ButtonLink to="/ServiceOnline">{text("mine.service")}</ButtonLink>}
    </EmptyNote>
  );
}

function WaitingForm() {
  return (
    <div className="flex flex-col gap-5" aria-busy>
      <Skeleton className="h-16" />
      <Skeleton className="h-20" />
      <Skeleton className="h-32" />
      <Skeleton className="h-12" />
    </div>
  );
}
