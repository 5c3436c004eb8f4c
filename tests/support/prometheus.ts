import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChildProcess } from "node:child_process";
import { stringify } from "yaml";
import { programOnPath } from "#server/programs/on-path.ts";
import { eventually } from "./client.ts";
import { freePort } from "./free-port.ts";
import { ROOT } from "./source-files.ts";
import { spawnBound } from "./spawn-bound.ts";

const EVERY = "5s";
/** An alert that is told later than this is not told. */
const PATIENCE_MS = 420_000;

/** Whether this machine has Prometheus: Debian's package has it. */
export const hasPrometheus = programOnPath(["prometheus"]) !== undefined;

/** A Prometheus that scrapes one server every five seconds, with the rules of `server/deploy/alerts.yaml`. */
export class Prometheus {
  readonly #url: string;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(url: string, folder: string, child: ChildProcess) {
    this.#url = url;
    this.#folder = folder;
    this.#child = child;
  }

  /** Resolves once it has scraped the server. */
  static async watch(server: string): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), "trio-"));
    const config = join(folder, "prometheus.yaml");
    const settings = {
      global: { scrape_interval: EVERY, evaluation_interval: EVERY, scrape_timeout: EVERY },
      rule_files: [join(ROOT, "server/deploy/alerts.yaml")],
      scrape_configs: [{ job_name: "trio", static_configs: [{ targets: [new URL(server).host] }] }],
    };
    writeFileSync(config, stringify(settings));
    const address = `127.0.0.1:${await freePort()}`;
    const words = [`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`];
    const made = new Prometheus(`http://${address}`, folder, spawnBound("prometheus", words, { stdio: "ignore" }));
    await made.#until("a scrape", async () => (await made.#value("up")) === "1");
    return made;
  }

  /** The alerts that wake somebody now. */
  async firing(): Promise<string[]> {
    const { alerts } = await this.#ask<{ alerts: { state: string; labels: { alertname: string } }[] }>("alerts");
    return alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname);
  }

  untilFiring = (alert: string) => this.#until(alert, async () => (await this.firing()).includes(alert));

  untilQuiet = () => this.#until("quiet", async () => (await this.firing()).length === 0);

  async close(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
    rmSync(this.#folder, { recursive: true });
  }

  async #value(query: string): Promise<string | undefined> {
    const { result } = await this.#ask<{ result: { value: [number, string] }[] }>(`query?query=${query}`);
    return result[0]?.value[1];
  }

  async #ask<T>(what: string): Promise<T> {
    return ((await (await fetch(`${this.#url}/api/v1/${what}`)).json()) as { data: T }).data;
  }

  #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    return eventually(async () => {
      if (!(await isSo()))
        throw new Error(`${what} did not come; firing: ${(await this.firing()).join(", ") || "none"}`);
    }, PATIENCE_MS);
  }
}
