import type { IncomingMessage, Server } from "node:http";
import { LogController, type FastifyHttpOptions, type FastifyInstance, type FastifyRequest } from "fastify";
import formbody from "@fastify/formbody";
import helmet from "@fastify/helmet";
import type { Deps } from "./deps.ts";
import type { Channels } from "#server/domains/payments/channels.ts";
import { paymentRoutes } from "#server/domains/payments/routes.ts";
import { payPages } from "#server/domains/payments/pay-page.ts";
import { withdrawalRoutes } from "#server/domains/payments/withdrawal-routes.ts";
import { closedPictures } from "#server/domains/listing/closed-pictures.ts";
import { listingRoutes } from "#server/domains/listing/routes.ts";
import type { BetService } from "#server/domains/lottery/place-bet.ts";
import { mountLog } from "#server/domains/lottery/log-files.ts";
import type { LogKey } from "#server/domains/log/log-key.ts";
import { logRoutes } from "#server/domains/lottery/log-routes.ts";
import { lotteryRoutes } from "#server/domains/lottery/routes.ts";
import { memberRoutes, uploadRoutes } from "#server/domains/member/routes.ts";
import { supportPictureRoutes, supportRoutes } from "#server/domains/support/routes.ts";
import { pushRoutes } from "#server/domains/push/routes.ts";
import { sessionRoutes } from "#server/domains/session/routes.ts";
import { firstPicture } from "#server/domains/site/first-picture.ts";
import { siteRoutes } from "#server/domains/site/routes.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { mediaRoutes } from "#server/domains/video/media-routes.ts";
import { videoRoutes } from "#server/domains/video/routes.ts";
import { walletRoutes } from "#server/domains/wallet/routes.ts";
import { wheelRoutes } from "#server/domains/wheel/routes.ts";
import { readBodies } from "#server/http/bodies.ts";
import { listOperations, mountDocs } from "#server/http/docs.ts";
import { handleErrors } from "#server/http/errors.ts";
import { limitCalls, limitFiles, limitProbes } from "#server/http/limits.ts";
import type { Health } from "#server/http/health.ts";
import { mountOperations } from "#server/http/operations.ts";
import { isForAnyName, type SiteNames } from "#server/http/site-names.ts";
import type { RequestIds } from "#server/http/request-ids.ts";
import { traceRequests } from "#server/http/trace.ts";
import { readUploads } from "#server/http/uploads.ts";
import { mountFiles, mountWeb } from "#server/http/web.ts";
import type { IsProxy } from "#server/config/trusted-proxies.ts";
import { frameOrigin } from "#shared/frame-origin.ts";
import { Refusal } from "#shared/refusal.ts";

export interface AppParts {
  bets: BetService;
  /** One instance for the process: its lanes bound how many hashes run at once. */
  passwords: Passwords;
  /** The log that is served. */
  logKey: () => LogKey;
  channels: Channels;
  health: Health;
  names: SiteNames;
  rateLimit: boolean;
  metricsToken?: string | undefined;
  docsToken?: string | undefined;
  /** Serves the client from its sources instead of the built one. */
  webDev?: (app: FastifyInstance) => Promise<void>;
}

const BODY_LIMIT = 65_536;

const isForSockets = ({ url = "" }: IncomingMessage) => url.startsWith("/socket.io/");

/** A logger per request costs more than the request; log.ts knows whose line it is. */
function withoutChildren(log: Deps["log"]): Deps["log"] {
  const own = Object.create(log, { child: { value: () => own } }) as Deps["log"];
  return own;
}

/** What the empty server needs before anything is mounted on it. */
export const serverOptions = (
  log: Deps["log"],
  ids: RequestIds,
  isProxy?: IsProxy,
  isUpgrade = isForSockets,
): FastifyHttpOptions<Server> => ({
  http: {
    // Node would answer with an empty body; app.ts refuses with the envelope.
    requireHostHeader: false,
    // An upgrade anywhere else, such as h2c, is ignored and answered over HTTP/1.1.
    shouldUpgradeCallback: isUpgrade,
  },
  loggerInstance: withoutChildren(log),
  trustProxy: isProxy ?? false,
  genReqId: (request) => ids.of(request),
  bodyLimit: BODY_LIMIT,
  forceCloseConnections: "idle",
  return503OnClosing: false,
  logController: new LogController({ disableRequestLogging: true }),
  routerOptions: { maxParamLength: 128 },
  // Requests that the router cannot parse get the envelope too.
  frameworkErrors: (error, request, reply) => request.server.errorHandler(error, request, reply),
});

/** The whole server, not yet listening. */
export async function buildApp(app: FastifyInstance, deps: Deps, parts: AppParts): Promise<void> {
  readBodies(app);
  handleErrors(app, deps);
  traceRequests(app, deps);
  app.addHook("onRequest", (request, _reply, done) => done(refusalOfHead(request, parts) ?? undefined));
  await app.register(formbody, { bodyLimit: BODY_LIMIT });
  await listOperations(app);
  const { isLocal } = deps;
  const { metricsToken, health } = parts;
  const door = { token: metricsToken, isLocal };
  await mountOperations(app, deps, health, { ...door, limit: parts.rateLimit ? limitProbes : null });
  await app.register((stored) => mountStored(stored, deps, parts));
  await app.register((api) => mountCalls(api, deps, parts), { prefix: "/api" });
  // Vite looks at every address, including those without a route.
  await parts.webDev?.(app);
  await app.register((pages) => mountPages(pages, deps, parts));
}

async function mountCalls(api: FastifyInstance, deps: Deps, parts: AppParts): Promise<void> {
  const { passwords } = parts;
  if (parts.rateLimit) await limitCalls(api, deps);
  siteRoutes(api, deps);
  sessionRoutes(api, deps, passwords);
  memberRoutes(api, deps, passwords);
  pushRoutes(api, deps);
  await api.register(async (files) => {
    await readUploads(files, deps);
    uploadRoutes(files, deps);
    supportPictureRoutes(files, deps);
  });
  supportRoutes(api, deps);
  walletRoutes(api, deps);
  paymentRoutes(api, deps, parts.channels);
  withdrawalRoutes(api, deps, passwords);
  lotteryRoutes(api, deps, parts.bets);
  logRoutes(api, deps, parts.logKey);
  listingRoutes(api, deps);
  wheelRoutes(api, deps);
  videoRoutes(api, deps);
}

/** Why a request is refused by its head alone. */
function refusalOfHead(request: FastifyRequest, { health, names }: AppParts): Refusal | null {
  const { raw, headers, method } = request;
  // Not as it was written: %61pi leads to the same route as api.
  const url = request.routeOptions.url ?? request.url;
  if (headers.host === undefined && raw.httpVersion === "1.1") return new Refusal("request.malformed");
  if (!isForAnyName(url)) {
    health.look(raw);
    const reason = foreignness({ url, method, headers }, names);
    if (reason) return new Refusal(reason);
  }
  if (health.draining && url.startsWith("/api")) return new Refusal("server.away", { retryAfterS: 1 });
  return null;
}

/** A page of another site reads nothing of ours; here it also changes nothing, and no name of its own leads here. */
function foreignness({ url, method, headers }: Pick<FastifyRequest, "url" | "method" | "headers">, names: SiteNames) {
  if (!names.isOwnHost(headers)) return "site.unknown";
  const isChange = method !== "GET" && method !== "HEAD";
  return isChange && url.startsWith("/api/") && !names.isOwnOrigin(headers) ? "site.foreign" : null;
}

/** Stored files: pictures and the public log for everybody, videos behind their gate. */
async function mountStored(app: FastifyInstance, deps: Deps, parts: AppParts): Promise<void> {
  if (parts.rateLimit) await limitFiles(app);
  mountFiles(app, deps, closedPictures(deps));
  mountLog(app, deps, parts.logKey);
  await app.register((media) => mediaRoutes(media, deps), { prefix: "/media/v" });
}

/** What every answer carries already. */
const SET_FOR_ALL = {
  strictTransportSecurity: false,
  crossOriginResourcePolicy: false,
  xContentTypeOptions: false,
  referrerPolicy: false,
} as const;

/** Pages for browsers, with security headers. The API's answers set their own (envelope.ts). */
async function mountPages(pages: FastifyInstance, deps: Deps, parts: AppParts): Promise<void> {
  // Vite's development scripts and styles would violate the policy; the built ones do not.
  if (parts.rateLimit) await limitFiles(pages);
  await pages.register(helmet, {
    ...SET_FOR_ALL,
    contentSecurityPolicy: parts.webDev ? false : { directives: policyOf(deps, parts.channels), useDefaults: false },
  });
  await mountDocs(pages, { token: parts.docsToken, isLocal: deps.isLocal });
  payPages(pages, deps);
  for (const channel of parts.channels.all) channel.mount?.(pages);
  await mountWeb(pages, deps, firstPicture(deps));
}

/**
 * The content security policy. Payment pages stand in a frame, at our own address or the channel's; so does the online
 * service.
 */
const policyOf = ({ publicUrl, settings }: Deps, channels: Channels) => ({
  "default-src": ["'self'"],
  "script-src": ["'self'"],
  // No string becomes code or markup but through these: the sanitizer, and the scripts that the app starts itself.
  "require-trusted-types-for": ["'script'"],
  "trusted-types": ["dompurify", "trio"],
  "img-src": ["'self'", "data:", "blob:"],
  "media-src": ["'self'", "blob:"],
  "worker-src": ["'self'", "blob:"],
  // Evaluated per page: the operator may move the service at any time.
  "frame-src": [
    "'self'",
    new URL(publicUrl).origin,
    ...channels.frameOrigins(),
    () => frameOrigin(settings.get("kefu")) ?? "'self'",
  ],
  "style-src": ["'self'"],
  "connect-src": ["'self'"],
  "frame-ancestors": ["'self'"],
  "form-action": ["'self'"],
  "base-uri": ["'none'"],
  "object-src": ["'none'"],
});
