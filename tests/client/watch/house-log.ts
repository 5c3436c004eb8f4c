import { concatBytes } from "@noble/hashes/utils.js";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairHour, fairOrigins, fairTable } from "#shared/contract/log.ts";
import { checkpointText, originOf } from "#shared/log/checkpoint.ts";
import { canonical } from "#shared/log/canonical.ts";
import { keyChangeText, leafText, parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { keyText, NOTE_KEY, noteText, signNote, type Signer } from "#shared/log/note.ts";
import { bundleOf, parseTilePath } from "#shared/log/tiles.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import { HOUR_MS } from "#shared/time.ts";
import { rowsOf, tableHash, type Winnable } from "#shared/wheel.ts";
import { base64Of, bytes, headNote, signerOf } from "../../log/world.ts";
import { provingTree } from "./proving-tree.ts";

/** The public log of a house that is made by hand. */
export class HouseLog {
  signer: Signer;
  /** Signers before this one. */
  readonly #past: { signer: Signer; leaf: number }[] = [];
  readonly #log = provingTree();
  readonly #texts: string[] = [];
  /** The newest batch of receipts. */
  protected batch = 40;
  /** The leaves that replaced its keys, by their numbers. */
  readonly changes: number[] = [];

  constructor(word: string) {
    const { publicKey } = signerOf("any", NOTE_KEY, word).key;
    this.signer = signerOf(originOf("house.example", publicKey), NOTE_KEY, word);
  }

  get key(): string {
    return keyText(this.signer.key);
  }

  get size(): number {
    return this.#log.heads.length - 1;
  }

  /** Moves the times of the heads that come. */
  since = 0;
  endHead = (): void => void this.state({ kind: "time", time: this.since + 100 + this.size });

  /** The first head since the full hour of the newest one. */
  hourReply(): NonNullable<ReplyOf<typeof fairHour>> {
    const times = this.#texts.map((text) => (parseLeaf(text) as Leaf<"time">).time);
    const hour = Math.floor(times.at(-1)! / HOUR_MS) * HOUR_MS;
    const size = 1 + times.findIndex((time) => time >= hour);
    return { hour, head: this.note(size), leaf: this.#texts[size - 1]!, path: this.#log.inclusion(size - 1, size) };
  }

  state = (leaf: Leaf): number => this.#add(leafText(leaf));

  #add(text: string): number {
    this.#log.add(merkleLeaf(text));
    this.#texts.push(text);
    return this.size - 1;
  }

  note = (size = this.size): string =>
    this.noteBy(this.#past.find(({ leaf }) => size <= leaf)?.signer ?? this.signer, size);
  /** A head that this key signed, also where it should not. */
  noteBy = (signer: Signer, size = this.size): string => noteText(headNote(this.#log.heads[size]!, signer));
  /** The newest head with one more line, which is signed too and means nothing. */
  noteWith(line: string): string {
    const text = checkpointText({ ...this.#log.heads[this.size]!, origin: this.signer.key.name, extensions: [line] });
    return noteText(signNote({ text, signatures: [] }, this.signer));
  }

  /** Replaces the key. What is spoiled of the leaf stands in the log as an entry that is none. */
  rotate(word: string, more: Partial<Leaf<"key">> = {}): Signer {
    const old = this.signer;
    const next = signerOf(old.key.name, NOTE_KEY, word);
    const change = { old: keyText(old.key), next: keyText(next.key), batch: this.batch, reason: "once a year", at: 7 };
    const message = bytes(keyChangeText({ ...change, ...more }));
    const [old_signature, next_signature] = [base64Of(old.sign(message)), base64Of(next.sign(message))];
    const leaf = { kind: "key", ...change, old_signature, next_signature, ...more };
    this.changes.push(this.#add(canonical(leaf)));
    this.state({ kind: "time", time: 100 + this.size });
    this.#past.push({ signer: old, leaf: this.changes.at(-1)! });
    this.signer = next;
    return old;
  }

  /** The proof that a leaf is in the head of a size. */
  path = (number: number, size = this.size): string[] => this.#log.inclusion(number, size);

  consistency = (from: number, to: number): string[] => this.#log.consistency(from, to);

  get firstText(): string {
    return this.#texts[0]!;
  }

  /** Where the log states a table of prizes. */
  table(hash: string): ReplyOf<typeof fairTable> | null {
    const { size } = this;
    const index = this.#texts.findIndex((text) => {
      const leaf = parseLeaf(text);
      return leaf?.kind === "table" && tableHash(rowsOf(leaf.prizes as Winnable[])) === hash;
    });
    if (index < 0) return null;
    return { head: this.note(), leaf: this.#texts[index]!, index, path: this.#log.inclusion(index, size) };
  }

  /** A file of its log. */
  async file(path: string): Promise<Uint8Array> {
    const { level, index, width } = parseTilePath(path)!;
    if (level === "entries") return bundleOf(this.#texts.slice(index * 256, index * 256 + width).map(bytes));
    const hashes = Array.from({ length: width }, (_, i) =>
      this.#log.read({ level: level * 8, index: index * 256 + i }),
    );
    return concatBytes(...hashes);
  }

  /** Its own log as one of them. */
  originReply(): ReplyOf<typeof fairOrigins>[number] {
    return { key: this.key, head: this.note(), leaf: this.firstText, path: this.#log.inclusion(0, this.size) };
  }
}
