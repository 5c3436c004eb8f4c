import { useEndpoint } from "#client/api/queries.ts";
import { MOST_UNREAD } from "#client/components/UnreadBadge.tsx";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { messageList } from "#shared/contract/member.ts";

/** How many messages the member has not seen, on any device: at most `MOST_UNREAD`. */
export function useUnread(): number {
  const isMember = useIsMember();
  const { data = [] } = useEndpoint(messageList, { limit: String(MOST_UNREAD) }, { enabled: isMember });
  return data.filter(({ unread }) => unread === 1).length;
}
