import { createHash, createPublicKey, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";

/** The last line of an export is shorter than this. */
const LONGEST_LINE = 1_024;

/** What stands before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410). */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");

/** `genuine`: as the house signed it. `changed`: not those bytes, or not that key. `unsigned`: it broke off. */
export type ExportVerdict = "genuine" | "changed" | "unsigned";

/** Checks an export, JSON or CSV, with the house's public key (hex). Reads it in pieces, however long it is. */
export async function verifyExport(path: string, publicKey: string): Promise<ExportVerdict> {
  const { line, length } = await lastLine(path);
  const value = signatureIn(line);
  if (!value || length === 0) return "unsigned";
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { end: length - 1 })) hash.update(piece as Buffer);
  const der = Buffer.concat([SPKI_HEAD, Buffer.from(publicKey, "hex")]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, hash.digest(), key, value) ? "genuine" : "changed";
}

/** The last line of a file, and how many bytes come before it. */
async function lastLine(path: string): Promise<{ line: string; length: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - LONGEST_LINE);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const end = buffer.subarray(0, bytesRead);
    const begin = end.lastIndexOf(10, -2) + 1;
    return { line: end.subarray(begin).toString(), length: from + begin };
  } finally {
    await file.close();
  }
}

/** The signature in a line as either format writes it, to the letter; undefined when it is none. */
function signatureIn(line: string): Buffer | undefined {
  const json = /^"signature":\{"algorithm":"Ed25519","key":"[0-9a-f]{64}","value":"([0-9a-f]{128})"\}\}\n$/;
  const csv = /^signature,[0-9a-f]{64},,Ed25519,([0-9a-f]{128}),{13}\r\n$/;
  const value = (json.exec(line) ?? csv.exec(line))?.[1];
  return value === undefined ? undefined : Buffer.from(value, "hex");
}
