import { notifyManager, replaceEqualDeep, type QueryClient, type QueryFilters } from "@tanstack/react-query";

/**
 * Carries what was pushed or done into the known answers. It stands for no answer: one that it leaves as it was keeps its
 * age, and one that is to be asked for again still is.
 */
export function changeAnswers<T>(queryClient: QueryClient, filters: QueryFilters, change: (known: T) => T): void {
  notifyManager.batch(() => {
    for (const query of queryClient.getQueryCache().findAll(filters)) {
      const { data, isInvalidated } = query.state as { data: T | undefined; isInvalidated: boolean };
      if (data === undefined) continue;
      const changed = replaceEqualDeep(data, change(data));
      if (changed === data) continue;
      queryClient.setQueryData(query.queryKey, changed);
      if (isInvalidated) query.invalidate();
    }
  });
}
