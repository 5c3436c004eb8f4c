/** Every reply under `/api`: `data` is base64 of the UTF-8 JSON value, or the plain value on request. */
export interface Envelope {
  code: number;
  msg: string;
  data: unknown;
}

/** Acknowledgement of a socket event: the envelope with plain `data`. */
export interface Ack<T = unknown> {
  code: number;
  msg: string;
  data: T | null;
  /** Names the event in the service's log, as the header names a call. */
  request_id: string;
}

/** The header of every answer that names its request. */
export const REQUEST_ID = "x-request-id";
export const DONE = 200;
export const KICKED = 10001;

/** Reads base64 `data`. */
export function decodeData(data: string): unknown {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}
