import { CircleAlert } from "lucide-react";
import { RefusedCall } from "#client/api/call-error.ts";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import type { Attempt } from "./use-attempt.ts";
import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useOrderStatus, useOrder, usePaid } from "./use-top-up.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { doRecharge } from "#shared/contract/payments.ts";
import { fromDecimal } from "#shared/money.ts";
import { PayInNewTab } from "./PayInNewTab.tsx";
import { PayFrame } from "./PayFrame.tsx";

interface Props {
  money: string;
  attempt: Attempt;
  onPaid: (order: string) => void;
  onAgain: () => void;
}

/** One top-up order, from its request to its final status. */
export function Payment({ money, attempt, onPaid, onAgain }: Props) {
  const { data: order, error, refetch, isFetching } = useOrder(money, attempt);
  const { fate, ask } = useOrderStatus(order?.order);
  usePaid(fate, () => order && onPaid(order.order));
  if (fate === "failed") return <FailedPayment onAgain={onAgain} />;
  if (fate === "held") return <PaymentInReview />;
  if (order)
    return (
      <>
        <Total order={order} />
        {order.open === "redirect" ? (
          <PayInNewTab address={order.pay_url} />
        ) : (
          <PayFrame address={order.pay_url} onLeft={ask} />
        )}
      </>
    );
  if (!error || isFetching) return <Preparing />;
  return <RefusedOrder error={error} onRetry={() => void refetch()} />;
}

function Preparing() {
  const text = useText();
  return (
    <div className="flex flex-col gap-4" aria-busy>
      <p role="status" className="text-sm text-muted">
        {text("channel.starting")}
      </p>
      <Skeleton className="h-[60dvh]" />
    </div>
  );
}

/** The total to pay, if a fee makes it more than the amount. */
function Total({ order: { fee, total } }: { order: ReplyOf<typeof doRecharge> }) {
  const text = useText();
  const money = useMoney();
  if (fromDecimal(fee) === 0) return null;
  return <p className="pb-4 text-sm">{text("channel.total", { total: money(total), fee: money(fee) })}</p>;
}

/** The payment arrived and awaits review. */
function PaymentInReview() {
  const text = useText();
  return (
    <EmptyNote drawing="waiting" title={text("channel.review")}>
      <ButtonLink look="quiet" to="/RechargeRecord">
        {text("recharge.records")}
      </ButtonLink>
    </EmptyNote>
  );
}

function FailedPayment({ onAgain }: { onAgain: () => void }) {
  const text = useText();
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <CircleAlert size={36} aria-hidden className="text-bad" />
      <p className="font-medium">{text("channel.failed")}</p>
      <Button onClick={onAgain}>{text("action.retry")}</Button>
      <ButtonLink look="bare" to="/RechargeRecord">
        {text("recharge.records")}
      </ButtonLink>
    </div>
  );
}

/** The member's own limits: a retry cannot help, so the error links to them. */
const OWN_LIMITS = new Set(["limit.reached", "member.excluded"]);

function RefusedOrder({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const text = useText();
  const isOwn = error instanceof RefusedCall && OWN_LIMITS.has(error.reason ?? "");
  return (
    <>
      <FailedNote error={error} onRetry={onRetry} />
      {isOwn && (
        <p className="text-center">
          <ButtonLink look="bare" to="/Limits">
            {text("mine.limits")}
          </ButtonLink>
        </p>
      )}
    </>
  );
}
