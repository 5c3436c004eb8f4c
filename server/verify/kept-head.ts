import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { bytesToHex } from "@noble/hashes/utils.js";
import { writeDurably } from "#db/durable.ts";
import type { Checkpoint } from "#shared/log/checkpoint.ts";
import type { EvidenceLog } from "#shared/log/evidence/file.ts";
import { keptLog } from "#shared/log/evidence/forms.ts";
import { keysOf } from "#shared/log/evidence/keys.ts";
import type { KeptHead } from "#shared/log/read-head.ts";

/**
 * A log as it was read last: its head, and the keys that lead to the one that signed it. Null if there is no file yet.
 * Throws for a file that is none.
 */
export async function readKept(file: string): Promise<EvidenceLog | null> {
  if (!existsSync(file)) return null;
  const kept = jsonIn(await readFile(file, "utf8"));
  if (!keptLog(kept) || !keysOf(kept))
    throw new Error(`${file} holds no head. Name another file with --keep, or delete it to begin anew.`);
  return kept;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const keptOf = ({ origin, size, root }: Checkpoint): KeptHead => ({ origin, size, root: bytesToHex(root) });

/** Remembers a log in place of what was kept before. */
export const keepLog = (file: string, log: EvidenceLog): Promise<void> =>
  writeDurably(file, `${JSON.stringify(log, null, 2)}\n`);
