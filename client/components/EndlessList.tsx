import { useEffect, useRef, type ReactNode } from "react";
import { useText } from "#client/text/use-text.ts";
import { FailedNote } from "./Notes.tsx";
import { SkeletonRows } from "./Skeleton.tsx";

/** What an endless query says of itself. */
export interface Pages<Row> {
  rows: Row[];
  isPending: boolean;
  isError: boolean;
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

interface Props<Row> {
  pages: Pages<Row>;
  row: (row: Row) => ReactNode;
  keyOf: (row: Row) => string;
  /** Shown when there is not one row. */
  empty: ReactNode;
  skeleton?: ReactNode;
  label: string;
  /** Two beside each other. */
  isGrid?: boolean;
  /** In a grid: three where there is room. */
  isWide?: boolean;
}

/**
 * A list that goes on by itself 50 px before its end, and says when there is no more. A row that came twice, since
 * others came before it meanwhile, is shown once.
 */
export function EndlessList<Row>(props: Props<Row>) {
  const { pages, row, keyOf, empty, skeleton, label, isGrid = false, isWide = false } = props;
  const { rows, isPending, isError, error, refetch } = pages;
  if (isPending) return <>{skeleton ?? <SkeletonRows />}</>;
  if (isError && rows.length === 0) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <>
      <ul
        aria-label={label}
        className={isGrid ? `grid grid-cols-2 gap-3 ${isWide ? "sm:grid-cols-3" : ""}` : "flex flex-col gap-3"}
      >
        {[...new Map(rows.map((one) => [keyOf(one), one]))].map(([key, one]) => (
          <li key={key}>{row(one)}</li>
        ))}
      </ul>
      <Tail pages={pages} />
    </>
  );
}

function Tail<Row>({ pages }: { pages: Pages<Row> }) {
  const text = useText();
  const { rows, hasNextPage, isFetchingNextPage, isError, error, fetchNextPage } = pages;
  const isWanted = hasNextPage && !isFetchingNextPage && !isError;
  const end = useReached(isWanted, rows.length, () => void fetchNextPage());
  if (isError) return <FailedNote error={error} onRetry={() => void fetchNextPage()} />;
  return (
    <p ref={end} role="status" className="py-5 text-center text-sm text-muted">
      {hasNextPage ? text("state.loading") : text("state.noMore")}
    </p>
  );
}

/**
 * Calls once each time the element comes within 50 px of the screen, and again when the list has grown and it is still
 * there: a page that was fetched ahead is put in without a moment of waiting.
 */
function useReached(isWanted: boolean, length: number, reach: () => void) {
  const ref = useRef<HTMLParagraphElement>(null);
  const latest = useRef(reach);
  useEffect(() => {
    latest.current = reach;
  });
  useEffect(() => {
    if (!isWanted || !ref.current) return undefined;
    // Of what a busy page is told at once, the last is how it is now.
    const see = (entries: IntersectionObserverEntry[]) => entries.at(-1)?.isIntersecting && latest.current();
    const observer = new IntersectionObserver(see, { rootMargin: "50px" });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isWanted, length]);
  return ref;
}
