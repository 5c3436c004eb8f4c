import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "#client/api/call.ts";
import { usePages } from "#client/api/pages.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { MOST_UNREAD } from "#client/components/UnreadBadge.tsx";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { messageList, readMessages } from "#shared/contract/member.ts";

/** How many messages the member has not seen, on any device: at most `MOST_UNREAD`. */
export function useUnread(): number {
  const isMember = useIsMember();
  const { data = [] } = useEndpoint(messageList, { limit: String(MOST_UNREAD) }, { enabled: isMember });
  return data.filter(({ unread }) => unread === 1).length;
}

/** The member's messages, newest first. Showing them marks them as read; `isNew` tells which were unread before. */
export function useMessages() {
  const client = useQueryClient();
  const pages = usePages(messageList, (rows) => rows, { limit: 20 });
  const [fresh, keep] = useState<ReadonlySet<string>>(new Set());
  const unread = pages.rows.filter((row) => row.unread === 1 && !fresh.has(row.id)).map(({ id }) => id);
  if (unread.length > 0) keep(new Set([...fresh, ...unread]));
  const newest = pages.rows[0];
  const unseen = newest?.unread === 1 ? newest.id : null;
  useEffect(() => {
    if (unseen === null) return;
    const renew = () => client.invalidateQueries({ queryKey: [messageList.path] });
    // What is not marked now is marked with the next message, or at the next visit.
    call(readMessages, { id: unseen }).then(renew, () => undefined);
    // Each newest message is marked once.
  }, [unseen]);
  return { pages, isNew: (id: string) => fresh.has(id) };
}
