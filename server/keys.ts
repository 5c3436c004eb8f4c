import { createHash, hkdfSync, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Everything secret is derived from one master key of 32 bytes. */
export interface Keys {
  /** The key itself, for the day chains alone. */
  master: Uint8Array;
  /** What may be public about it: tells whether a database was made with it. */
  fingerprint: string;
  /** 32 bytes for one purpose. HKDF-SHA256 (RFC 5869) without salt. */
  derive(purpose: string): Buffer;
}

export function keysOf(master: Uint8Array): Keys {
  if (master.length !== 32) throw new Error("MASTER_KEY is not 32 bytes of hex");
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", master, new Uint8Array(), purpose, 32));
  const fingerprint = createHash("sha256").update(derive("fingerprint")).digest("hex").slice(0, 16);
  return { master, fingerprint, derive };
}

/**
 * The master key: the one handed in, else the file in the data folder. A file
 * is made only when `mayMake`, that is, with a database that is empty.
 */
export function loadMasterKey(given: string | undefined, dataDir: string, mayMake: boolean): Uint8Array {
  const file = join(dataDir, "master.key");
  if (given !== undefined) return fromHex(given, "MASTER_KEY");
  if (!existsSync(file)) {
    if (!mayMake) throw new Error("The database was made with a master key that is not here: set MASTER_KEY.");
    keep(file, `${randomBytes(32).toString("hex")}\n`);
  }
  chmodSync(file, 0o600);
  return fromHex(readFileSync(file, "utf8").trim(), "The master key file");
}

/** Writes a file that is there whole, and to stay, or not at all: everything else depends on it. */
function keep(file: string, content: string): void {
  const draft = `${file}.new`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameSync(draft, file);
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

function fromHex(hex: string, name: string): Uint8Array {
  if (!/^[0-9a-fA-F]{64}$/.test(hex)) throw new Error(`${name} is not 32 bytes of hex.`);
  return Buffer.from(hex, "hex");
}
