import { bytesToHex } from "@noble/hashes/utils.js";
import { isFirstKey, parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import {
  keyText,
  noteVerifier,
  parseKey,
  parseNote,
  signersOf,
  type NoteKey,
  type SignedNote,
} from "#shared/log/note.ts";
import { readLog, type LogFiles } from "#shared/log/read-tiles.ts";
import { isSame, parseUtf8 } from "#shared/log/strict.ts";
import { consistencyOf, proofOf, rootOf } from "#shared/log/tree.ts";
import { readSubtrees, serverHash } from "./read-subtrees.ts";
import type { WitnessState } from "./state.ts";
import type { Witness } from "./witness.ts";

const LONGEST_HEAD = 131_072;
const LONGEST_KEY = 1_024;

interface Following {
  witness: Witness;
  state: WitnessState;
  files: LogFiles;
  say: (text: string) => void;
}

/** Looks once at what a log shows, and signs it if it extends what was signed before. Throws if it cannot be read. */
export async function pollLog({ witness, state, files, say }: Following): Promise<void> {
  const [note, head] = await readHead(files);
  const key = await keyFor(files, state, head, say);
  if (!signersOf(note, [noteVerifier(key)])) throw new Error("the head is not signed by the log's key");
  if (!state.log(head.origin)) await state.keep(head.origin, { key, note: null });
  const last = state.head(head.origin);
  if (last && head.size === last.size && isSame(head.root, last.root)) return witness.tellSilence(head.origin);
  if (last && head.size === last.size) return witness.tellFork(head, note);
  if (last && head.size < last.size)
    throw new Error(`the log shows ${head.size} leaves, and had shown ${last.size} before`);
  const kept = last ? [[0, last.size] as const, ...consistencyOf(last.size, head.size)] : [];
  const read = await readSubtrees(files, [[0, head.size], ...kept], head.size);
  // What does not lead to the head that was signed convicts nobody: it may be a broken tile.
  if (!isSame(rootOf(head.size, read, serverHash), head.root))
    throw new Error("the tiles do not have the root of the signed head");
  if (last && !isSame(rootOf(last.size, read, serverHash), last.root)) return witness.tellFork(head, note);
  const path = last ? proofOf(consistencyOf(last.size, head.size), read, serverHash) : [];
  if (await witness.follow(head, note, key, path)) say(`signed ${head.origin} with ${head.size} leaves`);
}

async function readHead(files: LogFiles): Promise<[SignedNote, Checkpoint]> {
  const note = parseNote(textOf(await files.read("checkpoint", LONGEST_HEAD)));
  const head = note && parseCheckpoint(note.text);
  if (!head) throw new Error("what stands as the head is none");
  return [note, head];
}

/** The key of a log. Of a new log it is its first; another than the one before is one that the log's leaves lead to. */
async function keyFor(
  files: LogFiles,
  state: WitnessState,
  { origin }: Checkpoint,
  say: Following["say"],
): Promise<NoteKey> {
  const key = parseKey(textOf(await files.read("key", LONGEST_KEY)).replace(/\n$/, ""));
  if (!key || key.name !== origin) throw new Error("what stands as the log's key is none of this log");
  const known = state.log(origin);
  if (known && keyText(known.key) === keyText(key)) return key;
  if (!known && state.origins.length > 0) say(`This is another log, ${origin}. Before it was ${state.origins.at(-1)}.`);
  if (!known && isFirstKey(origin, key.publicKey)) return key;
  const last = state.head(origin);
  const kept = last && { origin, size: last.size, root: bytesToHex(last.root) };
  const { whole, findings } = await readLog(files, { hash: serverHash, kept });
  const isLed =
    whole !== null &&
    findings.every(({ id }) => !["first-key", "key-chain", "key-again", "head-key", "root"].includes(id));
  if (!isLed || (known && !whole.keys.includes(keyText(known.key))))
    throw new Error("the log's leaves do not lead from the key that is known to the one that signs");
  say(`${origin} signs with another key now, as its leaves say.`);
  return key;
}

const textOf = (content: Uint8Array | null): string => (content && parseUtf8(content)) ?? "";
