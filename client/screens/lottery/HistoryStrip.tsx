import { useEndpoint } from "#client/api/queries.ts";
import { Dice } from "#client/components/Dice.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { lotteryHistory } from "#shared/contract/lottery.ts";
import { wordsOf } from "./boards.ts";
import { DrawMarks } from "./DrawMarks.tsx";

const SHOWN = "30";

/** Past draws as a strip, newest first: the sum, or the dice where no sum counts, and the labels. */
export function HistoryStrip({ gameKey, kind }: { gameKey: string; kind: string }) {
  const text = useText();
  const { data } = useEndpoint(lotteryHistory, { key: gameKey, limit: SHOWN });
  if (!data) return <Skeleton className="h-12.5" />;
  if (data.length === 0)
    return <p className="flex min-h-12.5 items-center text-sm text-muted">{text("round.historyEmpty")}</p>;
  return (
    <section aria-label={text("round.history")}>
      {/* A scrollable area must be reachable by keyboard. */}
      <ol tabIndex={0} className="-mx-4 flex gap-2 overflow-x-auto px-4 [scrollbar-width:none]">
        {data.map(({ expect, opencode }) => (
          <li
            key={expect}
            title={expect}
            className="flex min-h-12.5 min-w-12 shrink-0 flex-col items-center justify-center rounded-md border border-line bg-card px-2 py-1"
          >
            <PastDraw kind={kind} dice={opencode} />
          </li>
        ))}
      </ol>
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
