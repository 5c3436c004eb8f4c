import type { AnyEndpoint, ReplyOf } from "#shared/contract/endpoint.ts";
import { REQUEST_ID } from "#shared/contract/envelope.ts";
import { headers, openEnvelope, take, type CallOptions } from "./call.ts";
import { LostCall, type Answer } from "./call-error.ts";
import { readStored } from "#client/storage/local-storage.ts";

/** The longest pause without progress. A large upload may take longer than any other call. */
const PATIENCE_MS = 30_000;

export interface SendOptions extends CallOptions {
  /** Called with the part sent, from 0 to 1. At 1 the server's reply is still to come. */
  onProgress?: (sent: number) => void;
}

/**
 * Sends a file to an endpoint that takes one. Throws RefusedCall for a no, LostCall when there was no answer, and
 * what the signal was aborted with when the caller gave up.
 */
export async function sendFile<E extends AnyEndpoint>(
  { path }: E,
  file: File,
  { key, signal, onProgress }: SendOptions = {},
): Promise<ReplyOf<E>> {
  const token = readStored("token");
  const form = new FormData();
  form.set("file", file, file.name);
  const request = new XMLHttpRequest();
  request.open("POST", `/api${path}`);
  const allHeaders = { ...headers(token), ...(key ? { "idempotency-key": key } : {}) };
  for (const [name, value] of Object.entries(allHeaders)) request.setRequestHeader(name, value);
  return take<E>(await send(request, form, signal, onProgress), token);
}

function send(
  request: XMLHttpRequest,
  form: FormData,
  signal: AbortSignal | undefined,
  onProgress: SendOptions["onProgress"],
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const reference = () => request.getResponseHeader(REQUEST_ID);
    const lose = (cause: unknown) => reject(new LostCall("no answer", { cause, reference: reference() }));
    const patience = watch(() => request.abort());
    const giveUp = () => {
      // What a caller aborts with is theirs; by itself it is an error.
      reject(signal?.reason as Error);
      request.abort();
    };
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      patience.moved();
      if (total > 0) onProgress?.(loaded / total);
    });
    request.addEventListener("load", () => {
      try {
        resolve({ ...openEnvelope(JSON.parse(request.responseText)), reference: reference() });
      } catch (error) {
        lose(error);
      }
    });
    for (const end of ["error", "abort"] as const) request.addEventListener(end, () => lose(end));
    request.addEventListener("loadend", () => {
      patience.end();
      signal?.removeEventListener("abort", giveUp);
    });
    signal?.throwIfAborted();
    signal?.addEventListener("abort", giveUp);
    request.send(form);
    patience.moved();
  });
}

/** Calls `onStill` when no progress was reported for `PATIENCE_MS`. */
function watch(onStill: () => void): { moved: () => void; end: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => clearTimeout(timer);
  return {
    end,
    moved: () => {
      end();
      timer = setTimeout(onStill, PATIENCE_MS);
    },
  };
}
