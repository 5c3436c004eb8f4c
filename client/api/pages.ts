import { hashKey, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { NavigationType, useNavigationType } from "react-router";
import { useLanguage } from "#client/text/use-text.ts";
import type { AnyEndpoint, ReplyOf } from "#shared/contract/endpoint.ts";
import { call, type InputFor } from "./call.ts";
import { metaOf } from "./queries.ts";

/** How long a prefetched page counts as fresh. */
const AHEAD_MS = 30_000;

interface Paged {
  page?: unknown;
  limit?: unknown;
}

interface PagesOptions<E extends AnyEndpoint> {
  limit?: number;
  input?: Partial<InputFor<E>>;
  enabled?: boolean;
  /**
   * Fetches the page after the newest one before it is asked for. Going back finds the list as it was left; whoever
   * comes anew finds its beginning, new when it is older than a moment.
   */
  isAhead?: boolean;
}

/** A page's rows. With the total count, the end is known without fetching an empty page. */
type Rows<Row> = Row[] | { list: Row[]; count: number };

interface Page<Row> {
  rows: Row[];
  count: number | null;
}

const isLast = (loaded: Page<unknown>[], limit: number): boolean => {
  const { rows, count } = loaded.at(-1)!;
  return rows.length < limit || (count !== null && loaded.flatMap(({ rows }) => rows).length >= count);
};

/**
 * Page after page of a list, as rows. `rowsOf` finds them in an answer. `renew` begins again with the first page; what is
 * known stays as it is, with its age, until the new one is there.
 */
export function usePages<E extends AnyEndpoint, Row>(
  endpoint: E & { input: { _zod: { input: Paged } } },
  rowsOf: (answer: ReplyOf<E>) => Rows<Row>,
  { limit = 10, input = {}, enabled = true, isAhead = false }: PagesOptions<E> = {},
) {
  const language = useLanguage();
  const client = useQueryClient();
  const queryKey = [endpoint.path, "pages", input, limit, language];
  const pageAt = (page: number) => ({
    queryKey: [endpoint.path, "page", input, limit, language, page],
    // The list itself asks again.
    retry: false,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const asked = { ...input, page: String(page), limit: String(limit) } as Partial<InputFor<E>>;
      return asPage(rowsOf(await call<E>(endpoint, asked, { signal })));
    },
  });
  const list = {
    meta: metaOf(endpoint),
    queryKey,
    initialPageParam: 1,
    queryFn: async ({ pageParam: page, signal }: { pageParam: number; signal: AbortSignal }) => {
      if (!isAhead) return pageAt(page).queryFn({ signal });
      const loaded = await client.fetchQuery({ ...pageAt(page), staleTime: AHEAD_MS });
      if (!isLast([loaded], limit)) void client.prefetchQuery(pageAt(page + 1));
      return loaded;
    },
    getNextPageParam: (_last: Page<Row>, all: Page<Row>[], page: number) => (isLast(all, limit) ? undefined : page + 1),
  };
  const query = useInfiniteQuery({ enabled, ...list, ...(isAhead && { staleTime: Infinity }) });
  const renew = async () => {
    client.removeQueries({ queryKey: [endpoint.path, "page"] });
    await client.cancelQueries({ queryKey });
    return endOf(client.fetchInfiniteQuery({ ...list, pages: 1, staleTime: 0 }));
  };
  useFreshStart(isAhead, queryKey, client.getQueryState(queryKey)?.dataUpdatedAt ?? 0, renew);
  return { ...stateOf(query), rows: useRows(query.data), renew };
}

/** How a fetch went. */
const endOf = (fetching: Promise<unknown>): Promise<{ isError: boolean; error: unknown }> =>
  fetching.then(
    () => ({ isError: false, error: null }),
    (error: unknown) => ({ isError: true, error }),
  );

/** The rows of all pages: the same array until one of them changes. */
const useRows = <Row>(data: InfiniteData<Page<Row>> | undefined): Row[] =>
  useMemo(() => data?.pages.flatMap(({ rows }) => rows) ?? [], [data]);

/** What a list shows of its query. With all of its fields it would render whenever it is asked. */
function stateOf(query: UseInfiniteQueryResult) {
  const { isPending, isLoadingError, isFetchNextPageError, error, refetch } = query;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const first = { isPending, isLoadingError, error, refetch };
  const next = { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage };
  return { ...first, ...next, isRefetching: () => query.isRefetching };
}

/** Begins the list again for whoever comes to it by another way than back. */
function useFreshStart(isWanted: boolean, queryKey: readonly unknown[], updatedAt: number, renew: () => unknown) {
  const isBack = useNavigationType() === NavigationType.Pop;
  const list = hashKey(queryKey);
  useEffect(() => {
    const isOld = updatedAt > 0 && Date.now() - updatedAt > AHEAD_MS;
    if (isWanted && !isBack && isOld) void renew();
    // It is decided once for each list that is come to.
  }, [list]);
}

const asPage = <Row>(rows: Rows<Row>): Page<Row> =>
  Array.isArray(rows) ? { rows, count: null } : { rows: rows.list, count: rows.count };
