import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import fastifyStatic from "@fastify/static";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import * as z from "zod/mini";
import { Misused, Refused } from "#server/admin/command.ts";
import { RequestIds } from "#server/http/request-ids.ts";
import { UNATTENDED, type Me } from "#shared/console.ts";
import { Refusal } from "#shared/refusal.ts";
import { logFault, logRequests } from "./log-requests.ts";
import { give, offered, type Console, type Giver } from "./give.ts";
import { addPasskey, askNewPasskey, askPasskey, RP_ID, signIn, type Place } from "./passkeys.ts";
import type { Sessions } from "./sessions.ts";

export const COOKIE = "trio_console";
/** Where `npm run build` puts the page. */
export const PAGE = join(import.meta.dirname, "../../../console/dist");

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
};

const Words = z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(100_000)));
const Text = z.string().check(z.maxLength(100_000));
const Body = {
  token: z.strictObject({ token: Text }),
  passkey: z.strictObject({ passkey: Text }),
  register: z.strictObject({ token: Text, passkey: Text }),
  give: z.strictObject({
    name: Text,
    args: Words,
    options: Words,
    secret: z.optional(Text),
    proof: z.optional(Text),
  }),
};

const Query = z.object({ name: Text, beside: z.optional(Text) });
const Params = z.object({ id: Text });

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;
const on = (app: FastifyInstance, method: "GET" | "POST", url: string, handler: Handler) =>
  app.route({ method, url, handler });

const originOf = ({ socket }: FastifyRequest) => `http://${RP_ID}:${socket.localPort}`;
const placeOf = (request: FastifyRequest): Place => ({ origin: originOf(request), address: request.ip });

const closed = (statusCode: number, why: string) => Object.assign(new Refused(why), { statusCode });

/** The console's own web app. Only its own page may ask it anything. */
export function consoleApp(here: Console, sessions: Sessions, log: Logger): FastifyInstance {
  const ids = new RequestIds(here.operator.random);
  const app = fastify({ bodyLimit: 1_048_576, logger: false, genReqId: (request) => ids.of(request) });
  logRequests(app, log);
  app.addContentTypeParser("application/octet-stream", (_request, body, done) => done(null, body));
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(HEADERS);
    if (request.routeOptions.url?.startsWith("/api/")) reply.header("cache-control", "no-store");
    const origin = originOf(request);
    if (`http://${request.headers.host}` !== origin) throw closed(421, `open the console at ${origin}`);
    const isForeign = request.headers.origin !== undefined && request.headers.origin !== origin;
    const isWrite = request.method !== "GET" && request.method !== "HEAD";
    if (isForeign || (isWrite && request.headers.origin === undefined))
      throw closed(403, "only the console's own page may ask this");
  });
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    const isExpected = error instanceof Refused || error instanceof Misused || error instanceof Refusal;
    const code = error.statusCode ?? (isExpected ? 400 : 500);
    if (code >= 500) logFault(log, request, error);
    return reply.code(code).send({ error: here.serving.reasonOf(error) });
  });
  signInRoutes(app, here, sessions);
  commandRoutes(app, here, sessions);
  if (existsSync(PAGE)) void app.register(fastifyStatic, { root: PAGE, index: ["index.html"], cacheControl: false });
  return app;
}

function read<T extends z.ZodMiniType>(schema: T, { body }: FastifyRequest): z.output<T> {
  const result = z.safeParse(schema, body);
  if (!result.success) throw new Misused("the request has another form");
  return result.data;
}

/** The session's token in the request's cookie. */
const tokenOf = ({ headers }: FastifyRequest): string =>
  new RegExp(`(?:^|; )${COOKIE}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? "")?.[1] ?? "";

const setCookie = (reply: FastifyReply, token: string, more = "") =>
  reply.header("set-cookie", `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict${more}`);

function signInRoutes(app: FastifyInstance, here: Console, sessions: Sessions): void {
  on(app, "POST", "/api/sign-in-options", () => askPasskey(here, "sign in"));

  on(app, "POST", "/api/sign-in", async (request, reply) => {
    const { passkey } = read(Body.passkey, request);
    setCookie(reply, sessions.begin(await signIn(here, passkey, placeOf(request))));
    return {};
  });

  on(app, "POST", "/api/register-options", (request) => askNewPasskey(here, read(Body.token, request).token));

  on(app, "POST", "/api/register", async (request, reply) => {
    const { token, passkey } = read(Body.register, request);
    setCookie(reply, sessions.begin(await addPasskey(here, { token, json: passkey }, placeOf(request))));
    return {};
  });

  on(app, "POST", "/api/sign-out", async (request, reply) => {
    await sessions.end(tokenOf(request));
    setCookie(reply, "", "; Max-Age=0");
    return {};
  });
}

function commandRoutes(app: FastifyInstance, here: Console, sessions: Sessions): void {
  const opened = async (request: FastifyRequest) => {
    const isAttended = request.headers[UNATTENDED] === undefined;
    const found = await sessions.find(tokenOf(request), isAttended);
    if (!found) throw closed(401, "sign in first");
    const { session, person } = found;
    const giver: Giver = { person, hash: session.hash, place: placeOf(request) };
    const during = <T>(work: () => Promise<T>) => (isAttended ? sessions.during(session, work) : work());
    return { giver, during };
  };

  on(app, "GET", "/api/me", async (request) => {
    const { person } = (await opened(request)).giver;
    const { name, roles } = person;
    return { name, roles, ...(await offered(here, person)) } satisfies Me;
  });

  on(app, "POST", "/api/give", async (request) => {
    const { giver, during } = await opened(request);
    return during(() => give(here, giver, read(Body.give, request)));
  });

  on(app, "POST", "/api/files", async (request) => {
    const { giver, during } = await opened(request);
    const { name, beside } = z.parse(Query, request.query);
    return during(() => here.files.store(giver.hash, { name, beside, body: request.body as Readable }));
  });

  on(app, "GET", "/api/files/:id", async (request, reply) => {
    const { hash } = (await opened(request)).giver;
    const { name, body } = here.files.read(hash, z.parse(Params, request.params).id);
    const isPicture = name.endsWith(".webp");
    reply.type(isPicture ? "image/webp" : "application/octet-stream");
    if (!isPicture) reply.header("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
    return reply.send(body);
  });
}
