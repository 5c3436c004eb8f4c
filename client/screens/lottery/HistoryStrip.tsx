import { useAnswer } from "#client/api/answers.ts";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useText } from "#client/hooks/use-text.ts";
import { lotteryHistory } from "#shared/contract/lottery.ts";

const SHOWN = "30";

/** Past draws as a strip of sums, newest first, with size and parity as word and colour. */
export function HistoryStrip({ gameKey }: { gameKey: string }) {
  const text = useText();
  const { data } = useAnswer(lotteryHistory, { key: gameKey, limit: SHOWN });
  if (!data) return <Skeleton className="h-12.5" />;
  if (data.length === 0)
    return <p className="flex min-h-12.5 items-center text-sm text-muted">{text("round.historyEmpty")}</p>;
  return (
    <section aria-label={text("round.history")}>
      {/* What scrolls must be reachable by keyboard. */}
      <ol tabIndex={0} className="-mx-4 flex gap-2 overflow-x-auto px-4 [scrollbar-width:none]">
        {data.map(({ expect, sum, one, two }) => (
          <li
            key={expect}
            title={expect}
            className="flex min-w-12 shrink-0 flex-col items-center rounded-md border border-line bg-card px-2 py-1"
          >
            <span className="figures text-base font-semibold">{sum}</span>
            <span className="flex gap-1 text-xs whitespace-nowrap">
              {one && <span className={one === "A" ? "text-brand-text" : "text-jade"}>{text(`option.${one}`)}</span>}
              {two && <span className={two === "C" ? "text-brand-text" : "text-jade"}>{text(`option.${two}`)}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
