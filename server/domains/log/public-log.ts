import { and, asc, desc, eq, gt, inArray, lte } from "drizzle-orm";
import { logKeys, logLeaves, logRestores, seals } from "#db/schema/index.ts";
import type { Tx } from "#db/db.ts";
import type { Deps, Witnessing } from "#server/app/deps.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { WantedWitnesses } from "#shared/contract/events.ts";
import { keyText, noteText, signNote, type Signer } from "#shared/log/note.ts";
import { leafKey } from "#shared/log/leaf.ts";
import { addLeaf, currentLog, shortKey } from "./add-leaf.ts";
import { BetTrees } from "./bet-trees.ts";
import { BatchKeys } from "./batch-keys.ts";
import { KeptHead } from "./kept-head.ts";
import { beginNextLog, openLogKey, readLogKey, signerOf, type LogKey } from "./log-key.ts";
import { newestHead, numberLeaves } from "./number-leaves.ts";
import { newestNote } from "./read-cosigned.ts";
import { newestTold } from "./read-log.ts";
import { keyOfHead } from "./read-keys.ts";
import { Receipts } from "./receipts.ts";
import { retireKeys } from "./retire-keys.ts";
import { rotateKey } from "./rotate-key.ts";
import { signHeads } from "./sign-heads.ts";
import { stateChainEnds } from "./state-chain-ends.ts";
import { stateClosings, stateSettlements } from "./state-rounds.ts";
import { stateTable } from "./table-leaf.ts";
import { Witnesses } from "./witnesses.ts";

/** There is a head at least this often. */
const HEAD_EVERY_MS = MINUTE_MS;
/** How often to look whether one is due. */
const LOOK_MS = 1_000;
/** How long only the process that settled a round states what it paid. */
const OWN_MS = 10_000;
/** Seals that one transaction states. */
const MOST_SEALS = 100;

type Parts = Pick<Deps, "db" | "clock" | "announce" | "background" | "apart" | "keys" | "log" | "random" | "publicUrl">;

/** Where heads go beside the database: a file, and witnesses. */
interface Outside {
  headFile: string;
  witnesses: Witnessing;
}

/**
 * The public log: states what is due, numbers it, and signs and announces the head. Every step is idempotent, so any
 * number of processes may run it at once, and go on where one of them was killed.
 */
export class PublicLog {
  readonly #parts: Parts;
  readonly #kept: KeptHead;
  #key: LogKey;
  /** Signers of heads, by their keys. */
  readonly #signers = new Map<number, Signer>();
  /** Signs what is no head. */
  #noteSigner: Signer | null = null;
  /** Receipts of bets, signed by the same keys. */
  readonly receipts: Receipts;
  /** The trees over the bets of each round. */
  readonly trees: BetTrees;
  /** Those who sign heads beside this house. */
  readonly witnesses: Witnesses;
  /** Their keys, and how many have to sign, as members are told. */
  readonly wanted: WantedWitnesses;
  #posting: Promise<void> | null = null;
  #newest: string | null = null;
  /** Something was changed, and maybe no head says so yet. */
  #hasChange = false;
  #running: Promise<void> | null = null;
  /** The newest seal that is stated; null while nobody has looked. */
  #sealed: number | null = null;

  private constructor(parts: Parts, { headFile, witnesses }: Outside, key: LogKey) {
    this.#parts = parts;
    this.#kept = new KeptHead(headFile);
    this.witnesses = new Witnesses(parts, witnesses.named);
    this.wanted = { keys: witnesses.named.map((one) => keyText(one.key)), needed: witnesses.needed };
    this.#key = key;
    this.receipts = new Receipts(parts, new BatchKeys(parts, () => this.advance()));
    this.trees = new BetTrees(parts.db, this.receipts.taken);
  }

  static async open(parts: Parts, outside: Outside): Promise<PublicLog> {
    const log = new PublicLog(parts, outside, await openLogKey(parts));
    // After a restore nobody is shown the log before, which ends earlier now than they have seen.
    log.#follow(await log.#begun());
    // A table from before the log stated any.
    await parts.db.transact(stateTable);
    // The same for a log that began after a restore, before such logs stated the ends of chains.
    if (log.key.log > 1) await parts.db.transact(stateChainEnds);
    await log.#learn();
    // While a log that continues another has no head, apps cannot meet it, and would take its notes for false ones.
    if (log.key.log > 1 && log.#newest === null) await parts.background.run(log.advance(), "no first head was signed");
    return log;
  }

  /** The log of today and the key that signs its batches now. */
  get key(): LogKey {
    return this.#key;
  }

  get origin(): string {
    return this.#key.key.name;
  }

  /** The last head that this process was told of, as a signed note with the witnesses' lines; null before the first. */
  newest(): string | null {
    return this.#newest;
  }

  /** A note that is no head, by the key that signed the newest one. */
  sign(text: (origin: string) => string): string {
    const signer = this.#noteSigner!;
    return noteText(signNote({ text: text(signer.key.name), signatures: [] }, signer));
  }

  /**
   * Takes in heads that some process announced, and notes what has to be told soon: a pause before it acts, prizes, a key
   * that is replaced, a pair before its words.
   */
  listen({ bus, background }: Pick<Deps, "bus" | "background">): void {
    for (const topic of ["log.head", "log.cosigned"] as const)
      bus.on(topic, () => void background.run(this.#learn(), "a head of the log could not be read"));
    const isDue = () => {
      this.#hasChange = true;
    };
    bus.on("game.changed", isDue);
    bus.on("log.rotate", isDue);
    bus.on("prizes.changed", isDue);
    bus.on("log.waiting", isDue);
  }

  async #learn(): Promise<void> {
    this.#follow(await readLogKey(this.#parts.db.read));
    const { read } = this.#parts.db;
    this.#newest = await newestNote(read);
    this.#noteSigner = await this.#signerAt((await newestTold(read))?.size ?? 0);
  }

  /** Takes in another log, or another key. */
  #follow(key: LogKey | null): void {
    if (!key || key.id === this.#key.id) return;
    this.#key = key;
    this.#sealed = null;
  }

  async #signerAt(size: number): Promise<Signer> {
    const row = await keyOfHead(this.#parts.db.read, this.#key.log, size);
    let signer = this.#signers.get(row.id);
    if (!signer) this.#signers.set(row.id, (signer = signerOf(this.#parts, row)));
    return signer;
  }

  /** Takes bets into their trees, and adds a head if one is due. Returns how many milliseconds there is nothing to do. */
  async tick(): Promise<number> {
    // What fails here is left to the closing. No head waits for it.
    await this.#parts.background.run(this.trees.grow(), "no tree of bets grew");
    const head = await newestHead(this.#parts.db.read, this.#key.log);
    const age = head ? this.#parts.clock.now() - head.at : HEAD_EVERY_MS;
    if (age >= HEAD_EVERY_MS || head?.note === null || this.#hasChange) {
      this.#hasChange = false;
      await this.advance();
    }
    await retireKeys(this.#parts, this.receipts);
    return LOOK_MS;
  }

  /** States what is due and announces a head that holds it. Calls meanwhile join the next run. */
  async advance(): Promise<void> {
    const before = this.#running;
    if (before) await before.catch(() => {});
    this.#running ??= this.#advance().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** States what rounds paid, as soon as they have: a closing that waits for it would be told late. */
  async stateSettled(): Promise<void> {
    const failures = await stateSettlements(this.#parts, Number.MAX_SAFE_INTEGER);
    if (failures.length > 0) throw new AggregateError(failures, "the log could not state what some rounds paid");
  }

  async #advance(): Promise<void> {
    const { db, clock } = this.#parts;
    this.#follow(await this.#begun());
    await rotateKey(this.#parts, this.#key);
    this.#follow(await readLogKey(db.read));
    const failures = [
      ...(await stateClosings(this.#parts, this.trees)),
      ...(await stateSettlements(this.#parts, clock.now() - OWN_MS)),
    ];
    await this.#stateSeals();
    for (;;) {
      const now = clock.now();
      const work = (tx: Tx) => numberLeaves(tx, this.#key.log, now, now - HEAD_EVERY_MS + 1);
      if ((await db.transact(work, "fence")) === 0) break;
    }
    if (await signHeads(this.#parts, this.#key, (size) => this.#signerAt(size), this.#kept)) this.#post();
    if (failures.length > 0) throw new AggregateError(failures, "the log could not state what became of some rounds");
  }

  /** Asks the witnesses in the background. */
  #post(): void {
    const posting = this.#parts.apart(() => this.witnesses.post());
    this.#posting = posting;
  }

  /** Resolves once no witness is being asked. */
  async settle(): Promise<void> {
    await this.#posting;
  }

  /** The next log, if the operator has said that the database was restored. */
  async #begun(): Promise<LogKey | null> {
    const { log, key } = this.#key;
    const [said] = await this.#parts.db.read.select().from(logRestores).where(eq(logRestores.id, log));
    if (!said) return readLogKey(this.#parts.db.read);
    const kept = await this.#kept.read().catch(() => null);
    return beginNextLog(this.#parts, this.#key, kept?.origin === key.name ? kept : null);
  }

  async #stateSeals(): Promise<void> {
    const { db } = this.#parts;
    this.#sealed ??= await lastStatedSeal(db.read);
    for (;;) {
      const next = await db.read
        .select()
        .from(seals)
        .where(gt(seals.id, this.#sealed))
        .orderBy(asc(seals.id))
        .limit(MOST_SEALS);
      if (next.length === 0) return;
      await db.transact(async (tx) => {
        for (const { id, root, seal, createdAt } of next)
          await addLeaf(tx, { kind: "seal", number: id, root, seal, at: createdAt });
      });
      this.#sealed = next.at(-1)!.id;
    }
  }
}

/**
 * The newest seal that the log states. Without one it leaves out those from before its first key: later ones go by their
 * numbers alone, since a clock may have been set back.
 */
async function lastStatedSeal(read: Tx): Promise<number> {
  const [first] = await read
    .select({ at: logKeys.createdAt })
    .from(logKeys)
    .where(eq(logKeys.log, currentLog))
    .orderBy(asc(logKeys.id))
    .limit(1);
  let older = 0;
  for (let below = Number.MAX_SAFE_INTEGER; ;) {
    const page = await read
      .select({ id: seals.id, at: seals.createdAt })
      .from(seals)
      .where(lte(seals.id, below))
      .orderBy(desc(seals.id))
      .limit(MOST_SEALS);
    const keys = new Map(page.map(({ id }) => [shortKey(leafKey({ kind: "seal", number: id, ...NO_SEAL })), id]));
    const stated = await read
      .select({ key: logLeaves.key })
      .from(logLeaves)
      .where(and(eq(logLeaves.log, currentLog), inArray(logLeaves.key, [...keys.keys()])));
    if (stated.length > 0) return Math.max(...stated.map(({ key }) => keys.get(key)!));
    older = Math.max(older, ...page.filter(({ at }) => at < first!.at).map(({ id }) => id));
    if (page.length < MOST_SEALS) return older;
    below = page.at(-1)!.id - 1;
  }
}

const NO_SEAL = { root: "", seal: "", at: 0 };
