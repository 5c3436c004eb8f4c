import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { bytesToHex } from "@noble/hashes/utils.js";
import { writeDurably } from "#db/durable.ts";
import { parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import { keyText, noteText, parseNote, type NoteKey, type SignedNote } from "#shared/log/note.ts";
import type { KeptHead } from "#shared/log/read-head.ts";

export interface Kept extends KeptHead {
  /** The signed head as it was read. */
  note: string;
}

/** The head in a file, as a signed note; null if there is no file yet. Throws for a file that is none. */
export async function readKept(file: string): Promise<Kept | null> {
  if (!existsSync(file)) return null;
  const note = await readFile(file, "utf8");
  const head = parseCheckpoint(parseNote(note)?.text ?? "");
  if (!head) throw new Error(`${file} holds no head. Name another file with --keep, or delete it to begin anew.`);
  return { ...keptOf(head), note };
}

export const keptOf = ({ origin, size, root }: Checkpoint): KeptHead => ({ origin, size, root: bytesToHex(root) });

/** Remembers a head in place of the one before. */
export const keepHead = (file: string, note: SignedNote): Promise<void> => writeDurably(file, noteText(note));

/** Writes down two heads that contradict each other, each signed, and the key: the file can be checked by itself. */
export const keepEvidence = (file: string, key: NoteKey, kept: string, shown: SignedNote): Promise<void> =>
  writeDurably(file, `${JSON.stringify({ key: keyText(key), kept, shown: noteText(shown) }, null, 2)}\n`);
