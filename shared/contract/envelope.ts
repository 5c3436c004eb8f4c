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
}

export const DONE = 200;
export const KICKED = 10001;

/** Reads base64 `data`. */
export function decodeData(data: string): unknown {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}
