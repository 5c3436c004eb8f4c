import type { RunningHub } from "#server/realtime/watchers.ts";
import { chmodSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { randomBytes, randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import mitt, { type Emitter } from "mitt";
import type { Logger } from "pino";
import { connect } from "#db/connect.ts";
import { isPostgres } from "#db/dialect.ts";
import { inFront, type Db } from "#db/db.ts";
import { makeFolder } from "#db/durable.ts";
import { migrateDatabase } from "#db/migrate.ts";
import type { StartWriter } from "#db/sqlite/protocol.ts";
import type { BeaconCheck } from "#shared/lottery/beacon.ts";
import { QUICKNET_BEACONS } from "#server/domains/lottery/quicknet.ts";
import type { ClockSource } from "#shared/time.ts";
import { Background } from "./background.ts";
import { buildApp, serverOptions, type AppParts } from "./app.ts";
import { cleanHtml } from "./clean-html.ts";
import type { Config } from "#server/config/config.ts";
import type { Deps, DomainEvents } from "./deps.ts";
import { apart, concerns, currentRequest } from "./log.ts";
import { SecurityLog } from "./security-log.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import { LedgerSum } from "#server/domains/ledger/ledger-sum.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { RelayedBeacons } from "#server/domains/lottery/beacons.ts";
import { BetQueue } from "#server/domains/lottery/bet-queue.ts";
import { rememberExportKeys } from "#server/domains/member/export-keys.ts";
import { KeptHead } from "#server/domains/log/kept-head.ts";
import { PublicLog } from "#server/domains/log/public-log.ts";
import { BetService } from "#server/domains/lottery/place-bet.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { Channels } from "#server/domains/payments/channels.ts";
import { Sessions } from "#server/domains/session/identify.ts";
import { refuseUnproven } from "#server/domains/session/proof.ts";
import { Posters } from "#server/domains/video/posters.ts";
import { refuseBroken } from "#server/http/broken-requests.ts";
import { connectionLimits, limitConnections, type ConnectionLimits } from "#server/http/crowds.ts";
import { ownCallsOf } from "#server/http/own-call.ts";
import { siteNamesOf } from "#server/http/site-names.ts";
import { UntrustedProxies } from "#server/http/untrusted-proxy.ts";
import { limitBodies } from "#server/http/slow-bodies.ts";
import { Connections } from "#server/http/connections.ts";
import type { Health } from "#server/http/health.ts";
import { RequestIds } from "#server/http/request-ids.ts";
import { BackupClock } from "#server/jobs/backup-clock.ts";
import { KeyClock } from "#server/jobs/key-clock.ts";
import { Housekeeping } from "#server/jobs/housekeeping.ts";
import { MembershipClock } from "#server/jobs/membership-clock.ts";
import { PaymentClock } from "#server/jobs/payment-clock.ts";
import { PushClock } from "#server/jobs/push-clock.ts";
import { RoundClock } from "#server/jobs/round-clock.ts";
import { adoptMasterKeys } from "#server/config/master-key.ts";
import { announcer, OutboxRelay } from "./outbox.ts";
import { untilFree } from "./patience.ts";
import { Closings } from "#server/realtime/closings.ts";
import { Bridge } from "#server/realtime/bridge.ts";
import { openHub } from "#server/realtime/hub.ts";
import { SOCKET_LIMITS, type SocketLimits } from "#server/realtime/socket-limits.ts";
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
  /** What starts SQLite's writer thread, if not a new thread for each database. */
  startWriter?: StartWriter;
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
  ledger: LedgerSum;
  housekeeping: Housekeeping;
  keys: KeyClock;
  payments: PaymentClock;
  memberships: MembershipClock;
  pushes: PushClock;
  backups: BackupClock;
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
  const app = Fastify(serverOptions(outside.log, ids, trustedBy(config, isProxy), webDev && (() => true)));
  const { deps, channels, sessions, settings, epoch, publicLog } = await gatherDeps(config, outside, db, bus, app);
  const [names, book] = [siteNamesOf(config), betBookOf(db)];
  const hub = openHub(app.server, deps, epoch, { ids, isProxy, names, limits: socketLimits(config, outside) });
  const connections = new Connections(app.server);
  limitBodies(app.server, outside.bodyMs);
  if (config.rateLimit) limitConnections(app.server, isProxy, outside.connections ?? connectionLimits());
  refuseBroken(app.server, deps, connections, ids);
  const rounds = new RoundClock({ ...deps, db: inFront(deps.db) }, new Seeds(deps.keys), book);
  const { rateLimit, metricsToken, docsToken } = config;
  const queue = new BetQueue(book, publicLog.receipts, (stage, ms) => bus.emit("bets.took", { stage, ms }));
  const [bets, passwords, ledger] = [new BetService(deps, queue), new Passwords(deps.keys, deps), new LedgerSum(deps)];
  const proxies = watchProxies(config, isProxy, outside.log);
  const clocks = clocksOf(deps, config, sessions, channels);
  const health = healthOf(config, proxies, { hub, rounds, relay, passwords, queue, ledger, ...clocks });
  const doors = { health, names, rateLimit, metricsToken, docsToken };
  const parts = { ...doors, bets, passwords, logKey: () => publicLog.key, channels };
  await buildApp(app, deps, { ...parts, ...(webDev && { webDev }) });
  pushTo(hub, deps, { settings, publicLog, pushes: clocks.pushes });
  // Open sockets would keep the server from closing, so they close first.
  app.addHook("preClose", async () => hub.io.disconnectSockets(true));
  await app.ready();
  await untilFree(() => relay.start());
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
  return { app, deps, hub, rounds, ledger, ...clocks, publicLog, relay, health, connections, close };
}

/** Without a trusted proxy, Fastify need not look for one at each request. */
const trustedBy = ({ trustedProxies }: Config, isProxy: IsProxy) => (trustedProxies.length > 0 ? isProxy : undefined);

const clocksOf = (deps: Deps, config: Config, sessions: Sessions, channels: Channels) => ({
  backups: new BackupClock(deps, config),
  housekeeping: new Housekeeping(deps, sessions),
  keys: new KeyClock(deps),
  payments: new PaymentClock(deps, channels),
  memberships: new MembershipClock(deps),
  pushes: new PushClock(deps),
});

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
  { settings, publicLog, pushes }: { settings: Settings; publicLog: PublicLog; pushes: PushClock },
): void {
  const results = new Results(hub, deps);
  results.listen();
  publicLog.listen(deps);
  pushes.listen((memberId) => hub.byMember.has(memberId));
  deps.bus.on("operator.acted", ({ actId, command, outcome, memberId }) =>
    deps.security.note({
      done: "operator.acted",
      act: `${actId} ${command} ${outcome}`,
      memberId: memberId ?? undefined,
    }),
  );
  new Closings(hub, deps).listen();
  new Bridge(hub, deps, results).listen(() => settings.reload());
}

/** Free bytes on the disk that holds a folder. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

interface Watched extends Pick<Site, "hub" | "rounds" | "relay" | "ledger" | "backups" | "payments"> {
  passwords: Passwords;
  queue: BetQueue;
}

const healthOf = (
  { dataDir }: Config,
  proxies: Pick<Health, "proxyUntrusted" | "look">,
  { hub, rounds, relay, passwords, queue, ledger, backups, payments }: Watched,
): Health => ({
  ...proxies,
  leaving: false,
  draining: false,
  sockets: () => hub.io.engine.clientsCount,
  outboxAgeMs: () => relay.ageMs,
  waiting: () => ({ ...passwords.waiting, bets: queue.length }),
  diskFree: () => freeBytes(dataDir),
  ledgerSum: () => ledger.last,
  backups: () => backups.figures(),
  providers: () => payments.unseen(),
  rounds: { failing: () => rounds.failing, watch: rounds.watch },
});

async function openDatabase(
  config: Config,
  { clock, log, onFatal, startWriter }: Outside,
  bus: Emitter<DomainEvents>,
  start: Readonly<{ isOver: boolean }>,
) {
  await makeFolder(config.dataDir);
  chmodSync(config.dataDir, 0o700);
  await new KeptHead(config.headFile).makePlace();
  await migrateDatabase(config.database);
  if (!isPostgres(config.database)) chmodSync(config.database, 0o600);
  const writer = new URL("../writer/sqlite-main.ts", import.meta.url);
  const postgresWork = () => import("#server/writer/postgres.ts");
  const die = onFatal ?? ((error: Error) => log.fatal({ err: error }, "the database writer ended"));
  const db = await connect(config.database, {
    writer,
    postgresWork,
    clock,
    onFatal: die,
    ...(startWriter && { startWriter }),
  });
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
  const { keys, epoch } = await untilFree(() => adoptMasterKeys(db, config));
  await untilFree(() => rememberExportKeys(db, keys));
  const { clock } = db;
  const settings = await untilFree(() => loadSettings(db));
  const background = new Background(log);
  const [sessions, posters] = [new Sessions(db, clock, settings), new Posters({ keys, clock })];
  const announce = announcer(db.clock);
  const parts = { db, clock, keys, log, random, publicUrl, announce, background, apart };
  const publicLog = await untilFree(() => PublicLog.open({ ...parts, db: inFront(db) }, config));
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
    pushServices: config.pushServices,
    passkeysAt: relyingPartiesOf(config),
    publicLog,
    payWays: () => channels.offered(settings.get("unit")),
    identify: (token, caller) => sessions.identify(token, caller),
    refuseUnproven: (caller) => refuseUnproven(db.read, clock, caller),
    posterUrl: (video, sessionId) => posters.addressOf(video, sessionId),
    text: loadTexts(),
    requestId: currentRequest,
    concerns,
    security: new SecurityLog({ log, clock }),
    callItself: ownCallsOf(app, config.publicUrl),
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
    async transact(work, kind, turn) {
      const write = () => db.transact(work, kind, turn);
      const result = await (start.isOver ? write() : untilFree(write));
      await relay.delivered();
      return result;
    },
  };
}
