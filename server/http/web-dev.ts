import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import middie from "@fastify/middie";
import { REQUEST_ID } from "#shared/contract/envelope.ts";
import { isServers } from "./page-asked.ts";

const CLIENT = join(import.meta.dirname, "../../client");

/** The client from its sources, reloaded by Vite as they change. */
export async function mountWebFromSources(app: FastifyInstance): Promise<void> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    root: CLIENT,
    server: { middlewareMode: true, hmr: { server: app.server } },
    appType: "spa",
  });
  await app.register(middie);
  app.use((request, reply, next) => {
    // Vite answers every request, so it must not see the server's own addresses.
    if (isOwn(request.url ?? "")) return next();
    // Vite writes past the hooks of the server.
    reply.setHeader(REQUEST_ID, request.id);
    vite.middlewares(request, reply, next);
  });
  // Vite closes first: the server waits for its pages' connections.
  app.addHook("preClose", () => vite.close());
}

/** The client's own folder `api` holds sources, not calls. */
const isOwn = (url: string) => isServers(url.split("?")[0]!) && !/^\/api\/[\w-]+\.ts(\?|$)/.test(url);
