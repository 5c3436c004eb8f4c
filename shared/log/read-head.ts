import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Hash } from "#shared/merkle.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS, toIso } from "#shared/time.ts";
import { parseCheckpoint, type Checkpoint } from "./checkpoint.ts";
import { LogCheck, MOST_OF_A_KIND, type Checking, type Verdict } from "./check-log.ts";
import type { Finding, ProblemId } from "./check/finding.ts";
import { otherSigners, type OtherSigner } from "./cosignature.ts";
import { parseEntry } from "./leaf.ts";
import { endIn, followRestores, type Restore, type RestoreAt } from "./origins.ts";
import { keyText, noteVerifier, parseKey, parseNote, signersOf, type NoteKey, type SignedNote } from "./note.ts";
import { isSame } from "./strict.ts";

/** How the text of a time begins. */
const TIME = utf8ToBytes('{"kind":"time",');

/** Two clocks may differ by so much. */
const CLOCK_MS = MINUTE_MS;
/** A witness looks each minute. */
const SIGNED_MS = 10 * MINUTE_MS;

/** A head that somebody keeps. */
export interface KeptHead {
  origin: string;
  size: number;
  /** In hex. */
  root: string;
}

/** A head, its key and its leaves, and what was found in them. Without a head nothing else is known. */
export interface LogVerdict {
  head: Checkpoint | null;
  note: SignedNote | null;
  key: NoteKey | null;
  /** Who signed the head beside its log. */
  signers: readonly OtherSigner[];
  /** That of the last full hour. Null in a log without times. */
  hour: HeadOfHour | null;
  /** Null if the leaves were not read to the end. */
  whole: Verdict | null;
  /** The first of each kind; `counts` has all. */
  findings: readonly Finding[];
  counts: ReadonlyMap<Finding["id"], number>;
}

/** The first head since a full hour, which others compare by its words. */
export interface HeadOfHour {
  /** In ms. */
  hour: number;
  head: Checkpoint;
}

export interface Reading extends Pick<Checking, "beacons" | "completed"> {
  hash?: Hash;
  kept?: KeptHead | null;
  /** Reads the restores of the house, where the log is a later one than the kept one. Null where it does not show them. */
  readRestores?: () => Promise<RestoreAt | null>;
  /** Witnesses whose keys are known. */
  witnesses?: readonly NoteKey[];
}

/** Reads a signed head and its key, then takes the head's leaves one by one. */
export class HeadReading {
  readonly note: SignedNote | null;
  readonly head: Checkpoint | null;
  readonly key: NoteKey | null;
  readonly #check: LogCheck | null = null;
  readonly #kept: KeptHead | null;
  readonly #findings: Finding[] = [];
  readonly #counts = new Map<Finding["id"], number>();
  readonly #signers: readonly OtherSigner[] = [];
  #hour: HeadOfHour | null = null;
  /** The first leaf, where it continues another log. */
  #restore: Restore | null = null;

  constructor(
    noteOfHead: string,
    keyLine: string,
    { kept = null, witnesses = [], ...checking }: Omit<Reading, "readRestores">,
  ) {
    this.#kept = kept;
    this.note = parseNote(noteOfHead);
    this.head = this.note && parseCheckpoint(this.note.text);
    this.key = parseKey(keyLine.replace(/\n$/, ""));
    if (!this.head) this.problem("head-form");
    if (!this.key) this.problem("key-form");
    if (!this.note || !this.head || !this.key) return;
    const isSigned = signersOf(this.note, [noteVerifier(this.key)]) !== null;
    if (isSigned && this.key.name === this.head.origin)
      this.#check = new LogCheck({ ...checking, key: keyText(this.key) });
    else this.problem("unsigned");
    this.#signers = otherSigners(this.note, this.key, witnesses);
    for (const { name, isFalse } of this.#signers) if (isFalse) this.problem("cosignature", { name });
  }

  /** Whether there is a signed head, whose leaves can be read. */
  get isSigned(): boolean {
    return this.#check !== null;
  }

  /** How many leaves came. */
  get size(): number {
    return this.#check?.size ?? 0;
  }

  problem(id: ProblemId, facts: Finding["facts"] = {}): void {
    this.#find({ strength: "problem", id, size: this.size, facts });
  }

  #find(finding: Finding): void {
    const count = (this.#counts.get(finding.id) ?? 0) + 1;
    this.#counts.set(finding.id, count);
    if (count <= MOST_OF_A_KIND) this.#findings.push(finding);
  }

  add(entry: Uint8Array): void {
    const check = this.#check!;
    check.add(entry);
    this.#noteHour(check, entry);
    if (check.size === 1) {
      const first = parseEntry(entry);
      if (first?.kind === "restore") this.#restore = first;
    }
    const kept = this.#kept;
    if (kept?.origin === this.head!.origin && check.size === kept.size && bytesToHex(check.root()) !== kept.root)
      this.problem("kept-forked", { kept: kept.size });
  }

  /** Each head ends in a time. The first one of an hour is remembered. */
  #noteHour(check: LogCheck, entry: Uint8Array): void {
    if (!TIME.every((byte, i) => entry[i] === byte)) return;
    const leaf = parseEntry(entry);
    if (leaf?.kind !== "time") return;
    const hour = Math.floor(leaf.time / HOUR_MS) * HOUR_MS;
    if (hour === this.#hour?.hour) return;
    this.#hour = { hour, head: { origin: this.head!.origin, size: check.size, root: check.root(), extensions: [] } };
  }

  /** Whether this log continues another one, and so maybe the one that is kept. */
  get isRestored(): boolean {
    return this.#restore !== null && this.#kept !== null && this.#kept.origin !== this.head?.origin;
  }

  /** After the last leaf, or where no more can be read. `restoreAt`: the restores before this log's own, where they are known. */
  end(restoreAt: RestoreAt | null = null): LogVerdict {
    const { note, head, key } = this;
    const beside = { signers: this.#signers, hour: this.#hour };
    const check = this.#check;
    const isRead = check !== null && check.size === head!.size;
    if (head && this.isSigned) this.#compare(head, restoreAt);
    if (isRead && !isSame(check.root(), head!.root)) this.problem("root");
    const whole = isRead ? check.end({ origin: head!.origin, key: keyText(key!) }) : null;
    if (whole?.last != null) this.#compareTimes(whole.last);
    const counts = new Map([...(whole?.counts ?? []), ...this.#counts]);
    return { note, head, key, ...beside, whole, findings: [...this.#findings, ...(whole?.findings ?? [])], counts };
  }

  /** A witness signs a head once it is there, and soon: by another's clock the head's time is right. */
  #compareTimes(last: number): void {
    for (const { name, at } of this.#signers) {
      if (at === null) continue;
      const facts = { name, time: toIso(last), at: toIso(at) };
      if (at < last - CLOCK_MS) this.problem("time-ahead", facts);
      const seconds = Math.round((at - last) / SECOND_MS);
      if (at > last + SIGNED_MS)
        this.#find({ strength: "note", id: "signed-late", size: this.size, facts: { ...facts, seconds } });
    }
  }

  /** Compares the head with the one that was kept. Its root is compared as the leaves come. */
  #compare({ origin, size }: Checkpoint, restoreAt: RestoreAt | null): void {
    const kept = this.#kept;
    if (!kept) return;
    if (kept.origin === origin) {
      if (size < kept.size) this.problem("kept-shrunk", { size, kept: kept.size });
      return;
    }
    const facts = { origin: kept.origin };
    const known = { origin: kept.origin, heads: [{ size: kept.size, root: hexToBytes(kept.root) }] };
    const restores = this.#restore && followRestores(known, this.#restore, restoreAt);
    if (restores === undefined) return this.#find({ strength: "note", id: "kept-untold", size, facts });
    if (restores === null) return this.problem("kept-other", facts);
    if (endIn(restores[0]!).size < kept.size) this.problem("kept-lost", facts);
    else this.#find({ strength: "note", id: "kept-restored", size, facts });
  }
}
