import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { fairHead } from "#shared/contract/log.ts";
import { parseKey } from "#shared/log/note.ts";
import { Client, eventually } from "../support/client.ts";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import { ENGINE } from "../support/databases.ts";
import { canFail, DiskFault } from "../support/disk-fault.ts";
import { openConnection } from "../support/own-connection.ts";
import { hasPrometheus, Prometheus } from "../support/prometheus.ts";
import { ServerProcess, type ServerOptions } from "../support/server-process.ts";
import { STRIPE_KEY, StripeServer } from "../support/stripe-server.ts";
import { WEBHOOK_SECRET } from "../support/stripe-signature.ts";
import { WitnessServer } from "../support/witness-servers.ts";

const WITHOUT = hasPrometheus ? "" : " (SKIPPED: there is no prometheus on this machine; Debian has it)";
if (WITHOUT) console.warn(`No accident was played${WITHOUT}.`);

/** How much faster the clock goes where an accident takes minutes to be noticed. */
const FAST = 20;
/** Until an alert is told and, once all is mended, until it is quiet again. */
const PATIENCE_MS = 900_000;
/** No operator waits so long for the first word, in seconds. */
const AT_MOST_S = 360;

const ended: (() => unknown)[] = [];
const told: string[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});
afterAll(() => console.warn([`Noticed on ${ENGINE}, after seconds:`, ...told].join("\n  ")));

async function site(options: ServerOptions = {}): Promise<ServerProcess> {
  const server = await ServerProcess.start(options);
  ended.push(() => server.close());
  return server;
}

/** Plays an accident under the eyes of Prometheus: all is quiet before, one alert is told, and quiet again after. */
async function play(server: ServerProcess, alert: string, accident: () => Promise<() => unknown>): Promise<number> {
  const prometheus = await Prometheus.watch(server.address);
  ended.push(() => prometheus.close());
  expect(await prometheus.firing()).toEqual([]);
  const mend = await accident();
  const from = performance.now();
  await prometheus.untilFiring(alert);
  const seconds = Math.round((performance.now() - from) / 1_000);
  told.push(`${alert}: ${seconds}`);
  await mend();
  await prometheus.untilQuiet();
  return seconds;
}

describe.skipIf(!hasPrometheus)(`an operator is woken${WITHOUT}`, { timeout: PATIENCE_MS }, () => {
  it("by a process that is stuck", async () => {
    const server = await site();
    const seconds = await play(server, "TrioDown", async () => {
      server.send("SIGSTOP");
      return () => server.send("SIGCONT");
    });
    expect(seconds).toBeLessThan(AT_MOST_S);
  });

  it("by rounds that are late, because somebody holds the database", async () => {
    const server = await site();
    const seconds = await play(server, "TrioRoundLate", async () => {
      const other = await openConnection(server.database);
      await other.run({ sqlite: "begin immediate", postgres: "begin; lock table rounds in exclusive mode" }[ENGINE]);
      return async () => {
        await other.run("rollback");
        await other.close();
      };
    });
    expect(seconds).toBeLessThan(AT_MOST_S);
  });

  it("by a witness that is gone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "trio-"));
    ended.push(() => rmSync(folder, { recursive: true }));
    let now = () => 0;
    const witness = await WitnessServer.start(folder, { now: () => now() });
    ended.push(() => witness.leave());
    const server = await site({ env: { WITNESSES: witness.named, WITNESSES_NEEDED: "1" } });
    now = () => server.clock.now();
    const anybody = new Client(server.address);
    await witness.meets(parseKey((await anybody.must(fairHead)).key)!);
    await eventually(async () => expect((await anybody.must(fairHead)).cosigned).not.toBeNull(), PATIENCE_MS);
    const seconds = await play(server, "TrioWitnessesMissing", async () => {
      await witness.leave();
      return () => witness.comeBack();
    });
    expect(seconds).toBeLessThan(AT_MOST_S);
  });

  it("by a payment provider that is away", async () => {
    let now = () => 0;
    const stripe = await new StripeServer(() => now()).listen();
    ended.push(() => stripe.close());
    const env = { STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_URL: stripe.url };
    const server = await site({ speed: FAST, games: [], env });
    now = () => server.clock.now();
    const seconds = await play(server, "TrioProviderAway", async () => {
      stripe.trouble = () => 503;
      return () => (stripe.trouble = () => null);
    });
    expect(seconds).toBeLessThan(AT_MOST_S);
  });

  it.skipIf(ENGINE !== "sqlite" || !canFail)("by a disk that is full", async () => {
    const server = await site();
    const seconds = await play(server, "TrioCannotWrite", async () => {
      const fault = await DiskFault.begin(server, "full");
      return () => fault.end();
    });
    expect(seconds).toBeLessThan(AT_MOST_S);
  });

  it.skipIf(ENGINE !== "postgres")("by a PostgreSQL that is away", async () => {
    const first = await site();
    const way = await CuttableProxy.lay(first.database);
    ended.push(() => way[Symbol.asyncDispose]());
    const { port } = new URL(way.address);
    const DATABASE_URL = Object.assign(new URL(first.database), { port }).href;
    await first.kill();
    const server = await site({ sameDatabaseAs: first, env: { DATABASE_URL } });
    const seconds = await play(server, "TrioCannotWrite", async () => {
      way.cut();
      return () => way.mend();
    });
    expect(seconds).toBeLessThan(AT_MOST_S);
  });
});
