import { useEffect } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { listingDetail } from "#shared/contract/listing.ts";
import { useUser } from "#client/hooks/use-site.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";

export type Listing = ReplyOf<typeof listingDetail>;

/**
 * One listing, refetched when the reader gains or loses active membership. Losing it hides the private part at once.
 */
export function useListing(id: string) {
  const isMember = useIsMember();
  const { data: user } = useUser();
  const { data, refetch, ...query } = useEndpoint(listingDetail, { id });
  const isActive = isMember && user?.is_see === 1;
  const isKnown = data !== undefined && (!isMember || user !== undefined);
  const isOther = isKnown && (data.activated === 1) !== isActive;
  useEffect(() => {
    if (isOther) void refetch();
  }, [isOther, refetch]);
  const listing: Listing | undefined = isOther && !isActive ? { ...data, private: null } : data;
  return { ...query, refetch, listing };
}
