import { useState } from "react";
import { Navigate, useSearchParams } from "react-router";
import { showToast } from "#client/api/bus.ts";
import { Amount } from "#client/components/Amount.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useAttempt } from "./use-attempt.ts";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { isAmount, typedDigits } from "#client/text/typed-digits.ts";
import { ChannelPicker } from "./ChannelPicker.tsx";
import { Payment } from "./Payment.tsx";

/** Pays an amount: pick a channel, pay on its page, then return to where the top-up began. */
export default function Channel() {
  const text = useText();
  const money = useSearchParams()[0].get("money") ?? "";
  if (!isAmount(money) || money !== typedDigits(money)) return <Navigate to="/Recharge" replace />;
  return (
    <Screen
      title={text("channel.title")}
      hasAmounts
      aside={<Amount value={`${money}.00`} className="max-w-1/2 px-3 text-base font-semibold" />}
    >
      <Steps money={money} />
    </Screen>
  );
}

function Steps({ money }: { money: string }) {
  const text = useText();
  const { data: user, isError, error, refetch } = useUser();
  const { attempt, begin, beginAnew, finish } = useAttempt(user?.id);
  const [isPaid, setPaid] = useState(false);
  const leave = () => {
    setPaid(true);
    showToast(text("channel.paid"), "good");
    finish();
  };
  if (isPaid) return <p className="py-12 text-center font-medium text-jade">{text("channel.paid")}</p>;
  if (!user && isError) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (!user) return <SkeletonRows rows={2} />;
  if (!attempt) return <ChannelPicker money={money} onPick={begin} />;
  return <Payment key={attempt.key} money={money} attempt={attempt} onPaid={leave} onAgain={beginAnew} />;
}
