import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { sendRefusal } from "./envelope.ts";

const ONE_YEAR_S = 31_536_000;
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
