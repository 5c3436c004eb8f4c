import { Link } from "react-router";
import { ButtonLink } from "#client/components/Button.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useGames } from "#client/hooks/use-games.ts";
import { useWatched } from "#client/hooks/use-watched.ts";
import { useText } from "#client/text/use-text.ts";
import { GameCard } from "#client/screens/lottery/GameCard.tsx";
import { hotLottery } from "#shared/contract/lottery.ts";

/** The rounds in progress. */
export function HotGames() {
  const text = useText();
  return (
    <section aria-labelledby="hot" className="flex flex-col gap-3">
      <div className="flex items-center justify-between">
        <h2 id="hot" className="text-lg font-semibold">
          {text("home.hot")}
        </h2>
        <Link to="/Game" className="-me-2 flex min-h-11 items-center px-2 text-sm font-medium text-brand-text">
          {text("action.seeAll")}
        </Link>
      </div>
      <Rounds />
    </section>
  );
}

/** Apart from its screen: what is pushed every few seconds renders the rounds alone. */
function Rounds() {
  const text = useText();
  const { games } = useGames(hotLottery);
  useWatched(games?.map(({ key }) => key) ?? []);
  if (!games)
    return (
      <div aria-busy>
        <SkeletonRows rows={3} className="h-44" />
      </div>
    );
  if (games.length === 0)
    return (
      <EmptyNote drawing="games" title={text("home.noGames")}>
        <p className="text-sm text-muted">{text("home.noGamesHint")}</p>
        <ButtonLink look="quiet" to="/Fair">
          {text("mine.check")}
        </ButtonLink>
      </EmptyNote>
    );
  return (
    <ul className="flex flex-col gap-3">
      {games.map((game) => (
        <li key={game.key}>
          <GameCard game={game} />
        </li>
      ))}
    </ul>
  );
}
