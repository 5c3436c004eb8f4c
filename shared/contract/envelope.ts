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

/** Reads base64 `data`. A loop: `Uint8Array.from` walks a string by its iterator, which takes ten times as long. */
export function decodeData(data: string): unknown {
  const characters = atob(data);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return JSON.parse(new TextDecoder().decode(bytes));
}
