import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { HASH_BYTES, isLine, isWhole, parseHash, parseWhole, toBase64 } from "./strict.ts";
import type { Head } from "./tree.ts";

/**
 * A head of the log as the text of a note, as C2SP's tlog-checkpoint describes it: the log's origin, the number of
 * leaves and the root, each on a line. Further lines mean nothing here; they are kept, because they are signed too.
 */
export interface Checkpoint extends Head {
  origin: string;
  extensions: readonly string[];
}

export function checkpointText({ origin, size, root, extensions }: Checkpoint): string {
  if (![origin, ...extensions].every(isLine) || !isWhole(size) || root.length !== HASH_BYTES)
    throw new RangeError(`no head of a log: ${origin}, ${size} leaves`);
  return [origin, size, toBase64(root), ...extensions].map((line) => `${line}\n`).join("");
}

/** Null for whatever `checkpointText` would not write just so. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const lines = text.split("\n");
  if (lines.pop() !== "" || !lines.every(isLine)) return null;
  const [origin, count, hash, ...extensions] = lines;
  const size = parseWhole(count ?? "");
  const root = parseHash(hash ?? "");
  return origin && size !== null && root ? { origin, size, root, extensions } : null;
}

/** An origin ends in the hash of the log's first key, so no other key can begin a log under this name. */
export const originOf = (site: string, firstKey: Uint8Array): string => `${site}/${bytesToHex(sha256(firstKey))}`;

/** Whether this was the first key of the origin. */
export const isFirstKey = (origin: string, key: Uint8Array): boolean => origin.endsWith(`/${bytesToHex(sha256(key))}`);
