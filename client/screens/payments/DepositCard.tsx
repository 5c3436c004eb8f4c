import { Amount } from "#client/components/Amount.tsx";
import { Card, Facts } from "#client/components/Card.tsx";
import { useText } from "#client/hooks/use-text.ts";
import { useTime } from "#client/hooks/use-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { RECHARGE_STATUS, type rechargeList } from "#shared/contract/payments.ts";

type Deposit = ReplyOf<typeof rechargeList>[number];

const toneOf = (status: number): string => {
  if (status === RECHARGE_STATUS.paid || status === RECHARGE_STATUS.credited) return "text-jade";
  return status === RECHARGE_STATUS.failed ? "text-bad" : "text-amber";
};

/** One top-up: how much, what became of it, and when. */
export function DepositCard({ deposit }: { deposit: Deposit }) {
  const text = useText();
  const time = useTime();
  const { id, status, status_text, money, desc, create_time, pay_time } = deposit;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Amount value={money} className="text-lg font-semibold" />
        <span className={`text-sm font-medium ${toneOf(status)}`}>{status_text}</span>
      </div>
      {desc && <p className="text-sm break-words">{desc}</p>}
      <Facts
        facts={[
          [text("rechargeRecord.created"), time(create_time)],
          ...(pay_time > 0 ? [[text("rechargeRecord.paid"), time(pay_time)] as const] : []),
          [
            text("rechargeRecord.order"),
            <span key="order" className="text-xs break-all">
              {id}
            </span>,
          ],
        ]}
      />
    </Card>
  );
}
