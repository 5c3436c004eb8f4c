import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "#client/api/call.ts";
import { usePages } from "#client/api/pages.ts";
import { readSupport, supportMessages } from "#shared/contract/support.ts";
import { useUnreadAnswers } from "./use-unread-answers.ts";

/** The member's conversation, newest first. Showing it marks it as read. */
export function useConversation() {
  const client = useQueryClient();
  const unread = useUnreadAnswers();
  const pages = usePages(supportMessages, ({ list, count }) => ({ list, count }), { limit: 30 });
  const newest = pages.rows[0]?.id;
  useEffect(() => {
    if (unread === 0 || newest === undefined) return;
    // What is not marked now is marked with the next answer, or at the next visit.
    call(readSupport, { id: newest }).then(
      () => client.invalidateQueries({ queryKey: [supportMessages.path] }),
      () => undefined,
    );
    // Each newest message is marked once.
  }, [unread, newest]);
  return pages;
}
