import { open, type FileHandle } from "node:fs/promises";
import type { Bucket } from "./s3-bucket.ts";

/** Files up to this size go in one piece; also the most of a file in memory at a time. */
const PIECE_BYTES = 8 * 1_048_576;
/** A store takes no more pieces of one file. */
const MOST_PIECES = 10_000;

export async function putBytes(bucket: Bucket, name: string, bytes: Uint8Array): Promise<void> {
  await bucket.send(name, (s3, options) => s3.putObject({ ...bucket.at(name), Body: bytes }, options));
}

/** Uploads a file, in pieces where it is large; it appears once the last piece is there. */
export async function putFile(bucket: Bucket, name: string, path: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size <= PIECE_BYTES) await putBytes(bucket, name, await readPiece(file, 0, size));
    else await putPieces(bucket, name, file, size);
  } finally {
    await file.close();
  }
}

async function putPieces(bucket: Bucket, name: string, file: FileHandle, size: number): Promise<void> {
  const at = bucket.at(name);
  const { UploadId } = await bucket.ask(name, (s3, options) => s3.createMultipartUpload(at, options));
  const upload = { ...at, UploadId };
  const step = Math.max(PIECE_BYTES, Math.ceil(size / MOST_PIECES));
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    for (let from = 0; from < size; from += step) {
      const Body = await readPiece(file, from, Math.min(step, size - from));
      const PartNumber = Parts.length + 1;
      const piece = { ...upload, Body, PartNumber };
      const { ETag } = await bucket.send(name, (s3, options) => s3.uploadPart(piece, options));
      Parts.push({ ETag, PartNumber });
    }
    const whole = { ...upload, MultipartUpload: { Parts } };
    await bucket.send(name, (s3, options) => s3.completeMultipartUpload(whole, options));
  } catch (error) {
    // Pieces are invisible. Those that cannot be deleted now are removed by the bucket's own rule (docs/backup-and-
    // move.md).
    await bucket.ask(name, (s3, options) => s3.abortMultipartUpload(upload, options)).catch(() => {});
    throw error;
  }
}

async function readPiece(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(piece, done, length - done, from + done);
    if (bytesRead === 0) throw new Error("the file shrank while it was copied");
    done += bytesRead;
  }
  return piece;
}
