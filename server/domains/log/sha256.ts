import { hash } from "node:crypto";
import type { Hash } from "#shared/merkle.ts";
import { HASH_BYTES } from "#shared/log/strict.ts";

/*
 * SHA-256 by the platform, for what is hashed with every bet. A digest comes as text, one letter a byte, because that is
 * twice as fast as a buffer.
 */

export const LETTERS = "latin1";

export const digest = (bytes: Uint8Array): string => hash("sha256", bytes, "binary");

export const sha256: Hash = (bytes) => Buffer.from(digest(bytes), LETTERS);

const BLOCK = 64;
const INNER = 0x36;
const OUTER = 0x5c;
const LONGEST_MESSAGE = 64;
const inner = Buffer.alloc(BLOCK + LONGEST_MESSAGE, INNER);
const outer = Buffer.alloc(BLOCK + HASH_BYTES, OUTER);

/** HMAC-SHA256 (RFC 2104) of a short ASCII text under a key of 32 bytes, without an object for each call. */
export function hmac(key: Uint8Array, message: string): string {
  if (key.length > HASH_BYTES || message.length > LONGEST_MESSAGE) throw new RangeError("too long for this HMAC");
  for (let i = 0; i < HASH_BYTES; i++) {
    const byte = key[i] ?? 0;
    inner[i] = byte ^ INNER;
    outer[i] = byte ^ OUTER;
  }
  const end = BLOCK + inner.write(message, BLOCK, LETTERS);
  outer.write(digest(inner.subarray(0, end)), BLOCK, LETTERS);
  return digest(outer);
}

const LEAF = 0;
const NODE = 1;
const leaf = Buffer.alloc(1 + HASH_BYTES, LEAF);
const node = Buffer.alloc(1 + 2 * HASH_BYTES, NODE);

/** As `leafHash` of shared/merkle.ts, of a hash. */
export function leafDigest(hidden: string): string {
  leaf.write(hidden, 1, LETTERS);
  return digest(leaf);
}

/** As `nodeHash` of shared/merkle.ts. */
export function nodeDigest(left: string, right: string): string {
  node.write(left, 1, LETTERS);
  node.write(right, 1 + HASH_BYTES, LETTERS);
  return digest(node);
}
