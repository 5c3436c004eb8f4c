import { useRef } from "react";
import { Button } from "#client/components/Button.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useLimits } from "#client/hooks/use-limits.ts";
import { useText } from "#client/hooks/use-text.ts";
import type { Limits as Known } from "#shared/contract/wallet.ts";
import { BreakCard } from "./BreakCard.tsx";
import { LimitForm } from "./LimitForm.tsx";

/** The member's own limits, a break, and the way out. */
export default function Limits() {
  const text = useText();
  const { data: limits, isError, error, refetch } = useLimits();
  if (limits)
    return (
      <Screen title={text("limit.title")}>
        <LimitsAndBreaks limits={limits} />
      </Screen>
    );
  return (
    <Screen title={text("limit.title")}>
      {isError ? <FailedNote error={error} onRetry={() => void refetch()} /> : <WaitingLimits />}
    </Screen>
  );
}

/** A break is no further away than the limits: one tap from the top. */
function LimitsAndBreaks({ limits }: { limits: Known }) {
  const text = useText();
  const breaks = useRef<HTMLDivElement>(null);
  const show = () => {
    breaks.current?.scrollIntoView({ behavior: "smooth" });
    breaks.current?.focus({ preventScroll: true });
  };
  return (
    <div className="flex flex-col gap-4">
      <p>{text("limit.intro")}</p>
      <Button look="quiet" onClick={show}>
        {text("limit.break")}
      </Button>
      <LimitForm limits={limits} />
      <div
        ref={breaks}
        tabIndex={-1}
        role="region"
        aria-label={text("limit.break")}
        className="scroll-mt-16 outline-none"
      >
        <BreakCard until={limits.exclude_until} />
      </div>
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
