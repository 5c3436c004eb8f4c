import { hexToBytes } from "@noble/hashes/utils.js";

/** The last line of an export is shorter than this. */
export const LONGEST_LAST_LINE = 1_024;

/** `genuine`: as the house signed it. `changed`: not those bytes, or not that key. `unsigned`: it broke off. */
export type ExportVerdict = "genuine" | "changed" | "unsigned";

/** What stands in the last line of an export: a signature over the SHA-256 of all bytes before it. */
export interface ExportSignature {
  key: string;
  value: Uint8Array;
  /** How many bytes it signs. */
  length: number;
}

const JSON_LINE = /^"signature":\{"algorithm":"Ed25519","key":"([0-9a-f]{64})","value":"([0-9a-f]{128})"\}\}\n$/;
const CSV_LINE = /^signature,([0-9a-f]{64}),,Ed25519,([0-9a-f]{128}),{13}\r\n$/;

/** Reads the end of a file of this size, to the letter as either format writes it; null when it is no signature. */
export function signatureAt(end: Uint8Array, size: number): ExportSignature | null {
  const begin = end.lastIndexOf(10, -2) + 1;
  const line = new TextDecoder().decode(end.subarray(begin));
  const [, key, value] = JSON_LINE.exec(line) ?? CSV_LINE.exec(line) ?? [];
  const length = size - end.length + begin;
  return key && value && length > 0 ? { key, value: hexToBytes(value), length } : null;
}
