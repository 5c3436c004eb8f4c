import { memo, Suspense, useEffect } from "react";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { boardOf } from "./boards.ts";
import type { BoardProps, OddsItem } from "./odds-item.ts";

interface Props extends Omit<BoardProps, "odds"> {
  kind: string;
  /** Undefined until loaded. */
  odds: readonly OddsItem[] | undefined;
}

/** The options, on the board of their game kind. */
export const OptionBoard = memo(function OptionBoard({ kind, odds, ...given }: Props) {
  const { Options, load } = boardOf(kind);
  useEffect(() => {
    // Loads the board in parallel with its odds; a failed load is retried when the board renders.
    load().catch(() => undefined);
  }, [load]);
  return (
    <Suspense fallback={<BoardSkeleton />}>{odds ? <Options odds={odds} {...given} /> : <BoardSkeleton />}</Suspense>
  );
});

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
