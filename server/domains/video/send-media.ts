import { createHash } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Part } from "#server/storage/storage.ts";

/** A file to send: read as fast as the client takes it, and only the requested range. */
export interface Media {
  type: string;
  size: number;
  /** Quoted; it differs for other bytes. */
  etag: string;
  /** Each piece is valid until the next one is requested. */
  pieces(part?: Part): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Browsers revalidate after this, so that a logout also ends cached access. */
const AGE_S = 5;
/**
 * A client that takes nothing for this long, or up to twice as long, is disconnected: its open file must not stay open
 * for ever.
 */
const TIMEOUT_MS = 60_000;

export function mediaOf(type: string, content: string): Media {
  const bytes = Buffer.from(content);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  const pieces = (part?: Part) => [part ? bytes.subarray(part.start, part.end + 1) : bytes];
  return { type, size: bytes.length, etag, pieces };
}

/** Headers of a file that then could not be read. */
const OF_FILES = ["accept-ranges", "etag", "content-range", "content-type"];

/** An empty refusal. */
export function refuseMedia(reply: FastifyReply, status: 403 | 404 | 500 | 503): FastifyReply {
  for (const name of OF_FILES) reply.removeHeader(name).raw.removeHeader(name);
  return reply.code(status).header("cache-control", "no-store").header("content-length", 0).send();
}

/** Answers GET and HEAD, all or a part of it (RFC 9110, 13 and 14). */
export async function sendMedia(
  request: FastifyRequest,
  reply: FastifyReply,
  media: Media,
  timeoutMs = TIMEOUT_MS,
): Promise<FastifyReply> {
  const { type, size, etag } = media;
  void reply
    .header("etag", etag)
    .header("cache-control", `private, max-age=${AGE_S}`)
    .header("accept-ranges", "bytes")
    .header("x-content-type-options", "nosniff")
    .header("cross-origin-resource-policy", "same-origin");
  if (isKnown(request.headers["if-none-match"], etag)) return reply.code(304).send();
  const condition = request.headers["if-range"];
  const part = condition === undefined || condition === etag ? partOf(request.headers.range, size) : null;
  if (part === "beyond") {
    return reply.code(416).header("content-range", `bytes */${size}`).header("content-length", 0).send();
  }
  void reply.header("content-type", type).header("content-length", part ? part.end - part.start + 1 : size);
  if (part) void reply.code(206).header("content-range", `bytes ${part.start}-${part.end}/${size}`);
  if (request.method === "HEAD") return reply.send();
  // The socket's timeout restarts with every byte sent. Node resets it before the next request.
  reply.raw.setTimeout(timeoutMs, () => reply.raw.destroy());
  return sendPieces(reply, media.pieces(part ?? undefined));
}

/**
 * Sends the pieces one by one, each after the last one is flushed (back-pressure). Not `stream.pipeline`: a piece is a
 * view of one shared buffer, which may be reused only once it is flushed, and a failure before the first byte must
 * still become a status. Throws only what can still be answered.
 */
async function sendPieces(reply: FastifyReply, pieces: ReturnType<Media["pieces"]>): Promise<FastifyReply> {
  const { raw } = reply;
  const { socket } = reply.request.raw;
  let leave: () => void = () => {};
  const onClose = () => leave();
  socket.once("close", onClose);
  // Resolves once the piece is flushed. When the client has gone, the write's callback may never come, so the socket's
  // close counts too.
  const write = (piece: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      leave = () => reject(new Error("the reader has gone"));
      if (socket.destroyed) leave();
      else raw.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  try {
    for await (const piece of pieces) {
      if (!raw.headersSent) begin(reply);
      await write(piece);
    }
    if (!raw.headersSent) begin(reply);
    raw.end();
  } catch (error) {
    if (!raw.headersSent) throw error;
    // Breaking off tells the client that the file is not whole. A client that left is not worth a log line.
    if (!socket.destroyed) reply.log.error({ err: error }, "a video could not be sent whole");
    raw.destroy();
  } finally {
    socket.off("close", onClose);
  }
  return reply;
}

function begin(reply: FastifyReply): void {
  const headers = reply.getHeaders() as OutgoingHttpHeaders;
  reply.hijack().raw.writeHead(reply.statusCode, headers);
}

const isKnown = (header: string | undefined, etag: string) =>
  header !== undefined && header.split(",").some((known) => ["*", etag, `W/${etag}`].includes(known.trim()));

/**
 * Parses a Range header for a file of `size` bytes (RFC 9110, 14). Null means the whole file: no header, another unit,
 * several ranges, or a malformed one. `beyond` means that the range lies outside the file.
 */
export function partOf(header: string | undefined, size: number): Part | "beyond" | null {
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return null;
  if (first === "") return suffix(Number(last), size);
  const [start, end] = [Number(first), last === "" ? Infinity : Number(last)];
  if (end < start) return null;
  return start < size ? { start, end: Math.min(end, size - 1) } : "beyond";
}

const suffix = (length: number, size: number): Part | "beyond" =>
  length === 0 || size === 0 ? "beyond" : { start: Math.max(0, size - length), end: size - 1 };
