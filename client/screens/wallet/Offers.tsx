import { useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { plans } from "#shared/contract/wallet.ts";
import { BuySheet } from "./BuySheet.tsx";
import { PlanCard } from "./PlanCard.tsx";

export type Plan = ReplyOf<typeof plans>[number];

/** The plans that are sold, each asked for once more before anything is taken. */
export function Offers() {
  const text = useText();
  const { data, isError, error, refetch } = useEndpoint(plans);
  // The plan stays while the sheet goes, so that its words do not vanish first.
  const [asked, ask] = useState<Plan | null>(null);
  const [isOpen, open] = useState(false);
  if (isError && !data) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={3} className="h-32" />;
  if (data.length === 0) return <EmptyNote title={text("plan.empty")} />;
  const want = (plan: Plan) => {
    ask(plan);
    open(true);
  };
  return (
    <>
      <ul className="flex flex-col gap-3">
        {data.map((plan) => (
          <li key={plan.id}>
            <PlanCard plan={plan} onBuy={() => want(plan)} />
          </li>
        ))}
      </ul>
      {asked && <BuySheet key={asked.id} plan={asked} isOpen={isOpen} onClose={() => open(false)} />}
    </>
  );
}
