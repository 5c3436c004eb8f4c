import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import middie from "@fastify/middie";
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
    // Vite answers whatever it is asked, so it is not asked for what is the server's own.
    if (isOwn(request.url ?? "")) return next();
    vite.middlewares(request, reply, next);
  });
  // Before the server, which waits for the lines of open pages.
  app.addHook("preClose", () => vite.close());
}

/** The client has a folder `api` of its own, whose sources are no calls. */
const isOwn = (url: string) => isServers(url.split("?")[0]!) && !/^\/api\/[\w-]+\.ts(\?|$)/.test(url);
