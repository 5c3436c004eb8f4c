import { CircleQuestionMark } from "lucide-react";
import { useCallback, useEffect, useState, useTransition } from "react";
import { useSearchParams } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { FailedNote } from "#client/components/Notes.tsx";
import { LicenceLine, LicenceMissing } from "#client/components/Licence.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { UnitLine } from "#client/components/UnitLine.tsx";
import { useBettingRound, type BettingActor, type BettingSnapshot } from "./use-betting-round.ts";
import { beaconWords } from "#client/hooks/use-beacon.ts";
import { useText } from "#client/text/use-text.ts";
import { useWatched } from "#client/hooks/use-watched.ts";
import { lotteryInfo, lotteryOdds, type Lottery as Game } from "#shared/contract/lottery.ts";
import { BalanceInBar } from "./BalanceInBar.tsx";
import { focusBoard, NotedBoard, useBoardNote } from "./BoardNote.tsx";
import { CartPanel } from "./CartPanel.tsx";
import { FirstMinutes } from "./FirstMinutes.tsx";
import { HistoryStrip } from "./HistoryStrip.tsx";
import { HowToPlay } from "./HowToPlay.tsx";
import { LimitsWay, WAY } from "./LimitsWay.tsx";
import type { Marks, OddsItem } from "./odds-item.ts";
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
      aside={<BalanceInBar gameKey={key} />}
    >
      <SkipLink />
      <LicenceMissing />
      {game.data ? (
        <Table key={key} game={game.data} />
      ) : game.isError ? (
        <>
          <UnitLine />
          <FailedNote error={game.error} onRetry={() => void game.refetch()} />
        </>
      ) : (
        <TableSkeleton />
      )}
      <LicenceLine />
    </Screen>
  );
}

/** Leads past the table to its board; seen only with the keyboard's focus. */
function SkipLink() {
  const text = useText();
  return (
    <button
      type="button"
      onClick={() => focusBoard()}
      className="sr-only focus-visible:not-sr-only focus-visible:fixed focus-visible:inset-x-4 focus-visible:top-16 focus-visible:z-30 focus-visible:min-h-11 focus-visible:rounded-md focus-visible:bg-card focus-visible:shadow-sheet"
    >
      {text("board.skip")}
    </button>
  );
}

const NO_ODDS: readonly OddsItem[] = [];

function Table({ game }: { game: Game }) {
  const text = useText();
  const [isExplaining, explain] = useState(false);
  const close = useCallback(() => explain(false), []);
  const { actor, snapshot } = useBettingRound(game.key, game.id);
  const note = useBoardNote(snapshot, game);
  const own = useOwnTable(game, actor, snapshot);
  const odds = useEndpoint(lotteryOdds, { id: game.id }, { staleTime: 60_000 });
  useWatched([game.key]);
  useCheckedOdds(game, odds.data);
  const { round, cart, isPanelOpen } = snapshot.context;
  const beacon = round?.beacon ?? game.beacon;
  return (
    // Padding as high as the open cart, so that it covers no content. It is always there, so that nothing moves.
    // On a phone in landscape the cart opens over the table, beside the board, and on a wide screen below the table.
    <div className="table-columns flex flex-col gap-3 pb-[min(24rem,60dvh+4rem)] beside:grid landscape-phone:grid-cols-[minmax(0,1fr)_20rem] beside:pb-4 beside:*:col-start-1 xl:grid-cols-[minmax(0,1fr)_26rem] xl:gap-x-6">
      {/* In the first column, so that the felt stands as high as it can: in landscape there is little height for it. */}
      <UnitLine className="" />
      <div className="beside:col-start-2! beside:row-span-5 beside:row-start-1 beside:self-start xl:sticky xl:top-17">
        <RoundTable game={game} actor={actor} snapshot={snapshot} own={own} />
      </div>
      <HistoryStrip gameKey={game.key} kind={game.kind} recent={game.recent} flying={own.flying} />
      <Ways isCartOpen={cart.options.length > 0 && isPanelOpen} onExplain={() => explain(true)} />
      <Board kind={game.kind} odds={odds} actor={actor} snapshot={snapshot} note={note} marks={own.marks} />
      <p className="text-xs text-muted">{text(beaconWords(beacon))}</p>
      <CartPanel actor={actor} snapshot={snapshot} odds={odds.data ?? NO_ODDS} kind={game.kind} own={own} note={note} />
      <FirstMinutes kind={game.kind} odds={odds.data ?? NO_ODDS} snapshot={snapshot} own={own} />
      <HowToPlay kind={game.kind} beacon={beacon} odds={odds.data ?? NO_ODDS} isOpen={isExplaining} onClose={close} />
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

/** A push renders the table, but not its options, unless it changes what stands on them. */
function Board({ kind, odds, actor, snapshot, note, marks }: BoardParts) {
  const toggle = useCallback((option: string) => actor.send({ type: "toggle", option }), [actor]);
  if (odds.isError && !odds.data) return <FailedNote error={odds.error} onRetry={() => void odds.refetch()} />;
  return (
    <NotedBoard note={note}>
      <OptionBoard
        kind={kind}
        odds={odds.data}
        chosen={snapshot.context.cart.options}
        isCovered={snapshot.context.isPanelOpen}
        marks={marks}
        onToggle={toggle}
      />
    </NotedBoard>
  );
}

/** The link to the limits stands next to how the game is played, equally easy to reach; with the cart open, in the cart. */
function Ways({ isCartOpen, onExplain }: { isCartOpen: boolean; onExplain: () => void }) {
  const text = useText();
  // The guide takes a slow phone a tenth of a second: its button shows the tap at once.
  const [isOpening, open] = useTransition();
  return (
    <div className="-my-3 flex flex-wrap items-center justify-between gap-x-2">
      <div className={isCartOpen ? "invisible" : ""}>
        <LimitsWay />
      </div>
      <button
        type="button"
        onClick={() => open(onExplain)}
        className={`${WAY} text-start ${isOpening ? "opacity-60" : ""}`}
      >
        <CircleQuestionMark size={16} aria-hidden className="shrink-0" />
        {text("guide.title")}
      </button>
    </div>
  );
}

function TableSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <UnitLine className="" />
      <Skeleton className="h-44" />
      <Skeleton className="mb-8 h-[3.125rem]" />
      <Skeleton className="h-12 sm:h-8" />
      <BoardSkeleton />
    </div>
  );
}
