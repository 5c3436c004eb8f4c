import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { fileInLanguage } from "#shared/log/served-files.ts";
import { readerOf } from "#shared/accept-language.ts";
import { tagOf } from "#shared/locales.ts";
import { codingFor } from "./compress.ts";

interface Ready {
  etag: string;
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
}

type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * A file that the build made in each language. It is read once for each, and sent in the reader's, to be revalidated each
 * time. Each language has a tag of its own: a cache that asks with one language's tag is not told that another has not
 * changed. An answer that is an error is sent whole.
 */
export function languageFile(folder: string, name: string, type: string): Send {
  const ready = new Map<string, Ready>();

  function read(path: string): Ready {
    const at = join(folder, path);
    const plain = readFileSync(at);
    const etag = `W/"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
    return { etag, plain, br: readFileSync(`${at}.br`), gzip: readFileSync(`${at}.gz`) };
  }

  function find(tag: string): Ready {
    const own = fileInLanguage(name, tag);
    // A language that came after the build.
    const path = existsSync(join(folder, own)) ? own : name;
    const file = ready.get(path) ?? read(path);
    ready.set(path, file);
    return file;
  }

  return (request, reply) => {
    const file = find(tagOf(readerOf(request.headers["accept-language"])));
    reply.header("vary", "accept, accept-encoding, accept-language").header("cache-control", "no-cache").type(type);
    if (reply.statusCode === 200) {
      reply.header("etag", file.etag);
      if (isKnown(request.headers["if-none-match"], file.etag)) return reply.code(304).send();
    }
    const coding = codingFor(request.headers["accept-encoding"]);
    if (coding) reply.header("content-encoding", coding);
    return reply.send(file[coding ?? "plain"]);
  };
}

/** Compares weakly: what was compressed in another way is the same (RFC 9110, 13.1.2). */
const isKnown = (known: string | undefined, etag: string): boolean =>
  known !== undefined && known.split(",").some((one) => ["*", etag.slice(2)].includes(one.trim().replace(/^W\//, "")));
