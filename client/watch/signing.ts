import type { WantedWitnesses } from "#shared/contract/events.ts";
import { cosignersOf, type Cosigner } from "#shared/log/cosignature.ts";
import { listOf, text, whole, withFields } from "#shared/log/evidence/shape.ts";
import { COSIGNATURE_KEY, parseKey } from "#shared/log/note.ts";
import { isWhole } from "#shared/log/strict.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { readHead, type ReadHead } from "./check-head.ts";
import type { HeadTimes } from "./head-times.ts";
import type { Kept, KeptClosing, KeptLog } from "./kept.ts";
import type { SigningReport } from "./messages.ts";
import type { KeptCosigner, KeptWitnesses } from "./states.ts";

/** Keys that are remembered of one log beside those that signed, and closings that wait for a signature. */
const MOST_KEYS = 20;
const MOST_WAITING = 20;

/**
 * A site at rest has a head each minute, and a witness signs each or the next. One whose newest signature is older than
 * this is slow, away or not asked: it has not signed what the house says now.
 */
const BEHIND_MS = 10 * MINUTE_MS;

/** The house may name anything: what is no such record is not taken in. */
const isWanted = withFields({ keys: listOf(text), needed: whole });
const isWitness = (key: string): boolean => parseKey(key)?.type === COSIGNATURE_KEY;

/** Knows who is to sign heads beside the house, and keeps who did. */
export class Signing {
  readonly #kept: Kept;
  readonly #times: HeadTimes;
  /** Closings that nobody but the house has signed, oldest first. */
  readonly #waiting: KeptClosing[] = [];

  constructor(kept: Kept, times: HeadTimes) {
    this.#kept = kept;
    this.#times = times;
  }

  /** Takes in whom the house names beside a head that it signed. Those whom it named before are known still. */
  async want(origin: string, wanted: WantedWitnesses): Promise<void> {
    if (!isWanted(wanted)) return;
    const before = await this.#kept.witnesses(origin);
    const { needed } = wanted;
    const keys = this.#keysWith(wanted.keys.filter(isWitness), before);
    const mostNeeded = Math.max(isWhole(before.mostNeeded) ? before.mostNeeded : 0, needed);
    const isSame = keys.join() === before.keys.join() && needed === before.needed && mostNeeded === before.mostNeeded;
    if (!isSame) await this.#kept.keepWitnesses(origin, { ...before, keys, needed, mostNeeded });
  }

  /** However many the house names, none goes that has signed. */
  #keysWith(named: readonly string[], before: KeptWitnesses): string[] {
    const signed = new Set(signersIn(before).map(({ key }) => key));
    let room = MOST_KEYS;
    return [...new Set([...named, ...before.keys])].filter((key) => signed.has(key) || room-- > 0);
  }

  /** Checks who signed a head that follows from what was seen. Such a signature stands for all that the head holds. */
  async take({ checkpoint: { origin, size }, note, text: head }: ReadHead): Promise<void> {
    const before = await this.#kept.witnesses(origin);
    const now = before.keys.flatMap((key) => {
      const [signer] = cosignersOf(note, [parseKey(key) ?? []].flat());
      return signer ? [{ ...signer, key, size }] : [];
    });
    if (now.length === 0) return;
    const by = newestOf(before, now);
    const isNews = size > before.size || (size === before.size && now.length >= before.by.length);
    await this.#kept.keepWitnesses(origin, { ...before, ...(isNews && { head, size }), by });
    for (const closing of this.#waiting) {
      if (closing.origin === origin && closing.size <= size)
        await this.#kept.keepClosing(Object.assign(closing, { by: earliest(closing.by ?? [], now) }));
    }
  }

  /** Remembers a closing, to note who signs it. */
  waitFor(closing: KeptClosing): void {
    this.#waiting.push(closing);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }

  /** Who signed, how long before the newest head, and how many of them signed what the house says now. */
  async report(log: KeptLog | null): Promise<SigningReport> {
    const { origin = "" } = log ?? {};
    const kept = await this.#kept.witnesses(origin);
    const signers = [];
    for (const one of signersIn(kept)) signers.push(log ? await this.#timed(log, one) : one);
    if (signers.some(({ time }, i) => time !== kept.by[i]!.time))
      await this.#kept.keepWitnesses(origin, { ...kept, by: signers });
    const by = [];
    for (const one of signers) {
      const behindMs = log ? await this.#behindMs(log, one) : 0;
      by.push({ ...one, behindMs, isBehind: behindMs > BEHIND_MS });
    }
    const mostNeeded = isWhole(kept.mostNeeded) ? kept.mostNeeded : kept.needed;
    return { ...kept, mostNeeded, by, signed: by.filter(({ isBehind }) => !isBehind).length };
  }

  /** With the time of the head that was signed, once a later one is there. */
  async #timed(log: KeptLog, signer: KnownCosigner): Promise<KnownCosigner> {
    if (signer.time !== undefined || signer.size >= sizeOf(log)) return signer;
    const time = await this.#times.of(log, signer.size);
    return time === null ? signer : { ...signer, time };
  }

  /** A house may have an old head signed anew: the head's time counts, and the witness' own only while that is not known. */
  async #behindMs(log: KeptLog, { size, time, at }: KnownCosigner): Promise<number> {
    return size >= sizeOf(log) ? 0 : Math.max(0, (await this.#times.newest(log)) - (time ?? at));
  }
}

const sizeOf = ({ newest }: KeptLog): number => readHead(newest)!.checkpoint.size;

type KnownCosigner = KeptCosigner & { key: string; size: number };

/** Those who signed. What was kept before each had a head of their own signed the newest of them. */
function signersIn({ by, keys, size }: KeptWitnesses): KnownCosigner[] {
  return by.map((one) => {
    const key = one.key ?? keys.find((known) => parseKey(known)?.name === one.name) ?? one.name;
    return { ...one, key, size: one.size ?? size };
  });
}

/** The newest head that each has signed. */
function newestOf(before: KeptWitnesses, now: readonly KnownCosigner[]): KeptCosigner[] {
  const byKey = new Map(signersIn(before).map((one) => [one.key, one]));
  for (const one of now) {
    const known = byKey.get(one.key);
    if (!known || one.size > known.size) byKey.set(one.key, one);
  }
  return [...byKey.values()];
}

/** The first signature of each. */
function earliest(before: readonly Cosigner[], now: readonly Cosigner[]): Cosigner[] {
  const names = [...new Set([...before, ...now].map(({ name }) => name))];
  const firstOf = (name: string) =>
    Math.min(...[...before, ...now].filter((one) => one.name === name).map(({ at }) => at));
  return names.map((name) => ({ name, at: firstOf(name) }));
}
