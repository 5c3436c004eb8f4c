import { sha256 } from "@noble/hashes/sha2.js";
import { parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import {
  conflictText,
  CONFLICT_TYPE,
  cosign,
  cosignatureVerifier,
  cosignedAt,
  parseAddCheckpoint,
} from "#shared/log/cosignature.ts";
import type { EvidenceLog } from "#shared/log/evidence/file.ts";
import {
  noteText,
  noteVerifier,
  parseNote,
  signatureLine,
  signersOf,
  type NoteKey,
  type SignedNote,
} from "#shared/log/note.ts";
import { isSame } from "#shared/log/strict.ts";
import { isExtension, type Head } from "#shared/log/tree.ts";
import { MINUTE_MS, SECOND_MS, toIso, type Clock } from "#shared/time.ts";
import { fileAbout, forkOf, keepEvidence, provenBy } from "#server/verify/fork-file.ts";
import type { LogKeys, WitnessState } from "./state.ts";

/** How a second history shows itself: the hashes of how it begins, and its keys where they are others. */
export interface ShownFork {
  path: string[] | null;
  log: EvidenceLog | null;
}

/** What a witness answers, as HTTP has it. */
export interface Answer {
  status: number;
  type: string;
  body: string;
}

export interface Witnessing {
  state: WitnessState;
  clock: Clock;
  /** Says something to whoever runs the witness. */
  say: (text: string) => void;
  /** Where the evidence of a fork is written down. */
  evidence: string;
}

const NO_HEAD: Head = { size: 0, root: sha256(new Uint8Array()) };
/** A head comes each minute. Without one for this long, the log is silent. */
const SILENT_MS = 10 * MINUTE_MS;
const TEXT = "text/plain; charset=utf-8";
const refuse = (status: number, body: string): Answer => ({ status, type: TEXT, body: `${body}\n` });

/**
 * Signs heads of logs, each only if it extends the one that it signed before: C2SP's tlog-witness. What it signed is
 * durable before anybody is told. One request is handled after the other, so no two can sign side by side.
 */
export class Witness {
  readonly #witnessing: Witnessing;
  #queue: Promise<unknown> = Promise.resolve();
  /** The head after which none came, as it was said. */
  #silent: string | null = null;

  constructor(witnessing: Witnessing) {
    this.#witnessing = witnessing;
  }

  get key(): NoteKey {
    return this.#witnessing.state.signer.key;
  }

  /** The answer to `add-checkpoint`. */
  addCheckpoint(body: string): Promise<Answer> {
    return this.#alone(async () => {
      const asked = parseAddCheckpoint(body);
      const head = asked && parseCheckpoint(asked.head.text);
      if (!asked || !head) return refuse(400, "not a request to add a checkpoint");
      const known = this.#witnessing.state.log(head.origin);
      if (!known) return refuse(404, "not a log that this witness knows");
      if (!signersOf(asked.head, [noteVerifier(known.key)])) return refuse(403, "not signed by the key of this log");
      if (asked.older > head.size) return refuse(400, "the old size is larger than that of the checkpoint");
      const last = this.#witnessing.state.head(head.origin) ?? NO_HEAD;
      if (asked.older !== last.size) return conflict(last.size);
      if (head.size === last.size && !isSame(head.root, last.root)) {
        await this.#tellFork(head, asked.head, { path: [], log: null });
        return conflict(last.size);
      }
      if (!isExtension(last, head, asked.path)) return refuse(422, "the proof does not join the two");
      return { status: 200, type: TEXT, body: await this.#sign(head, asked.head, known) };
    });
  }

  /** Does the same with a head that was fetched. The keys are those of the log. Returns whether it signed. */
  follow(head: Checkpoint, note: SignedNote, keys: LogKeys, path: readonly Uint8Array[]): Promise<boolean> {
    return this.#alone(async () => {
      const last = this.#witnessing.state.head(head.origin) ?? NO_HEAD;
      if (!isExtension(last, head, path)) return false;
      await this.#sign(head, note, keys);
      return true;
    });
  }

  /** The log signed two heads that cannot both be true, as hashes of the second one's tree show, or its keys. */
  tellFork(head: Checkpoint, note: SignedNote, shown: ShownFork): Promise<void> {
    return this.#alone(() => this.#tellFork(head, note, shown));
  }

  /** The log shows the head that was signed last. Says once that no other one came for long. */
  tellSilence(origin: string): void {
    const { state, clock, say } = this.#witnessing;
    const note = state.log(origin)?.note;
    const at = note ? cosignedAt(parseNote(note)!, cosignatureVerifier(this.key)) : null;
    if (at === null || this.#silent === note || clock.now() - at * SECOND_MS < SILENT_MS) return;
    this.#silent = note!;
    say(`No head of ${origin} came since ${toIso(at * SECOND_MS)}. A house makes one each minute.`);
  }

  /** The newest head that was signed for a log, with the signature. */
  newest(origin: string): string | null {
    return this.#witnessing.state.log(origin)?.note ?? null;
  }

  async #sign(head: Checkpoint, note: SignedNote, { key, retired }: LogKeys): Promise<string> {
    const { state, clock } = this.#witnessing;
    const cosignature = cosign(note.text, Math.floor(clock.now() / SECOND_MS), state.signer);
    const own = note.signatures.filter(({ name, keyId }) => name === key.name && keyId === key.id);
    const signed = noteText({ text: note.text, signatures: [...own, cosignature] });
    await state.keep(head.origin, { key, ...(retired && { retired }), note: signed });
    return signatureLine(cosignature);
  }

  async #tellFork({ origin, size }: Checkpoint, note: SignedNote, { path, log }: ShownFork): Promise<void> {
    const { state, clock, say, evidence } = this.#witnessing;
    const kept = state.kept(origin)!;
    const finding = forkOf(kept, noteText(note), path, log);
    // Whoever is handed the file checks it by itself.
    const file = fileAbout([kept], finding, { site: origin, now: clock.now() });
    await keepEvidence(evidence, file);
    if (provenBy(file).length === 0)
      return say(`not signed: what ${evidence} holds does not join, and convicts nobody.`);
    say(`FORK: ${origin} signed two histories. One of them has ${size} leaves. Both heads are in ${evidence}.`);
    say("Keep that file and show it to others. This witness does not sign the second one.");
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }
}

const conflict = (size: number): Answer => ({ status: 409, type: CONFLICT_TYPE, body: conflictText(size) });
