import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import type { Readable } from "node:stream";
import { S3Body } from "./s3-body.ts";
import { Bucket, NoSuchFile, TIMEOUTS } from "./s3-bucket.ts";
import type { S3Config } from "./s3-config.ts";
import { putBytes, putFile } from "./s3-upload.ts";
import { isFileName, isStorageName, type Storage, type StoredFile } from "./storage.ts";

/** Files removed at a time. */
const AT_ONCE = 16;

type Part = Parameters<StoredFile["read"]>[0];

/** Stores files in a bucket. All reads go through the server: the bucket itself is private. */
export function s3Storage(place: S3Config, timeouts = TIMEOUTS): Storage {
  const bucket = new Bucket(place, timeouts);
  return {
    async put(name, content) {
      if (!isFileName(name)) throw new Error(`${name} is not the name of a stored file`);
      await ("file" in content ? putFile(bucket, name, content.file) : putBytes(bucket, name, content));
    },
    find: async (name) => (isFileName(name) ? findFile(bucket, name) : null),
    async list(folder) {
      const files: string[] = [];
      for await (const names of pagesOf(bucket, `${folder}/`, "/")) files.push(...names);
      return files.filter(isFileName);
    },
    async remove(name) {
      if (!isStorageName(name)) throw new Error(`${name} is not the name of a stored file`);
      if (isFileName(name)) return removeFile(bucket, name);
      for await (const names of pagesOf(bucket, name)) {
        for (let from = 0; from < names.length; from += AT_ONCE)
          await Promise.all(names.slice(from, from + AT_ONCE).map((one) => removeFile(bucket, one)));
      }
    },
  };
}

/** Refuses, with the reason, a bucket that cannot be read. */
export async function checkBucket(place: S3Config, timeouts = TIMEOUTS): Promise<void> {
  const bucket = new Bucket(place, timeouts);
  const { Bucket: name, Key: Prefix } = bucket.at("");
  try {
    await bucket.ask("the files", (s3, options) => s3.listObjectsV2({ Bucket: name, Prefix, MaxKeys: 1 }, options));
  } catch (error) {
    throw new Error(`STORAGE at ${place.endpoint} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

const nullIfMissing = (error: unknown): null => {
  if (error instanceof NoSuchFile) return null;
  throw error;
};

async function findFile(bucket: Bucket, name: string): Promise<StoredFile | null> {
  const found = await bucket.ask(name, (s3, options) => s3.headObject(bucket.at(name), options)).catch(nullIfMissing);
  if (!found) return null;
  const [size, writtenAt] = [found.ContentLength, found.LastModified?.getTime()];
  if (size === undefined || writtenAt === undefined) throw new Error(`${name}: the bucket returned no size or age`);
  const read = (part: Part) => readFile(bucket, name, size, part);
  return { size, writtenAt, read, pieces: read };
}

function readFile(bucket: Bucket, name: string, size: number, part: Part): Readable {
  const { callMs: openMs, stallMs } = bucket.timeouts;
  const range = part && { Range: `bytes=${part.start}-${part.end}` };
  const fetching = async (signal: AbortSignal) => {
    const asked = { ...bucket.at(name), ...range };
    const sent = await bucket.open(name, signal, (s3, options) => s3.getObject(asked, options));
    const body = sent.Body as Readable;
    const fault = faultIn(sent, size, part);
    if (fault === null) return body;
    body.on("error", () => {}).destroy();
    throw new Error(`${name}: the bucket sent ${fault}`);
  };
  return new S3Body(name, fetching, { openMs, stallMs });
}

/** A store without range support sends the whole file, whose bytes would be taken for the part. */
function faultIn({ ContentLength, ContentRange }: GetObjectCommandOutput, size: number, part: Part): string | null {
  if (part && !ContentRange?.startsWith(`bytes ${part.start}-${part.end}/`)) return `another part, ${ContentRange}`;
  const expected = part ? part.end - part.start + 1 : size;
  return ContentLength === expected ? null : `${ContentLength} bytes and not ${expected}`;
}

async function removeFile(bucket: Bucket, name: string): Promise<void> {
  await bucket.ask(name, (s3, options) => s3.deleteObject(bucket.at(name), options)).catch(nullIfMissing);
}

/** The names that begin with a word, a thousand at a time; with a delimiter, only as far as it does not follow. */
async function* pagesOf(bucket: Bucket, beginning: string, Delimiter?: string): AsyncGenerator<string[]> {
  const { Bucket: name, Key: Prefix } = bucket.at(beginning);
  let ContinuationToken: string | undefined;
  do {
    const asked = { Bucket: name, Prefix, Delimiter, ContinuationToken };
    const page = await bucket.ask(beginning, (s3, options) => s3.listObjectsV2(asked, options));
    yield (page.Contents ?? []).map(({ Key }) => bucket.nameOf(Key!));
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (ContinuationToken !== undefined);
}
