import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { partOf, type Part } from "./byte-ranges.ts";

/** What is sent: read as fast as its reader takes it, and only the part that is asked for. */
export interface Media {
  type: string;
  size: number;
  /** In quotes; another for other bytes. */
  etag: string;
  read(part?: Part): NodeJS.ReadableStream;
}

/** A browser asks again after this: whoever is logged out finds nothing at home either. */
const AGE_S = 5;

export function mediaOf(type: string, content: string): Media {
  const bytes = Buffer.from(content);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
  const read = (part?: Part) => Readable.from([part ? bytes.subarray(part.start, part.end + 1) : bytes]);
  return { type, size: bytes.length, etag, read };
}

/** No, and nothing else. */
export function refuseMedia(reply: FastifyReply, status: 403 | 404 | 500): FastifyReply {
  return reply.code(status).header("cache-control", "no-store").header("content-length", 0).send();
}

/** Answers GET and HEAD, all or a part of it (RFC 9110, 13 and 14). */
export function sendMedia(request: FastifyRequest, reply: FastifyReply, media: Media): FastifyReply {
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
  return request.method === "HEAD" ? reply.send() : reply.send(media.read(part ?? undefined));
}

const isKnown = (header: string | undefined, etag: string) =>
  header !== undefined && header.split(",").some((known) => ["*", etag, `W/${etag}`].includes(known.trim()));
