import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Hash } from "#shared/merkle.ts";

/** What a leaf may hold: texts, whole numbers, and lists and records of them. No fractions, no null, no true or false. */
export type Plain = string | number | readonly Plain[] | { readonly [name: string]: Plain };

const NAME = /^[a-z][a-z0-9_-]*$/;

/**
 * The one text of a value: JSON as RFC 8785 writes it, with names in order and no spaces. Throws for what has none.
 * Everybody who hashes the same facts gets the same hash.
 */
export function canonical(value: Plain): string {
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new RangeError("half of a surrogate pair");
    return JSON.stringify(value);
  }
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new RangeError(`no whole number: ${value}`);
    return String(value);
  }
  if (isList(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) throw new RangeError(`not for a leaf: ${String(value)}`);
  const parts = Object.keys(value)
    .sort()
    .map((name) => {
      if (!NAME.test(name)) throw new RangeError(`no name: ${name}`);
      return `${JSON.stringify(name)}:${canonical(value[name]!)}`;
    });
  return `{${parts.join(",")}}`;
}

/** The hash of a value's text, in hex. */
export const canonicalHash = (value: Plain, hash: Hash = sha256): string =>
  bytesToHex(hash(utf8ToBytes(canonical(value))));

const isList = (value: Plain): value is readonly Plain[] => Array.isArray(value);

/** The value of a canonical text. Null for any other text, even if it means the same. */
export function parseCanonical(text: string): Plain | null {
  try {
    const value = JSON.parse(text) as Plain;
    return canonical(value) === text ? value : null;
  } catch {
    return null;
  }
}
