import { Ban } from "lucide-react";
import { LicenceLine, LicenceMissing } from "#client/components/Licence.tsx";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { PullToRefresh, useRefresh } from "#client/components/PullToRefresh.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useGames } from "#client/hooks/use-games.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useWatched } from "#client/hooks/use-watched.ts";
import { WheelCard } from "#client/screens/wheel/WheelCard.tsx";
import { lotteryList } from "#shared/contract/lottery.ts";
import { GameCard } from "./GameCard.tsx";

/** All games with their current rounds, each with a link to its table, and the wheel. */
export default function Games() {
  const text = useText();
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
      <WheelCard />
      <GameCards />
      <LicenceLine />
    </Screen>
  );
}

function GameCards() {
  const text = useText();
  const { games, isPending, error, refetch } = useGames(lotteryList);
  const refresh = useRefresh(refetch);
  useWatched((games ?? []).map(({ key }) => key));
  if (isPending) return <SkeletonRows rows={3} className="h-44" />;
  if (!games) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (games.length === 0)
    return (
      <EmptyNote drawing="games" title={text("game.empty")}>
        <ButtonLink look="quiet" to="/Home">
          {text("action.toHome")}
        </ButtonLink>
      </EmptyNote>
    );
  return (
    <PullToRefresh onRefresh={refresh}>
      <ul className="flex flex-col gap-3">
        {games.map((game) => (
          <li key={game.key}>
            <GameCard game={game} />
          </li>
        ))}
      </ul>
    </PullToRefresh>
  );
}
