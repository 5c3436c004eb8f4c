import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, takeFreeName, writeDurably } from "#db/durable.ts";
import { dayOf, type Clock } from "#shared/time.ts";
import { isoDay, readMasterKeys, type GivenKey } from "./given-keys.ts";

/** A master key of 32 bytes. Everything secret is derived from one. */
export interface MasterKey {
  /** Counts the keys of a database, from 1. What is stored names its key so; what names none is of the first. */
  version: number;
  /** The UTC day (shared/time.ts) from which it is in force. */
  fromDay: number;
  /** The key itself, for the day chains alone. */
  master: Uint8Array;
  /** A public hash of it: tells whether a database was made with this key. */
  fingerprint: string;
  /** 32 bytes for one purpose. HKDF-SHA256 (RFC 5869) without salt. */
  derive(purpose: string): Buffer;
}

/** The master keys of a database. `now` is the one in force: whatever is sealed, signed or hashed anew takes it. */
export interface Keys {
  readonly now: MasterKey;
  /** Oldest first. Some may be in force only later, and old ones may be gone. */
  readonly all: readonly MasterKey[];
  /** Throws where this server was not given the key. */
  of(version: number): MasterKey;
  /** The key in force on a day. Throws where this server was not given it. */
  ofDay(day: number): MasterKey;
  /** The key in force at a time; null where this server was not given it. */
  at(ms: number): MasterKey | null;
  /** From this day on another key is in force, which this process was not given: nothing is derived any more. */
  endOn(day: number): void;
}

export function masterKey(master: Uint8Array, { version, fromDay }: Pick<MasterKey, "version" | "fromDay">): MasterKey {
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", master, new Uint8Array(), purpose, 32));
  return { version, fromDay, master, fingerprint: fingerprintOf(master), derive };
}

export function fingerprintOf(master: Uint8Array): string {
  const derived = Buffer.from(hkdfSync("sha256", master, new Uint8Array(), "fingerprint", 32));
  return createHash("sha256").update(derived).digest("hex").slice(0, 16);
}

/** The master keys that a process was given for its database. */
export class KeyRing implements Keys {
  readonly all: readonly MasterKey[];
  readonly #clock: Pick<Clock, "now">;
  #endsOn: number | null = null;

  constructor(all: readonly MasterKey[], clock: Pick<Clock, "now">) {
    this.all = all;
    this.#clock = clock;
  }

  endOn(day: number): void {
    this.#endsOn = Math.min(day, this.#endsOn ?? day);
  }

  get now(): MasterKey {
    return this.ofDay(dayOf(this.#clock.now()));
  }

  of(version: number): MasterKey {
    const key = this.all.find((one) => one.version === version);
    if (!key) throw new Error(`the master key number ${version} is not here: MASTER_KEY lacks it`);
    return key;
  }

  ofDay(day: number): MasterKey {
    const key = this.#find(day);
    if (!key) throw new Error(`the master key of ${isoDay(day)} is not here: MASTER_KEY lacks it`);
    return key;
  }

  at(ms: number): MasterKey | null {
    return this.#find(dayOf(ms)) ?? null;
  }

  #find(day: number): MasterKey | undefined {
    if (this.#endsOn !== null && day >= this.#endsOn) return undefined;
    return this.all.findLast(({ fromDay }) => fromDay <= day);
  }
}

/** A single key, the first one of its database. */
export const keysOf = (master: Uint8Array): KeyRing =>
  new KeyRing([masterKey(master, { version: 1, fromDay: 0 })], { now: () => 0 });

/**
 * The master keys from the environment, else from the file in the data folder. The file is created only with `mayMake`,
 * that is, for an empty database.
 */
export async function loadMasterKeys(
  given: string | undefined,
  dataDir: string,
  mayMake: boolean,
): Promise<readonly GivenKey[]> {
  const file = join(dataDir, "master.key");
  if (given !== undefined) return readMasterKeys(given, "MASTER_KEY");
  if (!existsSync(file)) {
    if (!mayMake)
      throw new Error("The master key of this database is missing: set MASTER_KEY, or restore the file master.key.");
    await makeKey(file);
  }
  // The database is about to store this key's fingerprint: the file must be durable first, whichever process made it.
  if (mayMake) await syncFolder(dataDir);
  await chmod(file, 0o600);
  return readMasterKeys((await readFile(file, "utf8")).trim(), "The master key file");
}

/** Of servers that start together on an empty folder, one makes the key and all use it. */
async function makeKey(file: string): Promise<void> {
  try {
    await writeDurably(file, `${randomBytes(32).toString("hex")}\n`, takeFreeName);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
