import { bytesToHex } from "@noble/hashes/utils.js";

/** Strict readings: one value has one spelling, and every other spelling is null. So nobody can change a byte unseen. */

export const HASH_BYTES = 32;

/** A whole number from 0 that JavaScript holds exactly. */
export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The last millisecond whose year has four digits. */
const LAST_MS = 253_402_300_799_999;

/** A time in ms since the epoch that every program can write as a date. */
export const isTime = (value: unknown): value is number => isWhole(value) && value <= LAST_MS;

/** A hash in small hex digits. */
export const isHex = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

/** A line without its newline: not empty, without control characters, without halves of a surrogate pair. */
export const isLine = (text: string): boolean => /^[ -\u{10FFFF}]+$/u.test(text) && text.isWellFormed();

export const isSame = (one: Uint8Array, other: Uint8Array): boolean => bytesToHex(one) === bytesToHex(other);

/** Digits without leading zeros, up to the largest safe integer. */
export function parseWhole(text: string): number | null {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text)) return null;
  const number = Number(text);
  return isWhole(number) ? number : null;
}

/** Base64 of RFC 4648, section 4, with its padding. */
export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** Null for wrong padding, spaces, other letters, and bits that no byte holds. */
export function parseBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : null;
}

/** A hash in base64. */
export function parseHash(text: string): Uint8Array | null {
  const bytes = parseBase64(text);
  return bytes?.length === HASH_BYTES ? bytes : null;
}

/** Base64 of RFC 4648, section 5, for addresses, without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

export function parseBase64Url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const padded = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .padEnd(Math.ceil(text.length / 4) * 4, "=");
  return parseBase64(padded);
}

/** UTF-8. A byte order mark is a letter like others. */
export function parseUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
