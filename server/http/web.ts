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

/** The web app, everywhere but under the server's own addresses. Names with a hash in them never change. */
export async function mountWeb(app: FastifyInstance, deps: Pick<Deps, "text">): Promise<void> {
  if (existsSync(BUILT)) {
    // The build lays a compressed copy beside each text file.
    const built = { preCompressed: true, cacheControl: false };
    await app.register(fastifyStatic, {
      ...built,
      root: BUILT,
      // A route for each file, so that every other address is a page; those with a hash have one for them all.
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
    // The app says itself, in its visitor's language, that there is nothing here; never as "not modified".
    return reply.code(404).sendFile("index.html", { etag: false, lastModified: false, acceptRanges: false });
  });
}

const TYPES: Record<string, string> = { webp: "image/webp", avif: "image/avif" };

/** Pictures that anyone may see, under names that never mean another picture. Nothing else of the storage is here. */
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
