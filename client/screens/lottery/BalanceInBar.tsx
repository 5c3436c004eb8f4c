import { useState } from "react";
import { CountingAmount } from "#client/components/Amount.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useLanded, usePushedResult } from "./use-landed.ts";

/** The balance in the title bar, always in view while betting. It counts to a new value once the dice lie. */
export function BalanceInBar({ gameKey }: { gameKey: string }) {
  const text = useText();
  const { data } = useUser();
  const hasLanded = useLanded(usePushedResult(gameKey));
  const [shown, show] = useState(data?.money);
  if (hasLanded && shown !== data?.money) show(data?.money);
  return (
    <p className="flex shrink-0 flex-col items-end pe-3 text-xs text-muted">
      {text("round.balance")}
      {shown === undefined ? (
        <Skeleton className="h-6 w-20" />
      ) : (
        <CountingAmount value={shown} className="text-base font-semibold text-ink" />
      )}
    </p>
  );
}
