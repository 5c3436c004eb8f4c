import { createHash, createPublicKey, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { checkExport, type ExportLog } from "#shared/log/check-export.ts";
import type { NoteKey } from "#shared/log/note.ts";
import { LONGEST_LAST_LINE, signatureAt, type ExportVerdict } from "#shared/export-signature.ts";

/** What stands before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410). */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");

/** Checks an export, JSON or CSV, with the house's public key (hex). Reads it in pieces, however long it is. */
export async function verifyExport(path: string, publicKey: string): Promise<ExportVerdict> {
  const signature = await lastLine(path);
  if (!signature) return "unsigned";
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { end: signature.length - 1 })) hash.update(piece as Buffer);
  const der = Buffer.concat([SPKI_HEAD, Buffer.from(publicKey, "hex")]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, hash.digest(), key, signature.value) ? "genuine" : "changed";
}

/** What the bets of an export come to in the public log, by the head in the file. Null for a file without one. */
export async function verifyBets(path: string, witnesses: readonly NoteKey[]): Promise<ExportLog | null> {
  const text = await readFile(path, "utf8");
  return text.startsWith("{") ? checkExport(JSON.parse(text), witnesses) : null;
}

async function lastLine(path: string) {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - LONGEST_LAST_LINE);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    return signatureAt(buffer.subarray(0, bytesRead), from + bytesRead);
  } finally {
    await file.close();
  }
}
