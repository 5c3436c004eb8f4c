import { useEffect, useRef, type ReactNode } from "react";
import { useText } from "#client/hooks/use-text.ts";
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
}

/** A list that goes on by itself 50 px before its end, and says when there is no more. */
export function EndlessList<Row>({ pages, row, keyOf, empty, skeleton, label }: Props<Row>) {
  const { rows, isPending, isError, error, refetch } = pages;
  if (isPending) return <>{skeleton ?? <SkeletonRows />}</>;
  if (isError && rows.length === 0) return <FailedNote error={error} onRetry={() => void refetch()} />;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <>
      <ul aria-label={label} className="flex flex-col gap-3">
        {rows.map((one) => (
          <li key={keyOf(one)}>{row(one)}</li>
        ))}
      </ul>
      <Tail pages={pages} />
    </>
  );
}

function Tail<Row>({ pages }: { pages: Pages<Row> }) {
  const text = useText();
  const { hasNextPage, isFetchingNextPage, isError, error, fetchNextPage } = pages;
  const end = useReached(hasNextPage && !isFetchingNextPage && !isError, () => void fetchNextPage());
  if (isError) return <FailedNote error={error} onRetry={() => void fetchNextPage()} />;
  return (
    <p ref={end} role="status" className="py-5 text-center text-sm text-muted">
      {hasNextPage ? text("state.loading") : text("state.noMore")}
    </p>
  );
}

/** Calls once each time the element comes within 50 px of the screen. */
function useReached(isWanted: boolean, reach: () => void) {
  const ref = useRef<HTMLParagraphElement>(null);
  const latest = useRef(reach);
  useEffect(() => {
    latest.current = reach;
  });
  useEffect(() => {
    if (!isWanted || !ref.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: "50px",
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isWanted]);
  return ref;
}
