import { ChartNoAxesColumn, Timer } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { Amount } from "#client/components/Amount.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { LicenceLine, LicenceMissing } from "#client/components/Licence.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useBettingRound, type BettingActor, type BettingSnapshot } from "./use-betting-round.ts";
import { beaconWords } from "#client/hooks/use-beacon.ts";
import { useUser } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useWatched } from "#client/hooks/use-watched.ts";
import { lotteryInfo, lotteryOdds, type Lottery as Game } from "#shared/contract/lottery.ts";
import { NotedBoard, useBoardNote } from "./BoardNote.tsx";
import { CartPanel } from "./CartPanel.tsx";
import { HistoryStrip } from "./HistoryStrip.tsx";
import type { Marks, OddsItem } from "./odds-item.ts";
import { OddsSheet } from "./OddsSheet.tsx";
import { BoardSkeleton, OptionBoard } from "./OptionBoard.tsx";
import { RoundTable } from "./RoundTable.tsx";
import { useOwnTable } from "./use-own-rounds.ts";

/** The betting screen of one game. */
export default function Lottery() {
  const text = useText();
  const [params] = useSearchParams();
  const key = params.get("key") ?? "";
  const game = useEndpoint(lotteryInfo, { key });
  const name = game.data?.name ?? text("game.title");
  return (
    <Screen
      title={name}
      heading={<span className="block text-base/tight">{name}</span>}
      aside={<BalanceInBar />}
      hasAmounts
    >
      <LicenceMissing />
      {game.data ? (
        <Table key={key} game={game.data} />
      ) : game.isError ? (
        <FailedNote error={game.error} onRetry={() => void game.refetch()} />
      ) : (
        <TableSkeleton />
      )}
      <LicenceLine />
    </Screen>
  );
}

/** The balance in the title bar, always in view while betting. */
function BalanceInBar() {
  const text = useText();
  const { data } = useUser();
  return (
    <p className="flex shrink-0 flex-col items-end pe-3 text-xs text-muted">
      {text("round.balance")}
      {data ? (
        <Amount value={data.money} className="text-base font-semibold text-ink" />
      ) : (
        <Skeleton className="h-6 w-20" />
      )}
    </p>
  );
}

function Table({ game }: { game: Game }) {
  const text = useText();
  const [isExplaining, explain] = useState(false);
  const { actor, snapshot } = useBettingRound(game.key, game.id);
  const note = useBoardNote(snapshot);
  const own = useOwnTable(game, actor, snapshot);
  const odds = useEndpoint(lotteryOdds, { id: game.id }, { staleTime: 60_000 });
  useWatched([game.key]);
  useCheckedOdds(game, odds.data);
  const { round } = snapshot.context;
  const beacon = round?.beacon ?? game.beacon;
  return (
    // Padding as high as the open cart, so that it covers no content. It is always there, so that nothing moves.
    <div className="flex flex-col gap-3 pb-[min(24rem,60dvh+4rem)]">
      <RoundTable game={game} snapshot={snapshot} own={own} />
      <HistoryStrip gameKey={game.key} kind={game.kind} />
      <Ways onExplain={() => explain(true)} />
      <Board kind={game.kind} odds={odds} actor={actor} snapshot={snapshot} note={note} marks={own.marks} />
      <p className="text-xs text-muted">{text(beaconWords(beacon))}</p>
      <CartPanel
        actor={actor}
        snapshot={snapshot}
        odds={odds.data ?? []}
        kind={game.kind}
        isBlocked={note?.isBlocking ?? false}
      />
      <OddsSheet
        kind={game.kind}
        beacon={beacon}
        odds={odds.data ?? []}
        isOpen={isExplaining}
        onClose={() => explain(false)}
      />
    </div>
  );
}

/** The odds of the board are checked as they are shown: their chances and returns have to follow from their payouts. */
function useCheckedOdds({ key: game, kind }: Game, items: readonly OddsItem[] | undefined): void {
  useEffect(() => {
    if (!items) return;
    const odds = items.map(({ type, pays, rtp, probability }) => ({ type, pays, rtp, probability }));
    void import("#client/watch/watch.ts").then(({ watchBoard }) => watchBoard({ game, kind, odds }));
  }, [game, kind, items]);
}

interface BoardParts {
  kind: string;
  odds: ReturnType<typeof useEndpoint<typeof lotteryOdds>>;
  actor: BettingActor;
  snapshot: BettingSnapshot;
  note: ReturnType<typeof useBoardNote>;
  marks: Marks;
}

function Board({ kind, odds, actor, snapshot, note, marks }: BoardParts) {
  if (odds.isError && !odds.data) return <FailedNote error={odds.error} onRetry={() => void odds.refetch()} />;
  return (
    <NotedBoard note={note}>
      <OptionBoard
        kind={kind}
        odds={odds.data}
        chosen={snapshot.context.cart.options}
        isCovered={snapshot.context.isPanelOpen}
        marks={marks}
        onToggle={(option) => actor.send({ type: "toggle", option })}
      />
    </NotedBoard>
  );
}

const WAY = "flex min-h-11 items-center gap-1.5 text-sm text-brand-text underline-offset-4 hover:underline";

/** The link to the limits stands next to the payout rules, equally easy to reach. */
function Ways({ onExplain }: { onExplain: () => void }) {
  const text = useText();
  return (
    <div className="-my-3 flex flex-wrap items-center justify-between gap-x-2">
      <Link to="/Limits" className={WAY}>
        <Timer size={16} aria-hidden className="shrink-0" />
        {text("mine.limits")}
      </Link>
      <button type="button" onClick={onExplain} className={`${WAY} text-start`}>
        <ChartNoAxesColumn size={16} aria-hidden className="shrink-0" />
        {text("odds.explain")}
      </button>
    </div>
  );
}

function TableSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton className="h-44" />
      <Skeleton className="mb-8 h-12.5" />
      <Skeleton className="h-12 sm:h-8" />
      <BoardSkeleton />
    </div>
  );
}
