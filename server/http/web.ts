import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply } from "fastify";
import fastifyStatic from "@fastify/static";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { BUILT } from "#server/domains/log/served-app.ts";
import { START_PAGE } from "#shared/log/served-files.ts";
import { isScreen } from "#shared/screens.ts";
import { failuresOf } from "./answers.ts";
import { sendRefusal } from "./envelope.ts";
import type { Told } from "./operation.ts";
import { languageFile } from "./language-files.ts";
import { isPageAsked } from "./page-asked.ts";

const MANIFEST = "manifest.webmanifest";
/** Where the app shows Home. */
const HOME = new Set(["/", "/Home"]);
const ONE_HOUR_S = 3_600;
const ONE_YEAR_S = 31_536_000;

/**
 * Serves the web app everywhere but under the server's own addresses. The page and its manifest are in the language that
 * a browser asks for. Home's page names its first picture.
 */
export async function mountWeb(
  app: FastifyInstance,
  deps: Pick<Deps, "text">,
  firstPicture: () => string | undefined,
): Promise<void> {
  if (existsSync(BUILT)) await mountBuilt(app);
  const sendPage = languageFile(BUILT, START_PAGE, "text/html; charset=utf-8");
  const preHandler = app.hasDecorator("rateLimit") ? [app.rateLimit()] : [];
  app.setNotFoundHandler({ preHandler }, (request, reply) => {
    const { method, headers } = request;
    const path = request.url.split("?")[0]!;
    reply.header("vary", "accept");
    if (!existsSync(BUILT) || !isPageAsked({ method, path, headers }))
      return sendRefusal(deps, request, reply, new Refusal("path.unknown"));
    if (HOME.has(path)) askBeside(reply, firstPicture());
    // The app shows its own "not found" in the visitor's language.
    return sendPage(request, isScreen(path) ? reply : reply.code(404));
  });
}

/** The files of the built app. Names with a hash never change, so they are immutable. */
async function mountBuilt(app: FastifyInstance): Promise<void> {
  const offline = join(BUILT, "check.html");
  const offlinePolicy = () => policyIn(readFileSync(offline, "utf8"));
  // The build puts a compressed copy beside each text file.
  const built = { preCompressed: true, cacheControl: false };
  await app.register(fastifyStatic, {
    ...built,
    root: BUILT,
    // A route per file, so that every other address is a page; hashed assets share one.
    wildcard: false,
    index: false,
    globIgnore: ["assets/**", `${MANIFEST}*`],
    setHeaders: (reply, path) => {
      reply.header("cache-control", "no-cache");
      if (/\/check\.html(\.\w+)?$/.test(path)) reply.header("content-security-policy", offlinePolicy());
    },
  });
  await app.register(fastifyStatic, {
    ...built,
    root: join(BUILT, "assets"),
    prefix: "/assets/",
    decorateReply: false,
    setHeaders: (reply) => void reply.header("cache-control", `public, max-age=${ONE_YEAR_S}, immutable`),
  });
  app.get(`/${MANIFEST}`, languageFile(BUILT, MANIFEST, "application/manifest+json"));
}

/** Has the browser ask for a picture beside the page's scripts, and not after them. */
function askBeside(reply: FastifyReply, picture: string | undefined): void {
  if (picture) reply.header("link", `<${encodeURI(picture)}>; rel=preload; as=image; fetchpriority=high`);
}

/** The page that checks offline brings its own policy along, which holds where it was saved, too. No frame shows it. */
const policyIn = (page: string) => `${/Policy" content="([^"]*)"/.exec(page)![1]}; frame-ancestors 'none'`;

const TYPES: Record<string, string> = { webp: "image/webp", avif: "image/avif" };

const FILES = ["uploads", "pictures"];
const text = { type: "string" };

const PICTURE: Told = {
  operation: {
    operationId: "picture",
    summary: "A picture",
    description: "Its bytes never change. A name may hold slashes.",
    tags: ["file"],
    security: [],
    parameters: [
      { name: "folder", in: "path", required: true, schema: { ...text, enum: FILES } },
      { name: "name", in: "path", required: true, schema: { ...text, minLength: 1 } },
    ],
    responses: {
      ...failuresOf({ own: ["path.unknown"] }),
      200: {
        description: "The picture.",
        content: Object.fromEntries(
          Object.values(TYPES).map((type) => [type, { schema: { ...text, contentMediaType: type } }]),
        ),
      },
    },
  },
};

/**
 * Serves public pictures, for an hour in caches: so long one may still be seen that was taken back. Nothing else of the
 * storage is served here.
 */
export function mountFiles(
  app: FastifyInstance,
  deps: Pick<Deps, "storage" | "text">,
  isClosed: (file: string) => Promise<boolean>,
): void {
  app.get<{ Params: { folder: string; "*": string } }>(
    "/files/:folder/*",
    { config: { told: () => PICTURE } },
    async (request, reply) => {
      const { folder, "*": rest } = request.params;
      const type = TYPES[rest.split(".").at(-1)!];
      const file = type && FILES.includes(folder) && (await deps.storage.find(`${folder}/${rest}`));
      if (!file || (await isClosed(`/files/${folder}/${rest}`)))
        return sendRefusal(deps, request, reply, new Refusal("path.unknown"));
      return reply
        .header("content-type", type)
        .header("content-length", file.size)
        .header("cache-control", `public, max-age=${ONE_HOUR_S}`)
        .send(file.read());
    },
  );
}
