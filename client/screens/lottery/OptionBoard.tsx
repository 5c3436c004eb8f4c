import { Suspense, useEffect } from "react";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useNewestInView } from "./use-newest-in-view.ts";
import { boardOf } from "./boards.ts";
import type { BoardProps, OddsItem } from "./odds-item.ts";

const tileOf = (type: string) => `[data-option="${type}"]`;

interface Props extends Omit<BoardProps, "odds"> {
  kind: string;
  /** Undefined until loaded. */
  odds: readonly OddsItem[] | undefined;
}

/** The options, on the board of their game kind. A new choice scrolls into view, above the cart. */
export function OptionBoard({ kind, odds, ...given }: Props) {
  const { Options, load } = boardOf(kind);
  const board = useNewestInView<HTMLDivElement>(given.chosen, tileOf);
  useEffect(() => {
    // Loads the board in parallel with its odds; a failed load is retried when the board renders.
    load().catch(() => undefined);
  }, [load]);
  return (
    <div ref={board}>
      <Suspense fallback={<BoardSkeleton />}>{odds ? <Options odds={odds} {...given} /> : <BoardSkeleton />}</Suspense>
    </div>
  );
}

const WIDE = [1, 2, 3, 4];
const SQUARE = Array.from({ length: 16 }, (_, place) => place);

/** The placeholder of a board that is still loading. */
export function BoardSkeleton() {
  return (
    <div aria-busy className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-2">
        {WIDE.map((place) => (
          <Skeleton key={place} className="h-14" />
        ))}
      </div>
      <div className="grid grid-cols-4 gap-2 min-[560px]:grid-cols-8">
        {SQUARE.map((place) => (
          <Skeleton key={place} className="h-18" />
        ))}
      </div>
    </div>
  );
}
