import { Pencil } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { Navigate, useNavigate, useSearchParams } from "react-router";
import { Amount } from "#client/components/Amount.tsx";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { Facts } from "#client/components/Card.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useBack } from "#client/app/use-go.ts";
import { useFormatMoney, useSite, useUser } from "#client/hooks/use-site.ts";
import { BreakNote } from "#client/screens/wallet/BreakNote.tsx";
import { useBreak } from "#client/screens/wallet/use-limits.ts";
import { useText } from "#client/text/use-text.ts";
import { isAmount, typedDigits } from "#client/text/typed-digits.ts";
import { ChannelPicker, isWithin } from "./ChannelPicker.tsx";
import { Payment } from "./Payment.tsx";
import { useAttempt } from "./use-attempt.ts";

/** Pays an amount: pick a channel where there are several, pay on its page, then return to where the top-up began. */
export default function Channel() {
  const text = useText();
  const money = useSearchParams()[0].get("money") ?? "";
  if (!isAmount(money) || money !== typedDigits(money)) return <Navigate to="/Recharge" replace />;
  return (
    <Screen title={text("channel.title")} hasAmounts aside={<ChangeAmount money={money} />}>
      <Steps money={money} />
    </Screen>
  );
}

/** The amount; a press leads back to its field. */
function ChangeAmount({ money }: { money: string }) {
  const text = useText();
  const back = useBack();
  const navigate = useNavigate();
  const { isStepped } = useAttempt(undefined);
  return (
    <Button
      look="bare"
      className="max-w-1/2 px-3! py-0!"
      onClick={() => (isStepped ? back() : void navigate("/Recharge", { replace: true }))}
    >
      <Amount value={`${money}.00`} className="min-w-0 wrap-anywhere" />
      <Pencil size={16} aria-hidden className="shrink-0" />
      <span className="sr-only">{text("channel.change")}</span>
    </Button>
  );
}

function Steps({ money }: { money: string }) {
  const { data: user, isError, error, refetch } = useUser();
  const { attempt, isStepped, begin, beginAnew, settle, finish } = useAttempt(user?.id);
  const [paid, setPaid] = useState<string>();
  const only = useOnlyChannel(money);
  const until = useBreak();
  const start = useEffectEvent(() => {
    // A link from elsewhere orders nothing by itself.
    if (user && only && isStepped && until === null && !attempt && !paid) begin(only);
  });
  useEffect(() => start(), [user, only, isStepped, until, attempt, paid]);
  if (!user && isError) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (!user) return <SkeletonRows rows={2} />;
  if (paid) return <Paid money={money} order={paid} isStepped={isStepped} onBack={finish} />;
  // What was ordered before a break is shown to its end.
  if (!attempt && until != null) return <BreakNote until={until} />;
  if (!attempt && (until === undefined || (only && isStepped))) return <SkeletonRows rows={2} />;
  if (!attempt) return <ChannelPicker money={money} onPick={begin} />;
  const onPaid = (order: string) => {
    settle();
    setPaid(order);
  };
  return <Payment key={attempt.key} money={money} attempt={attempt} onPaid={onPaid} onAgain={beginAnew} />;
}

/** The code of the only channel, where it takes the amount: nothing is left to choose. */
function useOnlyChannel(money: string): string | undefined {
  const { data: site } = useSite();
  const [only, ...others] = site?.close_recharge === 1 ? [] : (site?.pay_banklist ?? []);
  return only && others.length === 0 && isWithin(only, money) ? only.code : undefined;
}

interface PaidProps {
  money: string;
  /** The number of the order. */
  order: string;
  isStepped: boolean;
  onBack: () => void;
}

/** What was paid and what the balance is now, with the way back to where the top-up began. */
function Paid({ money, order, isStepped, onBack }: PaidProps) {
  const text = useText();
  const format = useFormatMoney();
  const { data: user } = useUser();
  return (
    <Sheet title={text("channel.done")} isOpen onClose={onBack}>
      <div className="flex flex-col gap-4">
        <p role="status" className="text-center font-medium text-jade">
          {text("channel.paid")}
        </p>
        <Facts
          facts={[
            [text("recharge.amount"), format(`${money}.00`)],
            ...(user ? [[text("recharge.balance"), format(user.money)] as const] : []),
          ]}
        />
        <Button onClick={onBack}>{text(isStepped ? "channel.return" : "channel.toMine")}</Button>
        <ButtonLink look="bare" replace to={`/RechargeRecord?id=${order}`}>
          {text("receipt.show")}
        </ButtonLink>
      </div>
    </Sheet>
  );
}
