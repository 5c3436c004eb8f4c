import { useEndpoint } from "#client/api/queries.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { supportMessages } from "#shared/contract/support.ts";

/** How many answers of the customer service the member has not seen, on any device. */
export function useUnreadAnswers(): number {
  const isMember = useIsMember();
  const { data } = useEndpoint(supportMessages, { limit: "1" }, { enabled: isMember });
  return data?.unread ?? 0;
}
