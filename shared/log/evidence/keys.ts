import { hexToBytes } from "@noble/hashes/utils.js";
import { merkleLeaf } from "#shared/merkle.ts";
import { isFirstKey, parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import { parseLeaf } from "#shared/log/leaf.ts";
import { NOTE_KEY, noteVerifier, parseKey, parseNote, signersOf, type NoteKey } from "#shared/log/note.ts";
import { batchFaults, type Receipt } from "#shared/log/receipt.ts";
import { isHex } from "#shared/log/strict.ts";
import { isIncluded, type Head } from "#shared/log/tree.ts";
import type { EvidenceLog, ReplacedKey } from "./file.ts";

/** A key of a log, the largest head and the last batch that it signs, and the leaf that replaced it. */
interface Span {
  key: NoteKey;
  leaf: number;
  batch: number;
  /** That leaf's text; null for the key that signs now. */
  change: string | null;
}

/** What two histories of one log's keys contradict each other in. Both begin with one key, which has signed both. */
export type KeyContradiction =
  | { kind: "two-changes"; one: number; other: number }
  | { kind: "two-places"; one: number; other: number }
  | { kind: "late-head"; size: number; leaf: number };

/** The hashes of a proof. Null if one of them is none. */
export const hashesOf = (path: readonly string[]): Uint8Array[] | null =>
  path.every(isHex) ? path.map(hexToBytes) : null;

/** Whether a text is leaf number `index` of a head. */
export function isIn(head: Head, text: string, index: number, path: readonly string[]): boolean {
  const hashes = hashesOf(path);
  return hashes !== null && isIncluded(merkleLeaf(text), index, head, hashes);
}

/** The keys of one log: the first has the hash that its origin names, and each signed the next. */
export class LogKeys {
  readonly origin: string;
  readonly #spans: readonly Span[];

  constructor(origin: string, spans: readonly Span[]) {
    this.origin = origin;
    this.#spans = spans;
  }

  /** A head of this log that the key of its size signed. */
  head(note: string): Checkpoint | null {
    const head = this.#read(note);
    return head && this.#isBy(note, this.#spans.find(({ leaf }) => head.size <= leaf)!.key) ? head : null;
  }

  /** A head that a key signed after a leaf had replaced it. */
  lateHead(note: string): { size: number; leaf: number } | null {
    const head = this.#read(note);
    const span = head && this.#spans.find(({ key, leaf }) => leaf < head.size && this.#isBy(note, key));
    return span ? { size: head.size, leaf: span.leaf } : null;
  }

  /** Whether the key of its batch signed a receipt. */
  hasSigned(receipt: Receipt): boolean {
    return batchFaults(receipt, this.#spans.find(({ batch }) => receipt.batch <= batch)!.key).length === 0;
  }

  /** The last batch of the key that signed a receipt all the same after it. */
  lateReceipt(receipt: Receipt): number | null {
    const isBy = ({ key, batch }: Span) => batch < receipt.batch && batchFaults(receipt, key).length === 0;
    return this.#spans.find(isBy)?.batch ?? null;
  }

  /**
   * How these keys, and a head that they sign, contradict what the same log shows of its keys elsewhere. Null while one
   * history is the beginning of the other.
   */
  contradiction(own: Checkpoint, shown: LogKeys, theirs: Checkpoint): KeyContradiction | null {
    for (const [i, one] of this.#spans.entries()) {
      const other = shown.#spans[i]!;
      if (one.change === null || other.change === null) {
        // The key that the other history replaced signs on in this one.
        const [{ size }, { leaf }] = one.change === null ? [own, other] : [theirs, one];
        return size > leaf ? { kind: "late-head", size, leaf } : null;
      }
      const places = { one: one.leaf, other: other.leaf };
      if (one.change !== other.change) return { kind: "two-changes", ...places };
      if (one.leaf !== other.leaf) return { kind: "two-places", ...places };
    }
    return null;
  }

  /** What a note says, by any key of the log. */
  said<T>(parse: (key: NoteKey) => T | null): T | null {
    for (const { key } of this.#spans) {
      const one = parse(key);
      if (one) return one;
    }
    return null;
  }

  #read(note: string): Checkpoint | null {
    const head = parseCheckpoint(parseNote(note)?.text ?? "");
    return head?.origin === this.origin ? head : null;
  }

  #isBy = (note: string, key: NoteKey): boolean => signersOf(parseNote(note)!, [noteVerifier(key)]) !== null;
}

/** The keys of a log; null where what the file says of it does not hold, or does not show how a key was replaced. */
export function keysOf({ origin, key, retired = [], first, newest }: Omit<EvidenceLog, "since">): LogKeys | null {
  const texts = [...retired.map((one) => one.key), key];
  const keys = texts.map(parseKey);
  const isOwn = (one: NoteKey | null): one is NoteKey => one?.name === origin && one.type === NOTE_KEY;
  if (!keys.every(isOwn) || !isFirstKey(origin, keys[0]!.publicKey)) return null;
  if (!retired.every((one, i) => isReplaced(one, texts[i + 1]!, retired[i - 1]))) return null;
  const last = { key: keys.at(-1)!, leaf: Infinity, batch: Infinity, change: null };
  const replaced = retired.map(({ leaf, batch, change }, i) => ({ key: keys[i]!, leaf, batch, change: change!.text }));
  const spans = [...replaced, last];
  const log = new LogKeys(origin, spans);
  if (![first, newest].every((note) => log.head(note))) return null;
  const stands = ({ leaf, change }: ReplacedKey) => {
    const head = log.head(change!.head);
    return head !== null && isIn(head, change!.text, leaf, change!.path);
  };
  return retired.every(stands) ? log : null;
}

/** Whether a leaf, which both keys signed, puts the next key in the place of this one, and comes after the one before. */
function isReplaced({ key, leaf, batch, change }: ReplacedKey, next: string, before: ReplacedKey | undefined): boolean {
  const said = change ? parseLeaf(change.text) : null;
  const isSaid = said?.kind === "key" && said.old === key && said.next === next && said.batch === batch;
  return isSaid && (before === undefined || (leaf > before.leaf && batch >= before.batch));
}
