import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import type * as Age from "age-encryption";

/* Sealed files are in the format of age (age-encryption.org/v1): whoever has the key opens them with any program of it. */

const load = createRequire(import.meta.url);
/** Loaded with the first key or file: most starts have none to seal or to open. */
const age = () => load("age-encryption") as typeof Age;

const BEGINNING = "age-encryption.org/v1\n";
const SECRET = "AGE-SECRET-KEY-";
/** The library's words when a file is sealed for others. */
const FOR_OTHERS = /no identity matched/;

/** A file that was not opened, or a key that is none. The message says why. */
export class Unopenable extends Error {
  override name = "Unopenable";
}

/** Throws Unopenable unless the text is a public key of age. */
export function checkRecipient(text: string): void {
  try {
    new (age().Encrypter)().addRecipient(text);
  } catch {
    throw new Unopenable(`${text} is no public key of age: expected age1…`);
  }
}

/** Seals a file for whoever has one of the recipients' secret keys. It overwrites `to`. */
export async function sealFile(from: string, to: string, recipients: readonly string[]): Promise<void> {
  const encrypter = new (age().Encrypter)();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  await write(await encrypter.encrypt(streamOf(from)), to);
}

/** Opens a sealed file into `to`, which it overwrites. Throws Unopenable for a wrong key, a cut or a changed file. */
export async function openSealed(from: string, to: string, secretKeys: readonly string[]): Promise<void> {
  const decrypter = new (age().Decrypter)();
  for (const key of secretKeys) decrypter.addIdentity(key);
  try {
    await write(await decrypter.decrypt(streamOf(from)), to);
  } catch (error) {
    // An error of the system has a code: the disk is full, or cannot be read.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    const why = FOR_OTHERS.test((error as Error).message)
      ? "is sealed for another key, or its beginning was changed"
      : "was cut off or changed, and cannot be opened";
    throw new Unopenable(`${from} ${why}`, { cause: error });
  }
}

/** Whether a file begins like a sealed one. */
export async function isSealed(file: string): Promise<boolean> {
  return (await beginningOf(file, BEGINNING.length)) === BEGINNING;
}

export async function beginningOf(file: string, bytes: number): Promise<string> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
  return buffer.toString("latin1", 0, bytesRead);
}

/** The secret keys in a key file: a line each, beside comments. Throws Unopenable where there is none. */
export function readSecretKeys(text: string, name: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#"));
  try {
    if (keys.length === 0 || !keys.every((key) => key.startsWith(SECRET))) throw new Error("another line");
    const decrypter = new (age().Decrypter)();
    for (const key of keys) decrypter.addIdentity(key);
    return keys;
  } catch {
    throw new Unopenable(`${name} holds no secret key of age: expected a line ${SECRET}1…`);
  }
}

/** A new key file, and the public key that belongs to it. */
export async function makeKeyFile(): Promise<{ text: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = age();
  const secretKey = await generateX25519Identity();
  const recipient = await identityToRecipient(secretKey);
  return { text: `# public key: ${recipient}\n${secretKey}\n`, recipient };
}

const streamOf = (file: string) => Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>;

const write = (stream: ReadableStream<Uint8Array>, file: string): Promise<void> =>
  pipeline(Readable.fromWeb(stream as unknown as WebStream), createWriteStream(file, { mode: 0o600 }));
