import { chmodSync } from "node:fs";
import { randomBytes, randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import mitt, { type Emitter } from "mitt";
import type { Logger } from "pino";
import { connect } from "#db/connect.ts";
import type { Db } from "#db/db.ts";
import { makeFolder } from "#db/durable.ts";
import { migrateDatabase } from "#db/migrate.ts";
import type { ClockSource } from "#shared/time.ts";
import { buildApp, serverOptions, type AppParts } from "./app.ts";
import { cleanHtml } from "./clean-html.ts";
import type { Config } from "#server/config/config.ts";
import type { Deps, DomainEvents } from "./deps.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { BetQueue } from "#server/domains/lottery/bet-queue.ts";
import { BetService } from "#server/domains/lottery/place-bet.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { Channels } from "#server/domains/payments/channels.ts";
import { Sessions } from "#server/domains/session/identify.ts";
import { Posters } from "#server/domains/video/posters.ts";
import { refuseBroken } from "#server/http/broken-requests.ts";
import { Connections } from "#server/http/connections.ts";
import type { Health } from "#server/http/health.ts";
import { Housekeeping } from "#server/jobs/housekeeping.ts";
import { MembershipClock } from "#server/jobs/membership-clock.ts";
import { PaymentClock } from "#server/jobs/payment-clock.ts";
import { RoundClock } from "#server/jobs/round-clock.ts";
import { adoptMasterKey } from "#server/config/master-key.ts";
import { announcer, OutboxRelay } from "./outbox.ts";
import { Bridge } from "#server/realtime/bridge.ts";
import { openHub } from "#server/realtime/hub.ts";
import type { RunningHub } from "#server/realtime/socket.ts";
import { Results } from "#server/realtime/results.ts";
import { encodePicture } from "#server/pictures/encode.ts";
import { Settings } from "./settings.ts";
import { storageOf } from "#server/storage/open.ts";
import { loadTexts } from "./texts.ts";
import { isProxyOf } from "#server/config/trusted-proxies.ts";

export interface Outside {
  clock: ClockSource;
  log: Logger;
  random?: (bytes: number) => Uint8Array;
  onFatal?: (error: Error) => void;
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
  relay: OutboxRelay;
  health: Health;
  connections: Connections;
  close(): Promise<void>;
}

export async function openSite(config: Config, outside: Outside, webDev?: AppParts["webDev"]): Promise<Site> {
  const bus = mitt<DomainEvents>();
  const { db, pump: relay } = await openDatabase(config, outside, bus);
  const isProxy = isProxyOf(config.trustedProxies);
  const app = Fastify(serverOptions(outside.log, isProxy, webDev && (() => true)));
  const { deps, channels, sessions, settings, epoch } = await gatherDeps(config, outside, db, bus, app);
  const book = betBookOf(db);
  const hub = openHub(app.server, deps, epoch, isProxy);
  const connections = new Connections(app.server);
  refuseBroken(app.server, deps, connections);
  const rounds = new RoundClock(deps, new Seeds(deps.keys), book);
  const health = healthOf(hub, rounds);
  const { rateLimit, metricsToken } = config;
  const bets = new BetService(deps, new BetQueue(book));
  await buildApp(app, deps, { bets, channels, health, rateLimit, metricsToken, ...(webDev && { webDev }) });
  const housekeeping = new Housekeeping(deps, sessions);
  const payments = new PaymentClock(deps, channels);
  const memberships = new MembershipClock(deps);
  const results = new Results(hub, deps);
  results.listen();
  new Bridge(hub, deps, results).listen(() => settings.reload());
  // Open sockets would keep the server from closing, so they close first.
  app.addHook("preClose", () => {
    hub.io.disconnectSockets(true);
  });
  await app.ready();
  await relay.start();
  const close = async () => {
    await relay.stop();
    // In parallel: each closes connections that the other waits for, members' and Vite's.
    await Promise.all([hub.io.close(), app.close()]);
    await rounds.settle().catch(() => {});
    await sessions.flush();
    await db.close();
  };
  return { app, deps, hub, rounds, housekeeping, payments, memberships, relay, health, connections, close };
}

const healthOf = ({ io }: RunningHub, rounds: RoundClock): Health => ({
  leaving: false,
  draining: false,
  sockets: () => io.engine.clientsCount,
  rounds: { failing: () => rounds.failing, watch: rounds.watch },
});

async function openDatabase(config: Config, { clock, log, onFatal }: Outside, bus: Emitter<DomainEvents>) {
  await makeFolder(config.dataDir);
  chmodSync(config.dataDir, 0o700);
  await migrateDatabase(config.database);
  const writer = new URL("../writer/sqlite.ts", import.meta.url);
  const postgresWork = () => import("#server/writer/postgres.ts");
  const die = onFatal ?? ((error: Error) => log.fatal({ err: error }, "the database writer is gone"));
  const db = await connect(config.database, { writer, postgresWork, clock, onFatal: die });
  const relay = new OutboxRelay(db, bus, log);
  return { db: withDelivery(db, relay), pump: relay };
}

async function gatherDeps(config: Config, outside: Outside, db: Db, bus: Emitter<DomainEvents>, app: FastifyInstance) {
  const { log, random = (bytes) => randomBytes(bytes) } = outside;
  const { keys, epoch } = await adoptMasterKey(db, config);
  const { clock } = db;
  const settings = new Settings(db);
  await settings.load();
  const sessions = new Sessions(db, clock);
  const posters = new Posters({ keys, clock });
  const deps: Deps = {
    process: randomUUID(),
    db,
    bus,
    clock,
    log,
    keys,
    settings,
    storage: storageOf(config),
    encodePicture,
    cleanHtml,
    random,
    publicUrl: config.publicUrl,
    payWays: () => channels.offered(settings.get("unit")),
    announce: announcer(clock),
    identify: (token, caller) => sessions.identify(token, caller),
    posterUrl: (video, sessionId) => posters.addressOf(video, sessionId),
    text: await loadTexts(),
    inject: app.inject.bind(app),
  };
  const channels = await Channels.open(deps, config.secret);
  return { deps, channels, sessions, settings, epoch };
}

/** Delays a write's answer until this process has delivered its event, for a short time at most. */
function withDelivery(db: Db, relay: OutboxRelay): Db {
  return {
    ...db,
    async transact(work, kind) {
      const result = await db.transact(work, kind);
      await relay.delivered();
      return result;
    },
  };
}
