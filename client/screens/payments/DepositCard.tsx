import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { RECHARGE_STATUS, type rechargeList } from "#shared/contract/payments.ts";
import { RecordCard } from "./RecordCard.tsx";

type Deposit = ReplyOf<typeof rechargeList>[number];

const { paid, credited, failed, disputed, refunded } = RECHARGE_STATUS;

const toneOf = (status: number): string => {
  if (status === paid || status === credited) return "text-jade";
  if (status === refunded) return "text-muted";
  return status === failed || status === disputed ? "text-bad" : "text-amber";
};

/** One top-up: amount, status and times. */
export function DepositCard({ deposit, isReceipt = false }: { deposit: Deposit; isReceipt?: boolean }) {
  const text = useText();
  const time = useTime();
  const { id, number, create_time, pay_time } = deposit;
  return (
    <RecordCard
      record={deposit}
      {...(!isReceipt && { to: `/RechargeRecord?id=${id}` })}
      tone={toneOf(deposit.status)}
      facts={[
        [text("rechargeRecord.created"), time(create_time)],
        ...(pay_time > 0 ? [[text("rechargeRecord.paid"), time(pay_time)] as const] : []),
        [text("receipt.number"), number],
      ]}
    />
  );
}
