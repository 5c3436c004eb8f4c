import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import fastifyStatic from "@fastify/static";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { isScreen } from "#shared/screens.ts";
import { sendRefusal } from "./envelope.ts";
import { isPageAsked } from "./page-asked.ts";

const BUILT = join(import.meta.dirname, "../../dist");
const ONE_YEAR_S = 31_536_000;

/**
 * Serves the web app everywhere but under the server's own addresses. Names with a hash never change, so they are
 * immutable.
 */
export async function mountWeb(app: FastifyInstance, deps: Pick<Deps, "text">): Promise<void> {
  if (existsSync(BUILT)) {
    // The build puts a compressed copy beside each text file.
    const built = { preCompressed: true, cacheControl: false };
    await app.register(fastifyStatic, {
      ...built,
      root: BUILT,
      // A route per file, so that every other address is a page; hashed assets share one.
      wildcard: false,
      globIgnore: ["assets/**"],
      setHeaders: (reply) => void reply.header("cache-control", "no-cache"),
    });
    await app.register(fastifyStatic, {
      ...built,
      root: join(BUILT, "assets"),
      prefix: "/assets/",
      decorateReply: false,
      setHeaders: (reply) => void reply.header("cache-control", `public, max-age=${ONE_YEAR_S}, immutable`),
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const { method, headers } = request;
    const path = request.url.split("?")[0]!;
    reply.header("vary", "accept");
    if (!existsSync(BUILT) || !isPageAsked({ method, path, headers }))
      return sendRefusal(deps, request, reply, new Refusal("path.unknown"));
    if (isScreen(path)) return reply.sendFile("index.html");
    // The app shows its own "not found" in the visitor's language; never answered with 304.
    return reply.code(404).sendFile("index.html", { etag: false, lastModified: false, acceptRanges: false });
  });
}

const TYPES: Record<string, string> = { webp: "image/webp", avif: "image/avif" };

/** Serves public pictures, whose names never get other bytes. Nothing else of the storage is served here. */
export function mountFiles(app: FastifyInstance, deps: Pick<Deps, "storage" | "text">): void {
  app.get<{ Params: { folder: string; "*": string } }>("/files/:folder/*", async (request, reply) => {
    const { folder, "*": rest } = request.params;
    const type = TYPES[rest.split(".").at(-1)!];
    const file = type && ["uploads", "pictures"].includes(folder) && (await deps.storage.find(`${folder}/${rest}`));
    if (!file) return sendRefusal(deps, request, reply, new Refusal("path.unknown"));
    return reply
      .header("content-type", type)
      .header("content-length", file.size)
      .header("x-content-type-options", "nosniff")
      .header("cache-control", `public, max-age=${ONE_YEAR_S}, immutable`)
      .send(file.read());
  });
}
