import { useEndpoint } from "#client/api/queries.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { LicenceLine, LicenceMissing } from "#client/components/Licence.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { PullToRefresh, useRefreshAll } from "#client/components/PullToRefresh.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton, SkeletonRows } from "#client/components/Skeleton.tsx";
import { useSite } from "#client/hooks/use-site.ts";
import { useBreak } from "#client/screens/wallet/use-limits.ts";
import { useText } from "#client/text/use-text.ts";
import { useWheelSeeds } from "./use-wheel-seeds.ts";
import { luckdrawList } from "#shared/contract/wheel.ts";
import { NoWheel, Spinning } from "./Spinning.tsx";
import { useWinners, Winners } from "./Winners.tsx";

/** The prize wheel with its chances, its winners and a link to verify it. */
export default function LuckDraw() {
  const text = useText();
  const isOff = useSite().data?.isluckdraw === 0;
  // All of them are fetched at once, so that on a slow connection none waits for another.
  const prizes = useEndpoint(luckdrawList);
  const winners = useWinners();
  const refresh = useRefreshAll();
  const isThere = isOff || (prizes.isFetched && winners.isFetched);
  return (
    <Screen title={text("wheel.title")} hasAmounts>
      <LicenceMissing />
      <PullToRefresh onRefresh={refresh}>
        <div className="flex flex-col gap-5">
          <WheelOrWhyNot prizes={prizes} winners={winners} isOff={isOff} />
          {/* Not before what it stands below: it would be pushed down. */}
          {isThere && <Foot />}
        </div>
      </PullToRefresh>
      {isThere && <LicenceLine />}
    </Screen>
  );
}

function Foot() {
  const text = useText();
  return (
    <>
      <div className="flex flex-wrap justify-center gap-x-2">
        <ButtonLink look="bare" to="/FairWheel">
          {text("wheel.check")}
        </ButtonLink>
        <ButtonLink look="bare" to="/Limits">
          {text("limit.title")}
        </ButtonLink>
      </div>
      <p className="text-xs text-muted">{text("wheel.noBeacon")}</p>
    </>
  );
}

interface Props {
  prizes: ReturnType<typeof useEndpoint<typeof luckdrawList>>;
  winners: ReturnType<typeof useWinners>;
  isOff: boolean;
}

function WheelOrWhyNot({ prizes, winners, isOff }: Props) {
  const text = useText();
  const seeds = useWheelSeeds();
  const breakEnd = useBreak() ?? null;
  if (prizes.data)
    return <Spinning prizes={prizes.data} isOff={isOff} breakEnd={breakEnd} seeds={seeds} winners={winners} />;
  if (isOff) return <NoWheel title={text("wheel.off")} />;
  if (!prizes.isError) return <WheelSkeleton />;
  return (
    <>
      <FailedNote error={prizes.error} onRetry={() => void prizes.refetch()} />
      <Winners winners={winners} isHeld={false} toWheel={null} />
    </>
  );
}

function WheelSkeleton() {
  return (
    <div aria-busy className="two-columns">
      <div className="flex flex-col items-center gap-5">
        <Skeleton className="size-75 rounded-full!" />
        <Skeleton className="h-11 w-60" />
      </div>
      <SkeletonRows rows={4} className="h-11" />
    </div>
  );
}
