import { useEffect, useState, useSyncExternalStore } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { usePages } from "#client/api/pages.ts";
import { onSeen, readSeen, writeSeen } from "./seen-messages.ts";
import { messageList } from "#shared/contract/member.ts";
import { useUser } from "#client/hooks/use-site.ts";

/** The count stops here; more shows as "20+". */
export const MOST_UNREAD = 20;

/** The number of messages since the member last looked on this device. */
export function useUnread(): number {
  const { data: user } = useUser();
  const { data } = useEndpoint(messageList, { limit: String(MOST_UNREAD) }, { enabled: user !== undefined });
  const seen = useSyncExternalStore(onSeen, () => (user ? readSeen(user.id) : null));
  if (!data) return 0;
  const place = data.findIndex(({ id }) => id === seen);
  return place < 0 ? data.length : place;
}

/** The member's messages, newest first. Showing them marks them as seen; `isNew` tells which were unseen before. */
export function useMessages() {
  const { data: user } = useUser();
  const pages = usePages(messageList, (rows) => rows, { limit: 20 });
  const memberId = user?.id;
  const newest = pages.rows[0]?.id;
  const [before, keep] = useState<{ memberId: string; seen: string | null } | null>(null);
  if (memberId !== undefined && before?.memberId !== memberId) keep({ memberId, seen: readSeen(memberId) });
  useEffect(() => {
    if (memberId !== undefined && newest !== undefined) writeSeen(memberId, newest);
  }, [memberId, newest]);
  const place = pages.rows.findIndex(({ id }) => id === before?.seen);
  const fresh = new Set(pages.rows.slice(0, place < 0 ? undefined : place).map(({ id }) => id));
  return { pages, isNew: (id: string) => before !== null && fresh.has(id) };
}
