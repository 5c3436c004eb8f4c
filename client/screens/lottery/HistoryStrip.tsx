import { ChartColumn } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { jitter } from "#client/api/jitter.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { Dice } from "#client/components/Dice.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { arrowKeys } from "#client/hooks/arrow-keys.ts";
import { useText } from "#client/text/use-text.ts";
import { lotteryHistory, MOST_DRAWS, type Lottery } from "#shared/contract/lottery.ts";
import { wordsOf } from "./boards.ts";
import { DrawMarks } from "./DrawMarks.tsx";
import { DrawStats } from "./DrawStats.tsx";

const TILE =
  "flex min-h-[3.125rem] min-w-12 shrink-0 flex-col items-center justify-center rounded-md border border-line bg-card px-2 py-1";

interface Row {
  expect: string;
  opencode: readonly number[];
}

interface Props {
  gameKey: string;
  kind: string;
  /** The game's last draws, which the strip has too. */
  recent: Lottery["recent"];
  /** The round whose dice are in the air, which is no past draw yet. */
  flying: string | null;
}

/** Past draws as a strip, newest first. It is as high before the first draw as after it. */
export const HistoryStrip = memo(function HistoryStrip({ gameKey, kind, recent, flying }: Props) {
  const text = useText();
  const history = useEndpoint(lotteryHistory, { key: gameKey, limit: MOST_DRAWS });
  useAskForMissing(history, recent);
  const known = history.data;
  const data = flying === null ? known : known?.filter(({ expect }) => expect !== flying);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-center *:[grid-area:1/1]">
      {/* Its text may wrap, so it keeps its place when it is not shown. */}
      <p className={`flex min-h-[3.125rem] items-center text-sm text-muted ${data?.length === 0 ? "" : "invisible"}`}>
        {text("round.historyEmpty")}
      </p>
      {!data && <Skeleton className="h-[3.125rem]" />}
      {data && data.length > 0 && <Draws gameKey={gameKey} kind={kind} draws={data} />}
    </div>
  );
});

/** Asks for a missing draw within this time, so that a full room does not ask at once. */
const SPREAD_MS = 1_500;

type History = ReturnType<typeof useEndpoint<typeof lotteryHistory>>;

/** Asks once for a draw that the game tells and the strip does not have. An answer under way may bring it. */
function useAskForMissing({ data: known, isFetching, refetch }: History, recent: Props["recent"]): void {
  const asked = useRef<string>(undefined);
  const oldest = known?.at(-1)?.expect ?? "";
  const isMissing = ({ expect }: Row) => expect > oldest && !known?.some((row) => row.expect === expect);
  const missing = known && recent.find(isMissing)?.expect;
  useEffect(() => {
    if (missing === undefined || missing === asked.current || isFetching) return undefined;
    const ask = () => {
      asked.current = missing;
      void refetch();
    };
    const timer = setTimeout(ask, jitter(SPREAD_MS));
    return () => clearTimeout(timer);
  }, [missing, isFetching, refetch]);
}

interface DrawsProps {
  gameKey: string;
  kind: string;
  draws: readonly Row[];
}

/** Each draw leads to its check. Before them, the way to their roads. */
function Draws({ gameKey, kind, draws }: DrawsProps) {
  const text = useText();
  const [isOpen, open] = useState(false);
  return (
    // Hidden texts are placed: without a place of its own the strip would leave them to the page, and widen it.
    <section
      aria-label={text("round.history")}
      className="relative -mx-4 flex overflow-x-auto px-4 [scrollbar-width:none]"
    >
      <button type="button" onClick={() => open(true)} className={`${TILE} me-2 gap-0.5 text-xs text-brand-text`}>
        <ChartColumn size={20} aria-hidden />
        {text("round.stats")}
      </button>
      <ol ref={arrowKeys} className="flex gap-2">
        {draws.map(({ expect, opencode }) => (
          <li key={expect} className="shrink-0">
            <Link to={`/Fair?key=${gameKey}&expect=${expect}`} title={expect} className={TILE}>
              <PastDraw kind={kind} dice={opencode} />
              <span className="sr-only">{text("round.number", { round: expect })}</span>
            </Link>
          </li>
        ))}
      </ol>
      <DrawStats
        kind={kind}
        draws={draws.map(({ opencode }) => opencode).toReversed()}
        isOpen={isOpen}
        onClose={() => open(false)}
      />
    </section>
  );
}

function PastDraw({ kind, dice }: { kind: string; dice: readonly number[] }) {
  const { sum, marks } = wordsOf(kind, dice);
  return (
    <>
      <span className="figures flex min-h-6 items-center text-base font-semibold">
        {sum ?? <Dice dice={dice} size={20} />}
      </span>
      {marks.length > 0 && (
        <span className="flex gap-1 text-xs whitespace-nowrap">
          <DrawMarks marks={marks} />
        </span>
      )}
    </>
  );
}
