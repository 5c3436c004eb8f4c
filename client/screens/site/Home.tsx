import { lazy, Suspense, type ComponentType } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { firstScreenReady } from "#client/app/first-screen.ts";
import { FailedNote } from "#client/components/Notes.tsx";
import { NoticeBar } from "#client/components/NoticeBar.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useGames } from "#client/hooks/use-games.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useWatched } from "#client/hooks/use-watched.ts";
import { hotLottery } from "#shared/contract/lottery.ts";
import { systemConfig } from "#shared/contract/site.ts";
import { Banners } from "./Banners.tsx";
import { ClubName, Who } from "./HomeBar.tsx";
import { HotGames } from "./HotGames.tsx";
import { Ways } from "./Ways.tsx";

/** Loads after the first screen; if loading fails, the screen goes without it. */
const later = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(() => firstScreenReady.then(load).catch(() => ({ default: () => null })));
const HomeListings = later(() => import("#client/screens/listing/HomeListings.tsx"));
const HomeExtras = later(() => import("./HomeExtras.tsx"));

/** The home screen: news, links to the sections, and the rounds in progress. */
export default function Home() {
  const text = useText();
  const { data: site } = useSite();
  const config = useEndpoint(systemConfig);
  // Games are hidden while the operator has switched them off.
  const plays = site?.isplay !== 0;
  const hot = useGames(hotLottery, {}, { enabled: plays });
  const games = plays ? hot.games : [];
  useWatched(games?.map(({ key }) => key) ?? []);

  const broken = [config, hot].find(({ isError, data }) => isError && data === undefined);
  const retry = () => {
    if (config.isError) void config.refetch();
    if (hot.isError) void hot.refetch();
  };
  return (
    <Screen title={text("home.title")} heading={<ClubName />} isRoot aside={<Who />}>
      <div className="flex flex-col gap-4">
        {!config.isError && <Banners banners={config.data?.banners} />}
        {config.isPending && <Skeleton className="h-15" />}
        {config.data?.notice && <NoticeBar text={config.data.notice} label={text("home.notice")} />}
        <p className="text-sm text-muted">{text("home.intro")}</p>
        <Ways />
        {broken ? <FailedNote error={broken.error} onRetry={retry} /> : plays && <HotGames games={games} />}
        <Suspense fallback={<Skeleton className="h-37" />}>
          <HomeListings />
        </Suspense>
      </div>
      <Suspense>
        <HomeExtras />
      </Suspense>
    </Screen>
  );
}
