import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "#server/config/config.ts";
import type { DemoLogins } from "#db/demo/demo.ts";
import { seedDemo } from "#server/demo/seed.ts";
import { mountWebFromSources } from "#server/http/web-dev.ts";
import { builtApp, stateApp } from "#server/domains/log/served-app.ts";
import { startLoop } from "#server/jobs/loop.ts";
import { watchDatabase } from "#server/realtime/away.ts";
import { closeConnections } from "#server/realtime/hub.ts";
import { maintainHub } from "#server/realtime/upkeep.ts";
import { untilFree } from "./patience.ts";
import { openSite, type Outside, type Site } from "./site.ts";
import { checkStorage } from "#server/storage/open.ts";

/** Proxies probe every half second: after this long, each has seen that this server is leaving. */
const NOTICE_MS = 2_000;
/** A connection idle for this long is closed; a busy one has got `connection: close` by then. */
const IDLE_MS = 500;
/** The server exits within this time, whatever is still open. */
const DRAIN_MS = 8_000;
/** How long the first tick of the rounds may keep a starting server from listening. */
const ROUNDS_MS = 1_000;

export interface Running {
  site: Site;
  address: string;
  /** How to get into the demo, if this start made it. */
  demo: DemoLogins | null;
  /** Takes no new requests, answers the open ones and closes the sockets. Runs once, however often it is called. */
  drain(): Promise<void>;
}

/** Opens the site, starts its loops and listens. */
export async function startServer(config: Config, outside: Outside): Promise<Running> {
  await checkStorage(config);
  // What is served is read while the database is opened. While the app is developed, it is not what is built.
  const [site, served] = await Promise.all([
    openSite(config, outside, config.dev ? mountWebFromSources : undefined),
    config.dev ? null : builtApp(),
  ]);
  const { app, deps, hub, housekeeping, backups } = site;
  if (served) await untilFree(() => deps.db.transact((tx) => stateApp(tx, served, deps.clock.now())));
  const demo = config.demo ? await seedDemo(deps) : null;
  const loops = await startLoops(site);
  deps.bus.on("round.closed", () => void deps.background.run(housekeeping.seal(), "sealing failed"));
  const upkeep = [maintainHub(hub, deps), watchDatabase(hub.io, deps)];
  const address = await app.listen({ host: config.host, port: config.port });

  /**
   * Requests end before anything they need, so that every effect is also answered. Connections are not asked to close
   * while new ones are accepted: a client would reconnect, only to be reset when listening ends.
   */
  async function drain(): Promise<void> {
    const { health, connections } = site;
    health.leaving = true;
    if (config.trustedProxies.length > 0) await sleep(NOTICE_MS);
    await connections.stopListening();
    const gone = connections.gone(IDLE_MS);
    await Promise.race([gone, sleep(IDLE_MS)]);
    health.draining = true;
    for (const stop of upkeep) stop();
    closeConnections(hub.io);
    backups.stop();
    await Promise.all([gone, ...loops.map((loop) => loop.stop())]);
    await site.close();
  }
  let drained: Promise<void> | undefined;
  return { site, address, demo, drain: () => (drained ??= atMost(DRAIN_MS, drain())) };
}

/**
 * Starts what repeats. After a crash the rounds are behind: they are brought up to date before the server listens, so
 * that whoever comes back first finds a round to bet on. A tick that takes long does not keep the site closed.
 */
async function startLoops(site: Site): Promise<ReturnType<typeof startLoop>[]> {
  const { deps, rounds, housekeeping, keys, payments, memberships, pushes, backups, publicLog } = site;
  const ofRounds = startLoop(deps, "rounds", () => rounds.tick());
  await atMost(ROUNDS_MS, ofRounds.first);
  return [
    ofRounds,
    startLoop(deps, "housekeeping", () => housekeeping.tick()),
    startLoop(deps, "master keys", () => keys.tick()),
    startLoop(deps, "payments", () => payments.tick()),
    startLoop(deps, "memberships", () => memberships.tick()),
    startLoop(deps, "web push", () => pushes.tick()),
    startLoop(deps, "public log", () => publicLog.tick()),
    startLoop(deps, "ledger sum", () => site.ledger.tick()),
    startLoop(deps, "backups", () => backups.tick()),
    startLoop(deps, "witnesses", () => publicLog.witnesses.tick()),
  ];
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
