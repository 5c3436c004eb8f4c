import { useEffect } from "react";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { call } from "#client/api/call.ts";
import { newIdempotencyKey } from "#client/api/idempotency-key.ts";
import { queryClient, useEndpoint } from "#client/api/queries.ts";
import { listingDetail, openListing, ownListings } from "#shared/contract/listing.ts";
import { useUser } from "#client/hooks/use-site.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";

export type Listing = ReplyOf<typeof listingDetail>;

/**
 * One listing, refetched when the reader gains or loses active membership. Losing it hides the private part at once.
 */
export function useListing(id: string) {
  const isMember = useIsMember();
  const { data: user } = useUser();
  const { data, error, refetch } = useEndpoint(listingDetail, { id });
  const isActive = isMember && user?.is_see === 1;
  const isKnown = data !== undefined && (!isMember || user !== undefined);
  const isOther = isKnown && (data.activated === 1) !== isActive;
  useEffect(() => {
    if (isOther) void refetch();
  }, [isOther, refetch]);
  useOpened(id, isMember && data !== undefined);
  const listing: Listing | undefined = isOther && !isActive ? { ...data, private: null } : data;
  return { listing, error, refetch };
}

/** Remembers on the server that the member opened the listing. Nothing waits for it. */
function useOpened(id: string, isOpened: boolean): void {
  useEffect(() => {
    if (!isOpened) return;
    void call(openListing, { id }, { key: newIdempotencyKey() })
      .then(() => queryClient.invalidateQueries({ queryKey: [ownListings.path] }))
      .catch(() => undefined);
  }, [id, isOpened]);
}
