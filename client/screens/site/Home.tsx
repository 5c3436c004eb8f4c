import { Suspense } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { later } from "#client/app/later.ts";
import { FailedNote } from "#client/components/Notes.tsx";
import { PullToRefresh, useRefreshAll } from "#client/components/PullToRefresh.tsx";
import { NoticeBar } from "#client/components/NoticeBar.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { hotLottery } from "#shared/contract/lottery.ts";
import { systemConfig } from "#shared/contract/site.ts";
import { Banners } from "./Banners.tsx";
import { ClubName, Who } from "./HomeBar.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { HotGames } from "./HotGames.tsx";
import { OwnNow } from "./OwnNow.tsx";
import { useIntro } from "./use-intro.ts";
import { Ways } from "./Ways.tsx";

const HomeListings = later(() => import("#client/screens/listing/HomeListings.tsx"));
const InstallCard = later<object>(() => import("./Install.tsx").then(({ InstallCard }) => ({ default: InstallCard })));
const HomeExtras = later(() => import("./HomeExtras.tsx"));

/** The home screen: what waits for the member, news, links to the sections, the rounds in progress, and beside or below them the listings. */
export default function Home() {
  const text = useText();
  const intro = useIntro();
  const { config, plays, broken, refresh, retry } = useHome();
  return (
    <Screen title={text("home.title")} heading={<ClubName />} isRoot aside={<Who />}>
      <PullToRefresh onRefresh={refresh}>
        <div className="two-columns">
          <div className="flex flex-col gap-4">
            <FirstSteps />
            <OwnNow />
            {(config.data || !config.isError) && <Banners banners={config.data?.banners} />}
            <Ways />
            {broken ? <FailedNote error={broken.error} onRetry={retry} /> : plays && <HotGames />}
            {config.data?.banners.length !== 0 && <p className="text-sm text-muted">{intro}</p>}
            {config.isPending && <Skeleton className="h-15" />}
            {config.data?.notice && (
              <NoticeBar text={config.data.notice} lang={config.data.langs?.notice} label={text("home.notice")} />
            )}
            <Suspense>
              <InstallCard />
            </Suspense>
          </div>
          {/* Not before it is known what stands above: it would move. */}
          {!config.isPending && (
            <Suspense fallback={<Skeleton className="h-37" />}>
              <HomeListings />
            </Suspense>
          )}
        </div>
      </PullToRefresh>
      <Suspense>
        <HomeExtras />
      </Suspense>
    </Screen>
  );
}

/** What the screen asks for. Games are hidden while the operator has switched them off. */
function useHome() {
  const plays = useSite().data?.isplay !== 0;
  const config = useEndpoint(systemConfig);
  const hot = useEndpoint(hotLottery, {}, { enabled: plays });
  const refresh = useRefreshAll();
  const broken = [config, hot].find(({ isError, data }) => isError && data === undefined);
  const retry = () => {
    if (config.isError) void config.refetch();
    if (hot.isError) void hot.refetch();
  };
  return { config, plays, broken, refresh, retry };
}
