import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, takeFreeName, writeDurably } from "#db/durable.ts";

/** Everything secret is derived from one master key of 32 bytes. */
export interface Keys {
  /** The key itself, for the day chains alone. */
  master: Uint8Array;
  /** A public hash of it: tells whether a database was made with this key. */
  fingerprint: string;
  /** 32 bytes for one purpose. HKDF-SHA256 (RFC 5869) without salt. */
  derive(purpose: string): Buffer;
}

export function keysOf(master: Uint8Array): Keys {
  if (master.length !== 32) throw new Error("MASTER_KEY must be 32 bytes of hex");
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", master, new Uint8Array(), purpose, 32));
  const fingerprint = createHash("sha256").update(derive("fingerprint")).digest("hex").slice(0, 16);
  return { master, fingerprint, derive };
}

/**
 * The master key from the environment, else from the file in the data folder. The file is created only with `mayMake`,
 * that is, for an empty database.
 */
export async function loadMasterKey(
  keyHex: string | undefined,
  dataDir: string,
  mayMake: boolean,
): Promise<Uint8Array> {
  const file = join(dataDir, "master.key");
  if (keyHex !== undefined) return fromHex(keyHex, "MASTER_KEY");
  if (!existsSync(file)) {
    if (!mayMake)
      throw new Error("The master key of this database is missing: set MASTER_KEY, or restore the file master.key.");
    await makeKey(file);
  }
  // The database is about to store this key's fingerprint: the file must be durable first, whichever process made it.
  if (mayMake) await syncFolder(dataDir);
  await chmod(file, 0o600);
  return fromHex((await readFile(file, "utf8")).trim(), "The master key file");
}

/** Of servers that start together on an empty folder, one makes the key and all use it. */
async function makeKey(file: string): Promise<void> {
  try {
    await writeDurably(file, `${randomBytes(32).toString("hex")}\n`, takeFreeName);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function fromHex(hex: string, name: string): Uint8Array {
  if (!/^[0-9a-fA-F]{64}$/.test(hex)) throw new Error(`${name} must be 32 bytes of hex.`);
  return Buffer.from(hex, "hex");
}
