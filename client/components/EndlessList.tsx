import { useEffect, useRef, type ReactNode } from "react";
import { useText } from "#client/text/use-text.ts";
import { PullToRefresh, useRefresh } from "./PullToRefresh.tsx";
import { FailedNote } from "./Notes.tsx";
import { SkeletonRows } from "./Skeleton.tsx";

/** The state of an infinite query. */
export interface Pages<Row> {
  rows: Row[];
  isPending: boolean;
  /** Nothing is known, and the first page failed. */
  isLoadingError: boolean;
  /** The page after the last known one failed. */
  isFetchNextPageError: boolean;
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
  /** Begins again with the first page. */
  renew: () => Promise<{ isError: boolean; error: unknown }>;
}

interface Props<Row> {
  pages: Pages<Row>;
  /** `place` counts from 0. */
  row: (row: Row, place: number) => ReactNode;
  keyOf: (row: Row) => string;
  /** Shown when the list has no rows. */
  empty: ReactNode;
  skeleton?: ReactNode;
  label: string;
  /** The list is a part of its screen, and pulling the screen down does not refresh it. */
  isPart?: boolean;
  /** Two columns. */
  isGrid?: boolean;
  /** In a grid: three columns where there is room. */
  isWide?: boolean;
}

/**
 * A list that loads its next page 50 px before its end and marks the end. New rows can shift a row onto the next page
 * as well; it is shown once. What is known stays when it is asked for again in vain.
 */
export function EndlessList<Row>({ isPart = false, ...props }: Props<Row>) {
  const refresh = useRefresh(props.pages.renew);
  const list = <List {...props} />;
  return isPart ? list : <PullToRefresh onRefresh={refresh}>{list}</PullToRefresh>;
}

function List<Row>(props: Omit<Props<Row>, "isPart">) {
  const { pages, row, keyOf, empty, skeleton, label, isGrid = false, isWide = false } = props;
  const { rows, isPending, isLoadingError, error, refetch } = pages;
  if (isPending) return <>{skeleton ?? <SkeletonRows />}</>;
  if (isLoadingError) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <>
      <ul
        aria-label={label}
        className={isGrid ? `grid grid-cols-2 gap-3 ${isWide ? "sm:grid-cols-3" : ""}` : "flex flex-col gap-3"}
      >
        {[...new Map(rows.map((one) => [keyOf(one), one]))].map(([key, one], place) => (
          <li key={key}>{row(one, place)}</li>
        ))}
      </ul>
      <Tail pages={pages} />
    </>
  );
}

function Tail<Row>({ pages }: { pages: Pages<Row> }) {
  const text = useText();
  const { rows, hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = pages;
  const isWanted = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  const end = useReached(isWanted, rows.length, () => void fetchNextPage());
  if (isFetchNextPageError) return <FailedNote error={error} onRetry={() => void fetchNextPage()} />;
  return (
    <p ref={end} role="status" className="py-5 text-center text-sm text-muted">
      {hasNextPage ? text("state.loading") : text("state.noMore")}
    </p>
  );
}

/**
 * Calls `reach` each time the element comes within 50 px of the screen. It calls again if the list has grown and the
 * element is still there, so a prefetched page appears at once.
 */
function useReached(isWanted: boolean, length: number, reach: () => void) {
  const ref = useRef<HTMLParagraphElement>(null);
  const latest = useRef(reach);
  useEffect(() => {
    latest.current = reach;
  });
  useEffect(() => {
    if (!isWanted || !ref.current) return undefined;
    // A busy page receives several entries at once; the last is the current state.
    const see = (entries: IntersectionObserverEntry[]) => entries.at(-1)?.isIntersecting && latest.current();
    const observer = new IntersectionObserver(see, { rootMargin: "50px" });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isWanted, length]);
  return ref;
}
