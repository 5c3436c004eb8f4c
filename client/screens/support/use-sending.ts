import { useSyncExternalStore } from "react";
import { bus } from "#client/api/bus.ts";
import { call } from "#client/api/call.ts";
import { jitter } from "#client/api/jitter.ts";
import { queryClient } from "#client/api/queries.ts";
import { sendFile } from "#client/api/send-file.ts";
import { onStored } from "#client/storage/local-storage.ts";
import { text } from "#client/text/i18n.ts";
import { failureText } from "#client/text/use-failure-text.ts";
import { sendMessage, sendPicture, supportMessages } from "#shared/contract/support.ts";
import { Outbox } from "./outbox.ts";

/** It outlives the screen: what is on its way arrives wherever the member goes in the app. */
const outbox = new Outbox({
  send: ({ key, text, file }, signal) =>
    file ? sendFile(sendPicture, file, { key, signal }) : call(sendMessage, { text }, { key, signal }),
  onSent: () => queryClient.invalidateQueries({ queryKey: [supportMessages.path] }),
  failure: (error) => failureText(error, text),
  jitter,
});
onStored(outbox.follow);
bus.on("connection", ({ up }) => up && outbox.goOn());
bus.on("serverAway", ({ away }) => away || outbox.goOn());
outbox.follow();

/** What the member wrote and is not known to have arrived, oldest first. */
export function useSending() {
  const state = useSyncExternalStore(outbox.subscribe, outbox.now);
  const { add, drop, retry } = outbox;
  return { ...state, add, drop, retry };
}

export type Sending = ReturnType<typeof useSending>;
