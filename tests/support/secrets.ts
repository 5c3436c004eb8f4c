import { createHmac } from "node:crypto";
import type { Keys } from "#server/config/keys.ts";
import { chainOf } from "./chain.ts";

/** A value that must not leak: a round's seed or dice bytes until it is drawn, and any other secret ever. */
export interface Secret {
  name: string;
  /** The round whose draw makes it public; absent when it stays secret for good. */
  round?: { key: string; day: string; number: number };
}

const SIZE = 32;
const HEX = /[0-9a-fA-F]{64,}/g;
/** Both base64 alphabets at once. Runs this long can hold a secret, or a text with one in it. */
const BASE64 = /[A-Za-z0-9+/_-]{40,}/g;
/** Encoded texts may hold encoded texts: an answer's data is base64 of JSON. */
const DEEPEST = 3;

/** Finds 32-byte secrets in texts, in hex, base64 and base64url, also inside longer runs and encoded texts. */
export class Secrets {
  readonly #byBytes = new Map<string, Secret>();
  /**
   * The first three bytes of all secrets. Two bytes would rule out hardly anything among tens of thousands of
   * secrets.
   */
  readonly #begins = new Uint8Array(1 << 24);

  add(bytes: Uint8Array, secret: Secret): void {
    const buffer = Buffer.from(bytes);
    if (buffer.length !== SIZE) throw new Error(`${secret.name} is not ${SIZE} bytes`);
    this.#begins[beginAt(buffer, 0)] = 1;
    this.#byBytes.set(buffer.toString("latin1"), secret);
  }

  findIn(text: string, depth = 0): Secret[] {
    const found: Secret[] = [];
    for (const [run] of text.matchAll(HEX)) {
      for (const shift of [0, 1]) found.push(...this.findInBytes(Buffer.from(run.slice(shift), "hex")));
    }
    for (const [run] of text.matchAll(BASE64)) {
      for (const shift of [0, 1, 2, 3]) found.push(...this.findInBytes(Buffer.from(run.slice(shift), "base64")));
      if (depth < DEEPEST) found.push(...this.findIn(Buffer.from(run, "base64").toString("latin1"), depth + 1));
    }
    return found;
  }

  findInBytes(bytes: Buffer): Secret[] {
    const found: Secret[] = [];
    for (let at = 0; at + SIZE <= bytes.length; at++) {
      if (!this.#begins[beginAt(bytes, at)]) continue;
      const secret = this.#byBytes.get(bytes.toString("latin1", at, at + SIZE));
      if (secret) found.push(secret);
    }
    return found;
  }
}

const beginAt = (bytes: Buffer, at: number) => (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;

interface Chains {
  key: string;
  roundsPerDay: number;
}

/** Everything derived from the master key for these games and days. */
export function secretsOf(keys: Keys, games: Chains[], days: string[]): Secrets {
  const secrets = new Secrets();
  const extracted = createHmac("sha256", Buffer.alloc(SIZE)).update(keys.now.master).digest();
  secrets.add(keys.now.master, { name: "the master key" });
  secrets.add(extracted, { name: "the key that all others are expanded from" });
  for (const purpose of ["fingerprint", "replay", "pay:sandbox"])
    secrets.add(keys.now.derive(purpose), { name: `key of ${purpose}` });
  for (const { key, roundsPerDay } of games) {
    for (const day of days) {
      for (const [number, hex] of chainOf(keys.now.master, key, day, roundsPerDay).entries()) {
        const expect = `${day}-${String(number).padStart(4, "0")}`;
        const seed = Buffer.from(hex, "hex");
        const dice = createHmac("sha256", seed).update(`${key}:${expect}:`).digest();
        secrets.add(seed, { name: `seed of ${key} ${expect}`, round: { key, day, number } });
        secrets.add(dice, { name: `dice of ${key} ${expect}`, round: { key, day, number } });
      }
    }
  }
  return secrets;
}
