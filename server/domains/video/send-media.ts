import { createHash } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Part } from "#server/storage/storage.ts";

/** What is sent: read as fast as its reader takes it, and only the part that is asked for. */
export interface Media {
  type: string;
  size: number;
  /** In quotes; another for other bytes. */
  etag: string;
  /** Each is good until the next is asked for. */
  pieces(part?: Part): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A browser asks again after this: whoever is logged out finds nothing at home either. */
const AGE_S = 5;
/** A reader who takes nothing for so long, or up to twice that, is hung up on: what is read for them stays open. */
const TIMEOUT_MS = 60_000;

export function mediaOf(type: string, content: string): Media {
  const bytes = Buffer.from(content);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
  const pieces = (part?: Part) => [part ? bytes.subarray(part.start, part.end + 1) : bytes];
  return { type, size: bytes.length, etag, pieces };
}

/** What was said of a file that then could not be read. */
const OF_FILES = ["etag", "content-range", "content-type"];

/** No, and nothing else. */
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
  // The line counts what goes out, however little. It is Node that takes this back before the next request.
  reply.raw.setTimeout(timeoutMs, () => request.raw.socket.destroy());
  return sendPieces(reply, media.pieces(part ?? undefined));
}

/** Sends one piece after the other, each once the last has gone. Throws only what can still be answered. */
async function sendPieces(reply: FastifyReply, pieces: ReturnType<Media["pieces"]>): Promise<FastifyReply> {
  const { raw } = reply;
  const { socket } = reply.request.raw;
  let leave: () => void = () => {};
  const onClose = () => leave();
  socket.once("close", onClose);
  // Resolves once nobody needs the piece any more. Of one who has left, the response itself may never hear.
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
    // Its reader learns that it is not whole; one who left did not want to know.
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
 * What a Range header asks for of so many bytes (RFC 9110, 14). Null for all of it: no header, another unit, several
 * ranges or what is none. `beyond` when nothing of it is there.
 */
export function partOf(header: string | undefined, size: number): Part | "beyond" | null {
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return null;
  if (first === "") return suffix(Number(last), size);
  const [start, end] = [Number(first), last === "" ? size - 1 : Number(last)];
  if (last !== "" && end < start) return null;
  return start < size ? { start, end: Math.min(end, size - 1) } : "beyond";
}

const suffix = (length: number, size: number): Part | "beyond" =>
  length === 0 || size === 0 ? "beyond" : { start: Math.max(0, size - length), end: size - 1 };
