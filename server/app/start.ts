import { setTimeout as sleep } from "node:timers/promises";
import { RetryLog } from "./retry-log.ts";
import type { Config } from "#server/config/config.ts";
import { seedDemo } from "#server/demo/seed.ts";
import { mountWebFromSources } from "#server/http/web-dev.ts";
import { startLoop } from "#server/jobs/loop.ts";
import { watchDatabase } from "#server/realtime/away.ts";
import { closeConnections } from "#server/realtime/hub.ts";
import { maintainHub } from "#server/realtime/upkeep.ts";
import { openSite, type Outside, type Site } from "./site.ts";
import { checkStorage } from "#server/storage/open.ts";

/** Proxies look every half second: after so long, each has seen that this server is leaving, and sends nothing new. */
const NOTICE_MS = 2_000;
/** A connection is closed when nothing was asked on it for so long: whoever is busy has heard by then to close it. */
const IDLE_MS = 500;
/** A server goes within this time, whatever still hangs on it. */
const DRAIN_MS = 8_000;

export interface Running {
  site: Site;
  address: string;
  seeded: boolean;
  /** Takes nothing new, answers what was sent, closes the sockets. Once, however often it is called. */
  drain(): Promise<void>;
}

/** Opens the site, starts its loops and listens. */
export async function startServer(config: Config, outside: Outside): Promise<Running> {
  await checkStorage(config);
  const site = await openSite(config, outside, config.dev ? mountWebFromSources : undefined);
  const { app, deps, hub, rounds, housekeeping, payments, memberships } = site;
  const seeded = config.demo && (await seedDemo(deps));
  const loops = [
    startLoop(deps, "rounds", () => rounds.tick()),
    startLoop(deps, "housekeeping", () => housekeeping.tick()),
    startLoop(deps, "payments", () => payments.tick()),
    startLoop(deps, "memberships", () => memberships.tick()),
  ];
  const sealing = new RetryLog(deps.log, "sealing failed");
  deps.bus.on(
    "round.closed",
    () =>
      void housekeeping.seal().then(
        () => sealing.recovered(),
        (error: unknown) => sealing.failed(error),
      ),
  );
  const upkeep = [maintainHub(hub.io, deps), watchDatabase(hub.io, deps)];
  const address = await app.listen({ host: config.host, port: config.port });

  /**
   * Calls end before anything that they need, so that what was done is also answered. Connections are not asked to
   * close while new ones still come: each would come again, to be reset by the listening socket's end.
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
    await Promise.all([gone, ...loops.map((loop) => loop.stop())]);
    await site.close();
  }
  let drained: Promise<void> | undefined;
  return { site, address, seeded, drain: () => (drained ??= inTime(drain())) };
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
