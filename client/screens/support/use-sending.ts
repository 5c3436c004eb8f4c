import { useEffect, useEffectEvent, useState } from "react";
import { bus } from "#client/api/bus.ts";
import { call } from "#client/api/call.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { newIdempotencyKey } from "#client/api/idempotency-key.ts";
import { sendFile } from "#client/api/send-file.ts";
import { readTabOfSession, writeTabOfSession } from "#client/storage/tab-storage.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { sendMessage, sendPicture } from "#shared/contract/support.ts";

/** A message on its way. Its key stays with it, so that it arrives once however often it is sent. */
export interface Outgoing {
  key: string;
  text: string;
  /** A picture, which the tab cannot keep over a reload. */
  file?: File;
  /** Why the server took none of it. */
  refusal?: string | undefined;
}

const NAME = "support outgoing";

/**
 * Sends what the member writes, one after the other. What gets no answer waits for the connection, text over a reload
 * too. `onSent` brings the sent message to the screen before it goes from here.
 */
export function useSending(onSent: () => Promise<unknown>) {
  const failure = useFailureText();
  const [all, setAll] = useKept();
  const [isHeld, hold] = useState(false);
  const next = all.find(({ refusal }) => refusal === undefined);
  const drop = (key: string) => setAll((now) => now.filter((one) => one.key !== key));

  const deliver = useEffectEvent(async (signal: AbortSignal) => {
    const one = next!;
    try {
      await send(one, signal);
      await onSent();
      drop(one.key);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RefusedCall) || error.lost) return hold(true);
      const refusal = failure(error);
      setAll((now) => now.map((other) => (other.key === one.key ? { ...other, refusal } : other)));
    }
  });
  const key = next?.key;
  useEffect(() => {
    if (key === undefined || isHeld) return undefined;
    const leave = new AbortController();
    void deliver(leave.signal);
    return () => leave.abort();
  }, [key, isHeld]);

  useReturn(() => hold(false));

  return {
    all,
    isHeld,
    add: (text: string, file?: File) =>
      setAll((now) => [...now, { key: newIdempotencyKey(), text, ...(file && { file }) }]),
    drop,
    retry: (key: string) => {
      hold(false);
      setAll((now) => now.map((one) => (one.key === key ? { ...one, refusal: undefined } : one)));
    },
  };
}

export type Sending = ReturnType<typeof useSending>;

const send = ({ key, text, file }: Outgoing, signal: AbortSignal) =>
  file ? sendFile(sendPicture, file, { key, signal }) : call(sendMessage, { text }, { key, signal });

/** What is on its way. The tab keeps its texts. */
function useKept() {
  const state = useState<Outgoing[]>(() => readTabOfSession<Outgoing[]>(NAME) ?? []);
  const [all] = state;
  useEffect(() => {
    const texts = all.filter(({ file }) => file === undefined);
    writeTabOfSession(NAME, texts.length > 0 ? texts : null);
  }, [all]);
  return state;
}

/** Calls `goOn` when the connection or the server is back. */
function useReturn(goOn: () => void): void {
  const again = useEffectEvent(goOn);
  useEffect(() => {
    const onLine = ({ up }: { up: boolean }) => up && again();
    const onServer = ({ away }: { away: boolean }) => away || again();
    bus.on("connection", onLine);
    bus.on("serverAway", onServer);
    return () => {
      bus.off("connection", onLine);
      bus.off("serverAway", onServer);
    };
  }, []);
}
