import { bytesToHex } from "@noble/hashes/utils.js";
import { isFirstKey, parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import type { EvidenceLog } from "#shared/log/evidence/file.ts";
import { keysOf } from "#shared/log/evidence/keys.ts";
import { keyText, noteVerifier, parseKey, parseNote, signersOf, type SignedNote } from "#shared/log/note.ts";
import { readLog, type LogFiles } from "#shared/log/read-tiles.ts";
import { isSame, parseUtf8 } from "#shared/log/strict.ts";
import { beginningOf, consistencyOf, proofOf, rootOf } from "#shared/log/tree.ts";
import { readSubtrees, serverHash } from "#server/verify/read-subtrees.ts";
import { haveOtherKeys } from "#server/verify/fork-file.ts";
import { shownLog } from "#server/verify/shown-log.ts";
import type { LogKeys, WitnessState } from "./state.ts";
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
export async function pollLog(following: Following): Promise<void> {
  const { witness, state, files, say } = following;
  const shown = await readShown(following);
  const { note, head, keys, log } = shown;
  if (!state.log(head.origin)) await state.keep(head.origin, { ...keys, note: null });
  const [last, kept] = [state.head(head.origin), state.kept(head.origin)];
  if (kept && log && haveOtherKeys(kept, log)) return witness.tellFork(head, note, { path: null, log });
  if (last && head.size === last.size && isSame(head.root, last.root)) return witness.tellSilence(head.origin);
  if (last && head.size === last.size) return witness.tellFork(head, note, { path: [], log });
  if (last && head.size < last.size)
    throw new Error(`the log shows ${head.size} leaves, and had shown ${last.size} before`);
  const beginning = last ? beginningOf(last.size, head.size) : [];
  const read = await readSubtrees(
    files,
    [[0, head.size], ...(last ? [[0, last.size] as const] : []), ...beginning],
    head.size,
  );
  // What does not lead to the head that was signed convicts nobody: it may be a broken tile.
  if (!isSame(rootOf(head.size, read, serverHash), head.root))
    throw new Error("the tiles do not have the root of the signed head");
  if (last && !isSame(rootOf(last.size, read, serverHash), last.root)) {
    const path = proofOf(beginning, read, serverHash).map(bytesToHex);
    return witness.tellFork(head, note, { path, log });
  }
  const path = last ? proofOf(consistencyOf(last.size, head.size), read, serverHash) : [];
  if (await witness.follow(head, note, keys, path)) say(`signed ${head.origin} with ${head.size} leaves`);
}

/** A head that a log shows, and the keys by which it is signed. `log`: how they were read from the log's leaves. */
interface Shown {
  note: SignedNote;
  head: Checkpoint;
  keys: LogKeys;
  log: EvidenceLog | null;
}

/** The head, by the key that is known; else by one that the log's leaves lead to, from its first key on. */
async function readShown({ state, files, say }: Following): Promise<Shown> {
  const [note, head] = await readHead(files);
  const { origin } = head;
  const key = parseKey(textOf(await files.read("key", LONGEST_KEY)).replace(/\n$/, ""));
  if (!key || key.name !== origin) throw new Error("what stands as the log's key is none of this log");
  const known = state.log(origin);
  if (!known && state.origins.length > 0) say(`This is another log, ${origin}. Before it was ${state.origins.at(-1)}.`);
  const isKnown = known ? keyText(known.key) === keyText(key) : isFirstKey(origin, key.publicKey);
  if (isKnown && !signersOf(note, [noteVerifier(key)])) throw new Error("the head is not signed by the log's key");
  const keys: LogKeys = known ?? { key };
  const isLed = keys.retired !== undefined || isFirstKey(origin, key.publicKey);
  if (isKnown && isLed && (keys.retired ?? []).every(({ leaf }) => leaf < head.size))
    return { note, head, keys, log: null };
  const verdict = await readLog(files, { hash: serverHash });
  const log = await shownLog(files, verdict, 0);
  if (!log || log.origin !== origin || !keysOf(log))
    throw new Error("the log's leaves do not lead from the key that is known to the one that signs");
  if (known && !isKnown) say(`${origin} signs with another key now, as its leaves say.`);
  const { retired = [] } = log;
  return { note: verdict.note!, head: verdict.head!, keys: { key: verdict.key!, retired }, log };
}

async function readHead(files: LogFiles): Promise<[SignedNote, Checkpoint]> {
  const note = parseNote(textOf(await files.read("checkpoint", LONGEST_HEAD)));
  const head = note && parseCheckpoint(note.text);
  if (!head) throw new Error("what stands as the head is none");
  return [note, head];
}

const textOf = (content: Uint8Array | null): string => (content && parseUtf8(content)) ?? "";
