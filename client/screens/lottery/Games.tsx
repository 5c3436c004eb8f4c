import { Ban } from "lucide-react";
import { Card } from "#client/components/Card.tsx";
import { LicenceLine, LicenceMissing } from "#client/components/Licence.tsx";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { PullToRefresh, useRefreshAll } from "#client/components/PullToRefresh.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useGames } from "#client/hooks/use-games.ts";
import { useSite, useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useWatched } from "#client/hooks/use-watched.ts";
import { WheelCard } from "#client/screens/wheel/WheelCard.tsx";
import { lotteryList, type Lottery } from "#shared/contract/lottery.ts";
import { useWaysOn } from "./BoardNote.tsx";
import { Broke } from "./CartNotes.tsx";
import { GameCard } from "./GameCard.tsx";

/** All games with their current rounds, each with a link to its table, and the wheel. */
export default function Games() {
  const text = useText();
  const refresh = useRefreshAll();
  const isOff = useSite().data?.isplay === 0;
  return (
    <Screen title={text("game.title")} isRoot>
      <div role="status">
        {isOff && (
          <p className="mb-4 flex items-center gap-2 rounded-md bg-bad-soft px-4 py-3 text-sm text-ink">
            <Ban size={18} aria-hidden className="shrink-0 text-bad" />
            {text("game.off")}
          </p>
        )}
      </div>
      <LicenceMissing />
      <PullToRefresh onRefresh={refresh}>
        <Inside />
      </PullToRefresh>
      <LicenceLine />
    </Screen>
  );
}

function Inside() {
  const { games, isPending, error, refetch } = useGames(lotteryList);
  const site = useSite();
  const user = useUser();
  useWatched((games ?? []).map(({ key }) => key));
  // All of it at once: what came later would move the games.
  if (isPending || site.isPending || user.isLoading) return <Waiting />;
  return (
    <>
      <BrokeNote />
      <Cards games={games ?? []} />
      {!games && <FailedNote error={error} onRetry={() => void refetch()} />}
      {games?.length === 0 && <NoGames />}
    </>
  );
}

/** The wheel and the games, in two columns where there is room. */
function Cards({ games }: { games: readonly Lottery[] }) {
  const hasWheel = useSite().data?.isluckdraw === 1;
  if (!hasWheel && games.length === 0) return null;
  return (
    <ul className="two-columns">
      {hasWheel && (
        <li>
          <WheelCard />
        </li>
      )}
      {games.map((game) => (
        <li key={game.key}>
          <GameCard game={game} />
        </li>
      ))}
    </ul>
  );
}

/** Without a balance for a bet: where one comes from. The wheel stands below it anyway. */
function BrokeNote() {
  const ways = useWaysOn()?.filter(({ to }) => to !== "/luckDraw");
  if (!ways) return null;
  return (
    <Card className="mb-4 py-1!">
      <Broke ways={ways} />
    </Card>
  );
}

function NoGames() {
  const text = useText();
  return (
    <EmptyNote drawing="games" title={text("game.empty")}>
      <ButtonLink look="quiet" to="/Home">
        {text("action.toHome")}
      </ButtonLink>
    </EmptyNote>
  );
}

function Waiting() {
  return (
    <div aria-busy className="two-columns">
      <Skeleton className="h-20" />
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  );
}
