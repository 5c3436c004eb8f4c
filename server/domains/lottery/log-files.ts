import type { FastifyInstance, FastifyReply } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { failuresOf } from "#server/http/answers.ts";
import { sendRefusal } from "#server/http/envelope.ts";
import type { Told } from "#server/http/operation.ts";
import { headers } from "#server/http/told-headers.ts";
import { keyText } from "#shared/log/note.ts";
import { bundleOf, parseTilePath, WIDTH } from "#shared/log/tiles.ts";
import { Refusal } from "#shared/refusal.ts";
import type { LogKey } from "#server/domains/log/log-key.ts";
import { readBundle } from "#server/domains/log/read-bundle.ts";
import { newestNote } from "#server/domains/log/read-cosigned.ts";
import { toldAndKey } from "#server/domains/log/read-keys.ts";
import { newestTold } from "#server/domains/log/read-log.ts";
import { builtApp } from "#server/domains/log/served-app.ts";
import { readTile } from "#server/domains/log/stored-tree.ts";

const ONE_YEAR_S = 31_536_000;
const TEXT = "text/plain; charset=utf-8";
const BYTES = "application/octet-stream";

const file = (operationId: string, summary: string, description: string, type: string): Told => ({
  operation: {
    operationId,
    summary,
    description,
    tags: ["log"],
    security: [],
    responses: {
      ...failuresOf({ own: ["path.unknown"] }),
      200: {
        description: "The file.",
        headers: headers(["access-control-allow-origin"]),
        content: { [type]: { schema: { type: "string", contentMediaType: type } } },
      },
    },
  },
});

const CHECKPOINT = () =>
  file("logCheckpoint", "The newest head of the public log", "A signed note (docs/log.md).", "text/plain");
const KEY = () =>
  file("logKey", "The key that signed the newest head", "As one line, which others' tools call a vkey.", "text/plain");
const APP = () =>
  file("logApp", "What is served as the app", "One line a file, with its SHA-256 (docs/log.md).", "text/plain");
function tile(): Told {
  const summary = "A tile of the public log, or a bundle of its leaves";
  const told = file("logTile", summary, "Named as C2SP's tlog-tiles does it. Its bytes never change.", BYTES);
  const schema = { type: "string", minLength: 1 };
  const name = { name: "name", in: "path", required: true, description: "It may hold slashes.", schema };
  const description =
    "Any name of the log: caches keep a tile for ever, and after a restore another log has tiles of the same names.";
  const log = { name: "log", in: "query", required: false, description, schema: { type: "string" } };
  return { operation: { ...told.operation, parameters: [name, log] } };
}

/** The log as files, for others' tools. */
export function mountLog(app: FastifyInstance, deps: Deps, current: () => LogKey): void {
  const { read } = deps.db;
  const send = (reply: FastifyReply, type: string, caching: string, body: string | Buffer) =>
    reply
      .header("content-type", type)
      .header("cache-control", caching)
      .header("access-control-allow-origin", "*")
      .header("x-content-type-options", "nosniff")
      .send(body);

  app.get("/log/checkpoint", { config: { told: CHECKPOINT } }, async (request, reply) => {
    const note = await newestNote(read);
    if (note === null) return sendRefusal(deps, request, reply, new Refusal("path.unknown"));
    return send(reply, TEXT, "no-cache", note);
  });
  app.get("/log/key", { config: { told: KEY } }, async (_request, reply) =>
    send(reply, TEXT, "no-cache", `${keyText((await toldAndKey(read)).key)}\n`),
  );
  app.get("/log/app", { config: { told: APP } }, async (request, reply) => {
    const known = await builtApp();
    if (!known) return sendRefusal(deps, request, reply, new Refusal("path.unknown"));
    return send(reply, TEXT, "no-cache", known.text);
  });
  app.get<{ Params: { "*": string } }>("/log/tile/*", { config: { told: tile } }, async (request, reply) => {
    const tile = parseTilePath(`tile/${request.params["*"]}`);
    const content = tile && (await contentOf(tile));
    if (!content) return sendRefusal(deps, request, reply, new Refusal("path.unknown"));
    return send(reply, BYTES, `public, max-age=${ONE_YEAR_S}, immutable`, content);
  });

  /** What was announced of the log; null beyond it. */
  async function contentOf({ level, index, width }: NonNullable<ReturnType<typeof parseTilePath>>) {
    const leaves = (index * WIDTH + width) * (level === "entries" ? 1 : WIDTH ** level);
    if (leaves > ((await newestTold(read))?.size ?? 0)) return null;
    if (level !== "entries") return readTile(read, current().log, { level, index, width });
    const entries = await readBundle(read, current().log, index, width);
    return entries && Buffer.from(bundleOf(entries));
  }
}
