import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { showToast } from "#client/api/bus.ts";
import { Amount } from "#client/components/Amount.tsx";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useGo } from "#client/app/use-go.ts";
import { useSite, useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { DIVIDER } from "#shared/format.ts";
import { AtStake } from "./AtStake.tsx";

/** The member's balance, refreshed by a tap, buttons to top up and withdraw, and what is at stake. */
export function BalanceCard() {
  const { data: user, isError, error, refetch } = useUser();
  const { data: site } = useSite();
  const text = useText();
  if (isError && !user) return <FailedNote error={error} onRetry={() => void refetch()} />;
  return (
    <Card>
      {/* The button goes below an amount that large text makes too wide for both. */}
      <div className="flex flex-wrap items-start justify-end gap-2">
        <div className="min-w-min max-w-full flex-1 basis-0">
          <p className="text-sm text-muted">
            {text("mine.balance")}
            {site?.unit === "point" && DIVIDER + text("mine.points")}
          </p>
          {user ? (
            <p role="status" className="text-xl font-bold break-words">
              <Amount value={user.money} />
            </p>
          ) : (
            <Skeleton className="h-9 w-40" />
          )}
        </div>
        <RefreshButton />
      </div>
      <div className="mt-3 grid grid-tiles gap-3 [--columns:2] [--tile:8.5rem]">
        <RechargeButton isClosed={site?.close_recharge === 1} />
        <ButtonLink look="quiet" to="/Withdraw">
          {text("mine.withdraw")}
        </ButtonLink>
      </div>
      <AtStake />
    </Card>
  );
}

function RefreshButton() {
  const { isFetching, refetch } = useUser();
  const text = useText();
  const failure = useFailureText();
  const [isAsked, setAsked] = useState(false);
  const refresh = async () => {
    setAsked(true);
    const { error } = await refetch();
    setAsked(false);
    if (error) showToast(failure(error), "bad");
    else showToast(text("state.refreshed"), "good");
  };
  return (
    <button
      type="button"
      aria-label={text("mine.refresh")}
      aria-disabled={isAsked || undefined}
      aria-busy={isFetching}
      onClick={() => void (isAsked || refresh())}
      className="grid size-11 shrink-0 place-items-center rounded-md text-brand-text"
    >
      <RefreshCw size={20} aria-hidden className={isFetching ? "animate-spin" : ""} />
    </button>
  );
}

/** While top-ups are closed, the button names the contact and leads there, and opens no form. */
function RechargeButton({ isClosed }: { isClosed: boolean }) {
  const text = useText();
  const go = useGo();
  const { data: site } = useSite();
  const turnToService = () => {
    showToast(text("mine.depositSupport"));
    if (site?.iskefu === 1) go("/ServiceOnline");
  };
  return <Button onClick={() => (isClosed ? turnToService() : go("/Recharge"))}>{text("mine.recharge")}</Button>;
}
