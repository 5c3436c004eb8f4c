import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useLimits } from "#client/hooks/use-limits.ts";
import { useText } from "#client/hooks/use-text.ts";
import { BreakCard } from "./BreakCard.tsx";
import { LimitForm } from "./LimitForm.tsx";

/** The member's own limits, a break, and the way out. */
export default function Limits() {
  const text = useText();
  const { data: limits, isError, error, refetch } = useLimits();
  return (
    <Screen title={text("limit.title")}>
      {limits ? (
        <div className="flex flex-col gap-6">
          <LimitForm limits={limits} />
          <BreakCard until={limits.exclude_until} />
        </div>
      ) : isError ? (
        <FailedNote error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="flex flex-col gap-4" aria-busy>
          <Skeleton className="h-16" />
          <Skeleton className="h-52" />
          <Skeleton className="h-52" />
          <Skeleton className="h-52" />
        </div>
      )}
    </Screen>
  );
}
