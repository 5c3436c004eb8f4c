import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { bus } from "#client/api/bus.ts";
import { useUser } from "#client/hooks/use-site.ts";
import { readStored } from "#client/storage/local-storage.ts";
import { request, whenWatching } from "#client/watch/watch.ts";

/** What stands in the browser's database changes while the screen is open: it is read again this often. */
const READ_EVERY_MS = 3_000;

/** The house is asked for its newest head, and who signed it beside the house, this often while the screen is open. */
const ASK_EVERY_MS = 15_000;

/** Where the other phone's camera leads. */
export const pageOfProof = (): string => `${window.location.origin}/Proof`;

/** Whose bets the screen shows; empty for a guest. */
export function useWatchedMember(): string {
  const { data: user } = useUser();
  return readStored("token") === null ? "" : (user?.id ?? "");
}

/**
 * Whether the watcher failed when it was last asked. That stays so while it is asked again, and what came before is no
 * answer of now.
 */
export const hasFailed = ({ dataUpdatedAt, errorUpdatedAt }: { dataUpdatedAt: number; errorUpdatedAt: number }) =>
  errorUpdatedAt > dataUpdatedAt;

/** What this device has checked. */
export function useWatchReport() {
  const member = useWatchedMember();
  const queryClient = useQueryClient();
  useEffect(() => {
    const renew = () => void queryClient.invalidateQueries({ queryKey: ["watch"] });
    bus.on("found", renew);
    return () => bus.off("found", renew);
  }, [queryClient]);
  useQuery({
    queryKey: ["newest head"],
    queryFn: async () => {
      await whenWatching;
      return request("renew", {});
    },
    refetchInterval: ASK_EVERY_MS,
    staleTime: 0,
  });
  return useQuery({
    queryKey: ["watch", "report", member],
    queryFn: async () => {
      await whenWatching;
      return request("report", { member, page: pageOfProof() });
    },
    refetchInterval: READ_EVERY_MS,
    staleTime: 0,
  });
}

/** What was found, where the report of it cannot be read. */
export function useFindings() {
  const member = useWatchedMember();
  return useQuery({
    queryKey: ["watch", "findings", member],
    queryFn: () => request("findings", { member }),
    refetchInterval: READ_EVERY_MS,
    staleTime: 0,
  });
}

/** One bet, from its receipt to the closing that counted it. Null if this device keeps none. */
export function useOrderProof(order: string, origin: string | null) {
  const member = useWatchedMember();
  return useQuery({
    queryKey: ["watch", "order", member, order, origin],
    queryFn: async () => {
      await whenWatching;
      return request("order", { member, order, origin });
    },
    enabled: member !== "",
    refetchInterval: READ_EVERY_MS,
    staleTime: 0,
  });
}
