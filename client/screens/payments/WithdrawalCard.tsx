import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { WITHDRAW_STATUS, type withdrawList } from "#shared/contract/withdrawals.ts";
import { RecordCard } from "./RecordCard.tsx";

type Withdrawal = ReplyOf<typeof withdrawList>[number];

const toneOf = (status: number): string => {
  if (status === WITHDRAW_STATUS.approved || status === WITHDRAW_STATUS.paid) return "text-jade";
  return status === WITHDRAW_STATUS.refused ? "text-bad" : "text-amber";
};

/** One withdrawal: amount, status, reason and times. */
export function WithdrawalCard({ withdrawal, isReceipt = false }: { withdrawal: Withdrawal; isReceipt?: boolean }) {
  const text = useText();
  const time = useTime();
  const { id, number, create_time, update_time } = withdrawal;
  return (
    <RecordCard
      record={withdrawal}
      {...(!isReceipt && { to: `/WithdrawRecord?id=${id}` })}
      tone={toneOf(withdrawal.status)}
      facts={[
        [text("withdrawRecord.created"), time(create_time)],
        ...(update_time > create_time ? [[text("withdrawRecord.updated"), time(update_time)] as const] : []),
        [text("receipt.number"), number],
      ]}
    />
  );
}
