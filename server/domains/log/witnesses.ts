import { and, desc, eq } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import { logCosignatures } from "#db/schema/log.ts";
import type { Deps, NamedWitness } from "#server/app/deps.ts";
import { cosignatureVerifier, cosignedAt } from "#shared/log/cosignature.ts";
import { keyText, parseNote, signatureLine } from "#shared/log/note.ts";
import { consistencyOf } from "#shared/log/tree.ts";
import { SECOND_MS } from "#shared/time.ts";
import { postCheckpoint, type Posted } from "./post-checkpoint.ts";
import { newestTold, type ToldHead } from "./read-log.ts";
import { hashesOf } from "./stored-tree.ts";

/** A witness that answers later has not signed. */
const LIMIT_MS = 1_000;
/** How often it is looked whether a witness lacks the newest head, because a server was killed or the witness was away. */
const LOOK_MS = 2_000;
/** The server that announced a head posts it; others leave it this long to do so. */
const OWN_MS = 3_000;
const LONGEST_PAUSE_MS = 60_000;

type Parts = Pick<Deps, "db" | "clock" | "log" | "announce">;

/** What came of asking a witness. Null: it has signed the head. */
type Failure = string | null;

/**
 * Asks witnesses to sign heads of the log. Nothing waits for them: a head is signed, told and drawn upon without. Any
 * process may ask for any head, side by side and more than once.
 */
export class Witnesses {
  readonly #all: readonly Asking[];

  constructor(parts: Parts, named: readonly NamedWitness[]) {
    this.#all = named.map((witness) => new Asking(parts, witness));
  }

  /** Posts the newest head to every witness at once. Resolves when all have answered or are late; never throws. */
  async post(): Promise<void> {
    await Promise.all(this.#all.map((asking) => asking.post()));
  }

  /** Posts a head that a witness still lacks, with growing pauses while it fails. */
  async tick(): Promise<number> {
    await Promise.all(this.#all.map((asking) => asking.repeat()));
    return LOOK_MS;
  }
}

/** One witness. It is asked for one head after the other. */
class Asking {
  readonly #parts: Parts;
  readonly #witness: NamedWitness;
  readonly #key: string;
  /** What it is known to have signed last, by log: a proof begins there. */
  readonly #older = new Map<number, number>();
  #running: Promise<void> | null = null;
  #isAsked = false;
  #failure: Failure = null;
  #failures = 0;
  #dueAt = 0;

  constructor(parts: Parts, witness: NamedWitness) {
    this.#parts = parts;
    this.#witness = witness;
    this.#key = keyText(witness.key);
  }

  /** A head that comes meanwhile is posted next. */
  post(): Promise<void> {
    this.#isAsked = true;
    this.#running ??= this.#postAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async repeat(): Promise<void> {
    const now = this.#parts.clock.now();
    const head = await newestTold(this.#parts.db.read);
    if (!head || now < this.#dueAt || head.announcedAt > now - OWN_MS || (await this.#hasSigned(head))) return;
    await this.post();
  }

  async #postAll(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      this.#note(await this.#ask().catch((error: Error) => error.message));
    }
  }

  /** Says once that a witness fails, and once that it signs again. */
  #note(failure: Failure): void {
    const { log, clock } = this.#parts;
    const witness = this.#witness.key.name;
    if (failure !== null && failure !== this.#failure) log.error({ witness, failure }, "a witness did not sign a head");
    if (failure === null && this.#failure !== null) log.warn({ witness }, "a witness signs heads again");
    this.#failure = failure;
    this.#failures = failure === null ? 0 : this.#failures + 1;
    this.#dueAt = clock.now() + Math.min(LOOK_MS * 2 ** (this.#failures - 1), LONGEST_PAUSE_MS);
  }

  async #hasSigned({ log, size }: ToldHead): Promise<boolean> {
    return (await this.#signedUpTo(log)) >= size;
  }

  /** The largest head of a log under which its signature is stored; 0 without one. */
  async #signedUpTo(log: number): Promise<number> {
    const isOwn = and(eq(logCosignatures.log, log), eq(logCosignatures.witness, this.#key));
    const [row] = await this.#parts.db.read
      .select({ size: logCosignatures.size })
      .from(logCosignatures)
      .where(isOwn)
      .orderBy(desc(logCosignatures.size))
      .limit(1);
    return row?.size ?? 0;
  }

  async #ask(): Promise<Failure> {
    const head = await newestTold(this.#parts.db.read);
    if (!head) return null;
    const stored = await this.#signedUpTo(head.log);
    if (stored >= head.size) return null;
    const older = Math.min(this.#older.get(head.log) ?? stored, head.size);
    let posted = await this.#post(head, older);
    if (posted.kind === "conflict" && posted.size <= head.size && posted.size !== older)
      posted = await this.#post(head, posted.size);
    if (posted.kind === "cosigned") return this.#keep(head, posted);
    if (posted.kind === "away") return `it does not answer: ${posted.reason}`;
    if (posted.kind === "refused") return `it answers with ${posted.status}`;
    return posted.size > head.size
      ? `it has signed a head of ${posted.size} leaves, and the log has ${head.size}`
      : `it has signed another head of ${posted.size} leaves`;
  }

  async #post(head: ToldHead, older: number): Promise<Posted> {
    const proof = await hashesOf(this.#parts.db.read, head.log, head.size, consistencyOf(older, head.size));
    return postCheckpoint(this.#witness.url, older, proof, parseNote(head.note)!, { timeoutMs: LIMIT_MS });
  }

  async #keep({ log, size, note }: ToldHead, { signatures }: Extract<Posted, { kind: "cosigned" }>): Promise<Failure> {
    const { name, id } = this.#witness.key;
    const verifier = cosignatureVerifier(this.#witness.key);
    const { text } = parseNote(note)!;
    const own = signatures.filter((one) => one.name === name && one.keyId === id);
    if (own.length === 0) return "it signs under another name than WITNESSES says";
    const signature = own.find((one) => cosignedAt({ text, signatures: [one] }, verifier) !== null);
    if (!signature) return "its signature is false";
    const signedAt = cosignedAt({ text, signatures: [signature] }, verifier)! * SECOND_MS;
    failpoint("log.cosign", log);
    await this.#parts.db.transact(async (tx) => {
      const row = { log, size, witness: this.#key, line: signatureLine(signature), signedAt };
      const [first] = await tx
        .insert(logCosignatures)
        .values(row)
        .onConflictDoNothing()
        .returning({ size: logCosignatures.size });
      if (first) await this.#parts.announce(tx, "log.cosigned", { log, size });
    });
    this.#older.set(log, size);
    return null;
  }
}
