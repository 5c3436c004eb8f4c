import { notifyManager, useQuery, QueryClient, type UseQueryOptions } from "@tanstack/react-query";
import type { AnyEndpoint, ReplyOf } from "#shared/contract/endpoint.ts";
import { useLanguage } from "#client/text/use-text.ts";
import { call, type InputFor } from "./call.ts";
import { RefusedCall } from "./call-error.ts";
import { newerWallet } from "./wallet.ts";

const RETRIES = 2;

// What a tap changes shows with the tap. By default a timer runs in between, and a switch falls back until then.
notifyManager.setScheduler(queueMicrotask);

/** The cache of server replies. Refusals are replies; only lost calls are retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: "always",
      staleTime: 30_000,
      gcTime: 30 * 60_000,
      retry: (failures, error) => failures < RETRIES && !(error instanceof RefusedCall && !error.lost),
      retryDelay: (failures) => 500 * 2 ** failures,
      structuralSharing: newerWallet,
    },
  },
});

type Options<E extends AnyEndpoint> = Omit<UseQueryOptions<ReplyOf<E>>, "queryKey" | "queryFn" | "structuralSharing">;

/** What the cache knows of an endpoint. */
export const metaOf = ({ isRecord }: AnyEndpoint) => ({ isRecord });

/** An endpoint's reply, cached by path, input and language. */
export function useEndpoint<E extends AnyEndpoint>(
  endpoint: E,
  input: Partial<InputFor<E>> = {},
  options: Options<E> = {},
) {
  const language = useLanguage();
  return useQuery({
    ...options,
    meta: metaOf(endpoint),
    queryKey: [endpoint.path, input, language],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  });
}
