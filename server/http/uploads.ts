import { createHash } from "node:crypto";
import multipart, { type MultipartFile } from "@fastify/multipart";
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { MOST_PICTURE_BYTES } from "#shared/picture.ts";
import { Refusal } from "#shared/refusal.ts";
import { Semaphore } from "./semaphore.ts";

/** One file, and a few short fields that nobody asked for. */
const LIMITS = {
  files: 1,
  fields: 8,
  parts: 9,
  fileSize: MOST_PICTURE_BYTES,
  fieldNameSize: 100,
  fieldSize: 1_024,
  headerPairs: 32,
};
const MOST_BYTES = MOST_PICTURE_BYTES + 65_536;
/** Whoever sends nothing for so long is not waited for. */
const STALLED_MS = 30_000;
/** Nor is a body that drips: the largest comes in this time at 18 kB a second. */
const SLOWEST_MS = 300_000;
/** What is being read and used at once takes no more memory than this many files. */
const AT_ONCE = 16;
const WAITING = 1_000;

/** A file that came whole. As JSON it is its digest: so a request's hash covers its bytes. */
class SentFile extends File {
  readonly #digest: string;

  constructor(bytes: Buffer<ArrayBuffer>) {
    super([bytes], "");
    this.#digest = createHash("sha256").update(bytes).digest("base64url");
  }

  toJSON(): string {
    return this.#digest;
  }
}

/**
 * Bodies of multipart/form-data are read for what is mounted on this app, and only there. Their fields are the
 * request's body. Whoever comes while many are at it waits, unread.
 */
export async function readUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart);
  const slots = new Semaphore(AT_ONCE, WAITING);
  app.addHook("preValidation", async (request, reply) => {
    if (!request.isMultipart()) return;
    if (Number(request.headers["content-length"] ?? 0) > MOST_BYTES) throw new Refusal("body.large");
    const release = await slots.acquire();
    reply.raw.once("finish", release).once("close", release);
    // Who went while they waited is told nothing, and holds no place.
    if (request.raw.destroyed && !request.raw.readableEnded) {
      release();
      throw new Refusal("request.malformed");
    }
    request.body = await readParts(request);
  });
}

async function readParts(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields = new Map<string, unknown>();
  const stopWatching = watch(request);
  try {
    for await (const part of request.parts({ limits: LIMITS })) {
      const value = part.type === "file" ? await readFile(part) : part.value;
      const { fieldname: name } = part;
      // As in a form: what stands twice is a list, and no field takes one.
      fields.set(name, fields.has(name) ? [fields.get(name), value] : value);
    }
    return Object.fromEntries(fields);
  } catch (error) {
    const { code } = error as FastifyError;
    // A field called like something that every object has is left out, as any other that nobody asked for.
    if (code === "FST_PROTO_VIOLATION") return Object.fromEntries(fields);
    throw new Refusal(code === "FST_REQ_FILE_TOO_LARGE" ? "body.large" : "request.malformed");
  } finally {
    stopWatching();
    // The rest is let go by, so that the answer reaches whoever is still sending.
    request.raw.unpipe();
    request.raw.resume();
  }
}

// What the parser gives is never shared memory.
const readFile = async (part: MultipartFile) => new SentFile((await part.toBuffer()) as Buffer<ArrayBuffer>);

/** Hangs up on a body that does not go on, or not come to its end. */
function watch({ raw }: FastifyRequest): () => void {
  let bytes = 0;
  const hangUp = () => void raw.destroy();
  const timer = setTimeout(hangUp, STALLED_MS);
  const deadline = setTimeout(hangUp, SLOWEST_MS);
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) hangUp();
    timer.refresh();
  };
  raw.on("data", onData);
  return () => {
    clearTimeout(timer);
    clearTimeout(deadline);
    raw.off("data", onData);
  };
}
