import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { programOnPath } from "#server/programs/on-path.ts";
import { freePort } from "./free-port.ts";
import { spawnBound } from "./spawn-bound.ts";

export const PROXY_CONFIG = fileURLToPath(new URL("../../server/deploy/haproxy.cfg", import.meta.url));

/** The HAProxy that compose.yaml runs, where this machine has it. */
export const haproxy = programOnPath(["haproxy"]);

export interface ProxySettings {
  listen: string;
  servers: string[];
  certificate?: string;
}

/** The proxy's environment, as in compose.yaml. */
export const proxyEnv = ({ listen, servers, certificate = "none" }: ProxySettings) => ({
  PATH: process.env.PATH ?? "",
  LISTEN: listen,
  CONNECTIONS: "1000",
  TLS_CERTIFICATE: certificate,
  ...Object.fromEntries(servers.map((address, i) => [`SERVER_${i + 1}`, new URL(address).host])),
});

/** HAProxy with the project's own configuration, as a process before servers on this machine. */
export class Proxy {
  readonly address: string;
  readonly logged: string[] = [];
  readonly #child: ChildProcess;

  private constructor(port: number, servers: string[], config: string) {
    this.address = `http://127.0.0.1:${port}`;
    const env = proxyEnv({ listen: `127.0.0.1:${port}`, servers });
    this.#child = spawnBound(haproxy!, ["-db", "-f", config], { env });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream!.on("data", (chunk) => this.logged.push(String(chunk)));
  }

  static async start(servers: string[], config = PROXY_CONFIG, at?: number): Promise<Proxy> {
    const port = at ?? (await freePort());
    const proxy = new Proxy(port, servers, config);
    for (;;) {
      if (proxy.#child.exitCode !== null) throw new Error(`the proxy ended: ${proxy.logged.join("")}`);
      const attempt = connect(port, "127.0.0.1");
      const answered = await once(attempt, "connect").then(
        () => true,
        () => false,
      );
      attempt.destroy();
      if (answered) return proxy;
      await sleep(20);
    }
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}
