import { chmodSync } from "node:fs";
import { randomBytes, randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import mitt, { type Emitter } from "mitt";
import type { Logger } from "pino";
import { connect } from "#db/connect.ts";
import { isPostgres } from "#db/dialect.ts";
import type { Db } from "#db/db.ts";
import { makeFolder } from "#db/durable.ts";
import { migrateDatabase } from "#db/migrate.ts";
import type { BeaconCheck } from "#shared/lottery/beacon.ts";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import type { ClockSource } from "#shared/time.ts";
import { Background } from "./background.ts";
import { buildApp, serverOptions, type AppParts } from "./app.ts";
import { cleanHtml } from "./clean-html.ts";
import type { Config } from "#server/config/config.ts";
import type { Deps, DomainEvents } from "./deps.ts";
import { apart, concerns, currentRequest } from "./log.ts";
import { SecurityLog } from "./security-log.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { RelayedBeacons } from "#server/domains/lottery/beacons.ts";
import { BetQueue } from "#server/domains/lottery/bet-queue.ts";
import { PublicLog } from "#server/domains/log/public-log.ts";
import { BetService } from "#server/domains/lottery/place-bet.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { Channels } from "#server/domains/payments/channels.ts";
import { Sessions } from "#server/domains/session/identify.ts";
import { refuseUnproven } from "#server/domains/session/proof.ts";
import { Posters } from "#server/domains/video/posters.ts";
import { refuseBroken } from "#server/http/broken-requests.ts";
import { connectionLimits, limitConnections, type ConnectionLimits } from "#server/http/crowds.ts";
import { siteNamesOf } from "#server/http/site-names.ts";
import { UntrustedProxies } from "#server/http/untrusted-proxy.ts";
import { limitBodies } from "#server/http/slow-bodies.ts";
import { Connections } from "#server/http/connections.ts";
import type { Health } from "#server/http/health.ts";
import { RequestIds } from "#server/http/request-ids.ts";
import { Housekeeping } from "#server/jobs/housekeeping.ts";
import { MembershipClock } from "#server/jobs/membership-clock.ts";
import { PaymentClock } from "#server/jobs/payment-clock.ts";
import { RoundClock } from "#server/jobs/round-clock.ts";
import { adoptMasterKey } from "#server/config/master-key.ts";
import { announcer, OutboxRelay } from "./outbox.ts";
import { untilFree } from "./patience.ts";
import { Closings } from "#server/realtime/closings.ts";
import { Bridge } from "#server/realtime/bridge.ts";
import { openHub } from "#server/realtime/hub.ts";
import { SOCKET_LIMITS, type SocketLimits } from "#server/realtime/socket-limits.ts";
import type { RunningHub } from "#server/realtime/socket.ts";
import { Results } from "#server/realtime/results.ts";
import { encodePicture } from "#server/pictures/encode.ts";
import { Settings } from "./settings.ts";
import { storageOf } from "#server/storage/open.ts";
import { loadTexts } from "./texts.ts";
import { relyingPartiesOf } from "#server/config/relying-parties.ts";
import { isProxyOf, type IsProxy } from "#server/config/trusted-proxies.ts";

export interface Outside {
  clock: ClockSource;
  log: Logger;
  random?: (bytes: number) => Uint8Array;
  /** The beacon chains that rounds may follow. Every server has drand's; tests have one with a key of their own. */
  beacons?: BeaconCheck;
  onFatal?: (error: Error) => void;
  /** How long a body may take to arrive. Tests have less patience. */
  bodyMs?: number;
  /** How many connections there may be. Without it, what the machine bears. */
  connections?: ConnectionLimits;
  sockets?: SocketLimits;
}

/** A whole server on its database, not yet listening and with no loop running. */
export interface Site {
  app: FastifyInstance;
  deps: Deps;
  hub: RunningHub;
  rounds: RoundClock;
  housekeeping: Housekeeping;
  payments: PaymentClock;
  memberships: MembershipClock;
  publicLog: PublicLog;
  relay: OutboxRelay;
  health: Health;
  connections: Connections;
  close(): Promise<void>;
}

export async function openSite(config: Config, outside: Outside, webDev?: AppParts["webDev"]): Promise<Site> {
  const bus = mitt<DomainEvents>();
  const start = { isOver: false };
  const { db, pump: relay } = await openDatabase(config, outside, bus, start);
  const isProxy = isProxyOf(config.trustedProxies);
  const ids = new RequestIds(outside.random ?? randomBytes, isProxy);
  const app = Fastify(serverOptions(outside.log, ids, isProxy, webDev && (() => true)));
  const { deps, channels, sessions, settings, epoch, publicLog } = await gatherDeps(config, outside, db, bus, app);
  const names = siteNamesOf(config);
  const book = betBookOf(db);
  const hub = openHub(app.server, deps, epoch, { ids, isProxy, names, limits: socketLimits(config, outside) });
  const connections = new Connections(app.server);
  limitBodies(app.server, outside.bodyMs);
  if (config.rateLimit) limitConnections(app.server, isProxy, outside.connections ?? connectionLimits());
  refuseBroken(app.server, deps, connections, ids);
  const rounds = new RoundClock(deps, new Seeds(deps.keys), book);
  const health = healthOf(hub, rounds, watchProxies(config, isProxy, outside.log));
  const { rateLimit, metricsToken, docsToken } = config;
  const bets = new BetService(deps, new BetQueue(book, publicLog.receipts));
  const parts = { bets, logKey: () => publicLog.key, channels, health, names, rateLimit, metricsToken, docsToken };
  await buildApp(app, deps, { ...parts, ...(webDev && { webDev }) });
  const housekeeping = new Housekeeping(deps, sessions);
  const payments = new PaymentClock(deps, channels);
  const memberships = new MembershipClock(deps);
  pushTo(hub, deps, { settings, publicLog });
  // Open sockets would keep the server from closing, so they close first.
  app.addHook("preClose", async () => hub.io.disconnectSockets(true));
  await app.ready();
  await relay.start();
  start.isOver = true;
  const close = async () => {
    await relay.stop();
    // In parallel: each closes connections that the other waits for, members' and Vite's.
    await Promise.all([hub.io.close(), app.close()]);
    await rounds.settle().catch(() => {});
    await publicLog.settle();
    await sessions.flush();
    await deps.background.finished();
    await db.close();
  };
  return { app, deps, hub, rounds, housekeeping, payments, memberships, publicLog, relay, health, connections, close };
}

const socketLimits = ({ rateLimit }: Config, { sockets = SOCKET_LIMITS }: Outside) => (rateLimit ? sockets : null);

function watchProxies({ isLocal }: Config, isProxy: IsProxy, log: Logger): Pick<Health, "proxyUntrusted" | "look"> {
  const proxies = new UntrustedProxies(isProxy, log);
  return {
    proxyUntrusted: () => !isLocal && proxies.isCertain,
    look: (request) => proxies.look(request),
  };
}

/** Pushes what was committed to the sockets of this process. */
function pushTo(
  hub: RunningHub,
  deps: Deps,
  { settings, publicLog }: { settings: Settings; publicLog: PublicLog },
): void {
  const results = new Results(hub, deps);
  results.listen();
  publicLog.listen(deps);
  deps.bus.on("operator.acted", ({ actId, command, outcome }) =>
    deps.security.note({ done: "operator.acted", act: `${actId} ${command} ${outcome}` }),
  );
  new Closings(hub, deps).listen();
  new Bridge(hub, deps, results).listen(() => settings.reload());
}

const healthOf = (
  { io }: RunningHub,
  rounds: RoundClock,
  proxies: Pick<Health, "proxyUntrusted" | "look">,
): Health => ({
  ...proxies,
  leaving: false,
  draining: false,
  sockets: () => io.engine.clientsCount,
  rounds: { failing: () => rounds.failing, watch: rounds.watch },
});

async function openDatabase(
  config: Config,
  { clock, log, onFatal }: Outside,
  bus: Emitter<DomainEvents>,
  start: Readonly<{ isOver: boolean }>,
) {
  await makeFolder(config.dataDir);
  chmodSync(config.dataDir, 0o700);
  await migrateDatabase(config.database);
  if (!isPostgres(config.database)) chmodSync(config.database, 0o600);
  const writer = new URL("../writer/sqlite.ts", import.meta.url);
  const postgresWork = () => import("#server/writer/postgres.ts");
  const die = onFatal ?? ((error: Error) => log.fatal({ err: error }, "the database writer ended"));
  const db = await connect(config.database, { writer, postgresWork, clock, onFatal: die });
  const relay = new OutboxRelay(db, bus, log);
  return { db: withDelivery(db, relay, start), pump: relay };
}

async function loadSettings(db: Db): Promise<Settings> {
  const settings = new Settings(db);
  await settings.load();
  return settings;
}

async function gatherDeps(config: Config, outside: Outside, db: Db, bus: Emitter<DomainEvents>, app: FastifyInstance) {
  const { publicUrl, isLocal, rateLimit: isLimited } = config;
  const { log, random = (bytes) => randomBytes(bytes), beacons = QUICKNET_BEACONS } = outside;
  const { keys, epoch } = await adoptMasterKey(db, config);
  const { clock } = db;
  const settings = await loadSettings(db);
  const background = new Background(log);
  const [sessions, posters] = [new Sessions(db, clock, settings), new Posters({ keys, clock })];
  const announce = announcer(db.clock);
  const parts = { db, clock, keys, log, random, publicUrl, announce, background, apart };
  const publicLog = await PublicLog.open(parts, config);
  const deps: Deps = {
    ...parts,
    process: randomUUID(),
    bus,
    settings,
    beacons: new RelayedBeacons({ clock, log, bus }, beacons, config.beaconRelays),
    storage: storageOf(config),
    encodePicture,
    cleanHtml,
    isLocal,
    isLimited,
    passkeysAt: relyingPartiesOf(config),
    publicLog,
    payWays: () => channels.offered(settings.get("unit")),
    identify: (token, caller) => sessions.identify(token, caller),
    refuseUnproven: (caller) => refuseUnproven(db.read, clock, caller),
    posterUrl: (video, sessionId) => posters.addressOf(video, sessionId),
    text: await loadTexts(),
    requestId: currentRequest,
    concerns,
    security: new SecurityLog({ log, clock }),
    inject: app.inject.bind(app),
  };
  const channels = await Channels.open(deps, config.secret);
  return { deps, channels, sessions, settings, epoch, publicLog };
}

/**
 * Delays a write's answer until this process has delivered its event, for a short time at most. Until the start is over
 * a write waits for its turn.
 */
function withDelivery(db: Db, relay: OutboxRelay, start: Readonly<{ isOver: boolean }>): Db {
  return {
    ...db,
    async transact(work, kind) {
      const write = () => db.transact(work, kind);
      const result = await (start.isOver ? write() : untilFree(write));
      await relay.delivered();
      return result;
    },
  };
}
