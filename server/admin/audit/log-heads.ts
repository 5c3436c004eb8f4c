import { createPublicKey, verify } from "node:crypto";
import { and, asc, eq, gt, isNotNull, lt, max, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logCosignatures, logHeads, type logKeys } from "#db/schema/index.ts";
import { checkpointText, isFirstKey } from "#shared/log/checkpoint.ts";
import { isDispensable } from "#server/domains/log/prune-heads.ts";
import { cosignedAt, cosignatureVerifier } from "#shared/log/cosignature.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { keyOf, parseKey, parseNote, signersOf, type Verifier } from "#shared/log/note.ts";
import { SECOND_MS } from "#shared/time.ts";
import { toBase64Url } from "#shared/log/strict.ts";
import type { MerkleTree } from "#shared/merkle.ts";
import type { Findings } from "./findings.ts";
import { keyOfRow } from "./log-keys.ts";
import { BEFORE_ALL, isAfter } from "./pages.ts";
import type { SignsOfLife } from "./signs-of-life.ts";

type Head = typeof logHeads.$inferSelect;
type LogKeyRow = typeof logKeys.$inferSelect;

const PAGE = 500;

/** Checks signatures by the platform: a log has a head for each minute. */
function verifierOf({ origin, publicKey }: LogKeyRow): Verifier {
  const bytes = Buffer.from(publicKey, "hex");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: toBase64Url(bytes) }, format: "jwk" });
  return {
    key: keyOf(origin, bytes),
    verify: (text, signature) => verify(null, Buffer.from(text), key, signature),
  };
}

/** Compares the stored heads of a log with its tree, one after the other as the tree grows. */
export class LogHeads {
  readonly #read: Tx;
  readonly #log: number;
  readonly #signs: SignsOfLife;
  readonly #found: Findings;
  /** Another log continues this one. */
  readonly #hasEnded: boolean;
  readonly #origin: string;
  /** The log's keys in their order; the leaves so far name `#at` as the last. */
  readonly #verifiers: Verifier[];
  #at = 0;
  #page: Head[] = [];
  /** How many leaves the newest head has that was taken from a page. */
  #taken = 0;
  /** When the newest announced head was made: older ones may have been pruned. */
  #newestAt: Promise<number | null> | undefined;
  /** The last time that the log states, with a head or without. */
  #before: Leaf<"time"> | null = null;
  /** The newest head that was compared. */
  last: Head | null = null;
  /** The oldest one. */
  first: Head | null = null;

  constructor(
    read: Tx,
    keys: [LogKeyRow, ...LogKeyRow[]],
    { signs, hasEnded }: { signs: SignsOfLife; hasEnded: boolean },
    found: Findings,
  ) {
    this.#hasEnded = hasEnded;
    this.#read = read;
    this.#log = keys[0].log;
    this.#origin = keys[0].origin;
    this.#signs = signs;
    this.#found = found;
    const isOwn = (row: LogKeyRow) => row.origin === this.#origin && keyOfRow(row) !== null;
    const isFirst = isOwn(keys[0]) && isFirstKey(this.#origin, Buffer.from(keys[0].publicKey, "hex"));
    found.check(isFirst, () => `the log's key ${keys[0].id} is not the one that its origin names`);
    for (const key of keys.slice(1))
      found.check(isOwn(key), () => `the log's key ${key.id} is of another origin than the one before`);
    this.#verifiers = keys.filter(isOwn).map(verifierOf);
  }

  /** The next head to come. */
  async #next(): Promise<Head | undefined> {
    if (this.#page.length === 0) {
      this.#page = await this.#read
        .select()
        .from(logHeads)
        .where(and(eq(logHeads.log, this.#log), gt(logHeads.size, this.#taken)))
        .orderBy(asc(logHeads.size))
        .limit(PAGE);
    }
    return this.#page[0];
  }

  /** Compares the head of this tree, if there is one. A time ends each head, and stands nowhere else. */
  async check(tree: MerkleTree, leaf: Leaf | null): Promise<void> {
    const head = await this.#next();
    if (leaf?.kind === "key") this.#at++;
    const before = this.#before;
    if (leaf?.kind === "time") this.#before = leaf;
    if (head?.size !== tree.size) {
      const isRight = leaf?.kind !== "time" || (await this.#isPruned(leaf, before));
      this.#found.check(isRight, () => `the log's leaf ${tree.size - 1} is a time that ends no head`);
      return;
    }
    this.#page.shift();
    this.#taken = head.size;
    const name = `the log's head of ${head.size} leaves`;
    this.#found.check(tree.root() === head.root, () => `${name} has another root than its leaves`);
    const ends = leaf?.kind === "time" && leaf.time === head.at;
    this.#found.check(ends, () => `${name} does not end in its time`);
    const { last } = this;
    this.#found.check(!last || last.at < head.at, () => `${name} is not younger than the one before`);
    this.#checkNote(name, head);
    this.first ??= head;
    this.last = head;
  }

  /** Heads that the log may do without are deleted after a while. */
  async #isPruned({ time }: Leaf<"time">, before: Leaf<"time"> | null): Promise<boolean> {
    const newestAt = await (this.#newestAt ??= this.#readNewestAt());
    return newestAt !== null && isDispensable(time, before && { at: before.time }, newestAt);
  }

  async #readNewestAt(): Promise<number | null> {
    const isAnnounced = and(eq(logHeads.log, this.#log), isNotNull(logHeads.note));
    const [newest] = await this.#read
      .select({ at: max(logHeads.at) })
      .from(logHeads)
      .where(isAnnounced);
    return newest!.at;
  }

  #checkNote(name: string, { size, root, note, at, announcedAt }: Head): void {
    if (note === null) {
      const idle = this.#signs.idleSince(at);
      // A log that ended with a restore leaves what was numbered and never announced.
      if (this.#hasEnded) this.#found.note(() => `${name} was never signed: the log ended before`);
      else if (idle === null) this.#found.note(() => `${name} is not signed yet`);
      else this.#found.check(false, () => `${name} is not signed: a server worked on for ${idle} s`);
      this.#found.check(announcedAt === null, () => `${name} was announced without a signature`);
      return;
    }
    const signed = parseNote(note);
    const says = signed && /^[0-9a-f]{64}$/.test(root) && signed.text === this.#textOf(size, root);
    this.#found.check(Boolean(says), () => `${name}: its signed note says something else`);
    const verifier = this.#verifiers[this.#at];
    const isSigned = signed !== null && verifier !== undefined && signersOf(signed, [verifier]) !== null;
    this.#found.check(isSigned, () => `${name} is not signed by the key that its leaves name last`);
    this.#found.check(announcedAt !== null, () => `${name} is signed, and was not announced`);
  }

  #textOf(size: number, root: string): string {
    return checkpointText({ origin: this.#origin, size, root: Buffer.from(root, "hex"), extensions: [] });
  }

  /** What witnesses signed: it stands under a head of this log, and is theirs. */
  async checkCosignatures(): Promise<void> {
    for (let after: [number, string] = [BEFORE_ALL, ""]; ;) {
      const isOfHead = and(eq(logHeads.log, logCosignatures.log), eq(logHeads.size, logCosignatures.size));
      const rows = await this.#read
        .select({ row: logCosignatures, note: logHeads.note })
        .from(logCosignatures)
        .leftJoin(logHeads, isOfHead)
        .where(and(eq(logCosignatures.log, this.#log), isAfter([logCosignatures.size, logCosignatures.witness], after)))
        .orderBy(asc(logCosignatures.size), asc(logCosignatures.witness))
        .limit(PAGE);
      for (const { row, note } of rows) this.#checkCosignature(row, note);
      if (rows.length < PAGE) return;
      const { size, witness } = rows.at(-1)!.row;
      after = [size, witness];
    }
  }

  #checkCosignature({ size, witness, line, signedAt }: typeof logCosignatures.$inferSelect, note: string | null): void {
    const name = `the log's head of ${size} leaves`;
    const key = parseKey(witness);
    if (note === null) return this.#found.check(false, () => `a witness signed ${name}, which is not announced`);
    const signed = parseNote(note + line);
    const at = key && signed ? cosignedAt(signed, cosignatureVerifier(key)) : null;
    this.#found.check(at !== null, () => `${name}: what stands as the signature of ${witness} is none`);
    const isThen = at === null || at * SECOND_MS === signedAt;
    this.#found.check(isThen, () => `${name}: the signature of ${witness} names another time than its row`);
  }

  /** Names heads beside the leaves, and leaves beyond the heads. */
  async finish(size: number): Promise<void> {
    const isBeside = or(lt(logHeads.size, 1), gt(logHeads.size, size));
    const beside = await this.#read
      .select({ other: logHeads.size })
      .from(logHeads)
      .where(and(eq(logHeads.log, this.#log), isBeside))
      .orderBy(asc(logHeads.size));
    for (const { other } of beside) {
      const has = other < 1 ? "no leaf" : "more than the log";
      this.#found.check(false, () => `the log's head of ${other} leaves has ${has}`);
    }
    const known = this.last?.size ?? 0;
    this.#found.check(size <= known, () => `the log's leaves from ${known} on are in no head`);
  }
}
