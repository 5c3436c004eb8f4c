import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { Refused, type Operator, type Service, type Serving } from "#server/admin/command.ts";
import { CONSOLE_PORT, PORTS, readPort } from "#server/admin/operators.ts";
import { openOperator } from "#server/admin/operator.ts";
import { openLog } from "#server/app/log.ts";
import { readConfig, type Config } from "#server/config/config.ts";
import { startLoop } from "#server/jobs/loop.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { consoleApp, PAGE } from "./app.ts";
import { Files } from "./files.ts";
import { RP_ID } from "./passkeys.ts";
import { Challenges, Sessions } from "./sessions.ts";

/** How soon the files of a session are gone that nobody ended. */
const SWEEP_MS = MINUTE_MS / 2;

export const console: Service = {
  usage: "[--port N] [--host H]",
  does: `Serves the operators' console on this machine, until it is told to end; N is ${CONSOLE_PORT} unless you say`,
  more: () =>
    [
      "Operators open it as http://localhost:N, on this machine or through a tunnel to it (ssh -L N:localhost:N). --host",
      "makes it listen at another address, as a container needs; it still answers to http://localhost:N alone. Each",
      "operator is invited by operator:invite, and signs in with a passkey.",
    ].join("\n"),
  bounds: { port: PORTS },
  async serve({ input: { options }, out, ...serving }) {
    const config = readConfig(serving.env, []);
    const port = readPort(options.port);
    if (port === config.port) throw new Refused(`members have the port ${port}: give another one with --port`);
    if (!existsSync(join(PAGE, "index.html"))) throw new Refused("the console is not built: npm run build");
    const ended = new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    });
    // Elsewhere every line is JSON, as a server's.
    const isTerminal = process.stdout.isTTY;
    const level = isTerminal && config.logLevel === "info" ? "warn" : config.logLevel;
    const log = openLog(level, { write: out });
    const { app, close } = await openConsole(config, serving, { log });
    const address = `http://${RP_ID}:${port}`;
    try {
      await app.listen({ port, host: options.host ?? RP_ID });
      if (isTerminal) out(`The console is at ${address}\n`);
      else openLog("info", { write: out }).info({ address }, "the console is running");
      await ended;
    } finally {
      await close();
    }
    return { text: isTerminal ? "The console has ended." : "", json: { ok: true } };
  },
};

/** What a test hands in. */
interface Outside {
  log: Logger;
  clock?: Operator["clock"];
}

/** The console over the site's data, not yet listening. `sweep` ends the sessions that are over, which it does by itself too. */
export async function openConsole(
  config: Config,
  serving: Pick<Serving, "commands" | "env" | "reasonOf">,
  { log, clock }: Outside,
): Promise<{ app: FastifyInstance; sweep(): Promise<void>; close(): Promise<void> }> {
  const { operator: opened, close } = await openOperator(config);
  const operator = { ...opened, ...(clock && { clock }) };
  const files = await Files.open(operator);
  const sessions = new Sessions(operator, (hash) => files.forget(hash));
  const app = consoleApp({ operator, serving, files, challenges: new Challenges(operator) }, sessions, log);
  const sweep = () => sessions.sweep();
  const sweeping = startLoop({ log, clock: operator.clock }, "end sessions", async () => {
    await sweep();
    return SWEEP_MS;
  });
  return {
    app,
    sweep,
    async close() {
      await app.close();
      await sweeping.stop();
      await files.close();
      await close();
    },
  };
}
