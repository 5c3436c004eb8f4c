import { Amount } from "#client/components/Amount.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { useText } from "#client/hooks/use-text.ts";
import { useTime } from "#client/hooks/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { WITHDRAW_STATUS, type withdrawList } from "#shared/contract/withdrawals.ts";

type Withdrawal = ReplyOf<typeof withdrawList>[number];

const toneOf = (status: number): string => {
  if (status === WITHDRAW_STATUS.approved || status === WITHDRAW_STATUS.paid) return "text-jade";
  return status === WITHDRAW_STATUS.refused ? "text-bad" : "text-amber";
};

/** One withdrawal: how much, what became of it, why, and when. */
export function WithdrawalCard({ withdrawal }: { withdrawal: Withdrawal }) {
  const text = useText();
  const time = useTime();
  const { id, status, status_text, money, desc, create_time, update_time } = withdrawal;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Amount value={money} className="text-lg font-semibold" />
        <span className={`text-sm font-medium ${toneOf(status)}`}>{status_text}</span>
      </div>
      {desc && <p className="text-sm break-words">{desc}</p>}
      <Facts
        facts={[
          [text("withdrawRecord.created"), time(create_time)],
          ...(update_time > create_time ? [[text("withdrawRecord.updated"), time(update_time)] as const] : []),
          [text("withdrawRecord.number"), id],
        ]}
      />
    </Card>
  );
}
