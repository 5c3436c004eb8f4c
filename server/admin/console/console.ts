import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { Refused, type Operator, type Service, type Serving } from "#server/admin/command.ts";
import { CONSOLE_PORT, PORTS, readPort } from "#server/admin/operators.ts";
import { openOperator } from "#server/admin/operator.ts";
import { readConfig, type Config } from "#server/config/config.ts";
import { consoleApp, PAGE } from "./app.ts";
import { Files } from "./files.ts";
import { RP_ID } from "./passkeys.ts";
import { Challenges, Sessions } from "./sessions.ts";

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
    const { app, close } = await openConsole(config, serving);
    try {
      await app.listen({ port, host: options.host ?? RP_ID });
      out(`The console is at http://${RP_ID}:${port}\n`);
      await ended;
    } finally {
      await close();
    }
    return { text: "The console has ended.", json: { ok: true } };
  },
};

/** The console over the site's data, not yet listening. */
export async function openConsole(
  config: Config,
  serving: Pick<Serving, "commands" | "env" | "reasonOf">,
  clock?: Operator["clock"],
): Promise<{ app: FastifyInstance; close(): Promise<void> }> {
  const { operator: opened, close } = await openOperator(config);
  const operator = { ...opened, ...(clock && { clock }) };
  const files = await Files.open(operator);
  const app = consoleApp({ operator, serving, files, challenges: new Challenges(operator) }, new Sessions(operator));
  return {
    app,
    async close() {
      await app.close();
      await files.close();
      await close();
    },
  };
}
