import { DataDownload } from "#client/components/DataDownload.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useLimits } from "./use-limits.ts";
import { useText } from "#client/text/use-text.ts";
import type { Limits as Known } from "#shared/contract/wallet.ts";
import { BreakCard } from "./BreakCard.tsx";
import { LimitForm } from "./LimitForm.tsx";

/** The member's own limits, breaks, and the download of their data. */
export default function Limits() {
  const text = useText();
  const { data: limits, isError, error, refetch } = useLimits();
  if (limits)
    return (
      <Screen title={text("limit.title")} hasAmounts>
        <LimitsAndBreaks limits={limits} />
      </Screen>
    );
  return (
    <Screen title={text("limit.title")} hasAmounts>
      {isError ? <FailedNote error={error} onRetry={() => void refetch()} /> : <WaitingLimits />}
    </Screen>
  );
}

/** Breaks come before the limits, so that nobody has to search for one. */
function LimitsAndBreaks({ limits }: { limits: Known }) {
  const text = useText();
  return (
    <div className="flex flex-col gap-4">
      <BreakCard until={limits.exclude_until} />
      <p>{text("limit.intro")}</p>
      <LimitForm limits={limits} />
      <DataDownload />
    </div>
  );
}

function WaitingLimits() {
  return (
    <div className="flex flex-col gap-4" aria-busy>
      <Skeleton className="h-16" />
      <Skeleton className="h-52" />
      <Skeleton className="h-52" />
      <Skeleton className="h-52" />
    </div>
  );
}
