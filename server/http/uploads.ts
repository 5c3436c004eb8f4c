import { createHash } from "node:crypto";
import multipart, { type MultipartFile } from "@fastify/multipart";
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { MOST_PICTURE_BYTES } from "#shared/picture.ts";
import { Refusal } from "#shared/refusal.ts";
import type { Deps } from "#server/app/deps.ts";
import { Semaphore, Semaphores } from "#server/domains/account/semaphore.ts";
import { requireCaller } from "./session.ts";
import { allowSlowBody } from "./slow-bodies.ts";

/** One file, and a few short unknown fields. */
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
/** A body that stalls for this long is cut off. */
const STALLED_MS = 30_000;
/** So is one that takes longer in all: the largest needs 18 kB a second. */
const SLOWEST_MS = 300_000;
/** The most uploads in memory at once. */
const AT_ONCE = 16;
const WAITING = 1_000;
/** A member's further uploads wait for the one that is read: taps, retries, other devices. They wait unread. */
const WAITING_OF_ONE = 30;

/** A complete file. As JSON it is its digest, so that the request's hash covers its bytes. */
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
 * Parses multipart/form-data on this app only, whose every call needs a session. The fields become the request's body.
 * Beyond the semaphore's slots, bodies wait unread; a member has one slot at most.
 */
export async function readUploads(app: FastifyInstance, deps: Pick<Deps, "identify">): Promise<void> {
  await app.register(multipart);
  const slots = new Semaphore(AT_ONCE, WAITING);
  const ofMembers = new Semaphores<number>(1, WAITING_OF_ONE);

  async function takeSlot(memberId: number): Promise<() => void> {
    const leaveOwn = await ofMembers.acquire(memberId);
    const leave = await slots.acquire().catch((error: unknown) => {
      leaveOwn();
      throw error;
    });
    return () => {
      leave();
      leaveOwn();
    };
  }

  app.addHook("preValidation", async (request, reply) => {
    if (!request.isMultipart()) return;
    if (Number(request.headers["content-length"] ?? 0) > MOST_BYTES) throw new Refusal("body.large");
    const { memberId } = await requireCaller(deps, request);
    allowSlowBody(request.raw);
    const release = await takeSlot(memberId);
    reply.raw.once("finish", release).once("close", release);
    // A client that left while waiting gets no answer and holds no slot.
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
      // As in a form: a repeated field becomes a list, which no field accepts.
      fields.set(name, fields.has(name) ? [fields.get(name), value] : value);
    }
    return Object.fromEntries(fields);
  } catch (error) {
    const { code } = error as FastifyError;
    // A field named like an object's own property is dropped, like any unknown field.
    if (code === "FST_PROTO_VIOLATION") return Object.fromEntries(fields);
    throw new Refusal(code === "FST_REQ_FILE_TOO_LARGE" ? "body.large" : "request.malformed");
  } finally {
    stopWatching();
    // Drain the rest, so that the answer reaches a client that is still sending.
    request.raw.unpipe();
    request.raw.resume();
  }
}

// The parser never returns shared memory.
const readFile = async (part: MultipartFile) => new SentFile((await part.toBuffer()) as Buffer<ArrayBuffer>);

/** Cuts off a body that stalls or never ends. */
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
