import { appendFileSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** What a process says of its own memory, in bytes, after everything that nobody holds is gone. */
export interface Gauge {
  heapUsed: number;
  /** All memory of its own. Its RSS also has what it maps of the database, as large as that is, and Linux takes back. */
  anonymous: number;
  /** Timers, sockets and the like that keep it alive. */
  resources: number;
}

// A preload: at SIGUSR2 this process writes a line about itself to the file that GAUGE names.
const { GAUGE } = process.env;
if (GAUGE && isMainThread) {
  process.on("SIGUSR2", () => {
    for (let i = 0; i < 2; i++) globalThis.gc!();
    const { heapUsed } = process.memoryUsage();
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))!;
    const gauge: Gauge = {
      heapUsed,
      anonymous: Number(kilobytes) * 1_024,
      resources: process.getActiveResourcesInfo().length,
    };
    appendFileSync(GAUGE, `${JSON.stringify(gauge)}\n`);
  });
}

/** What a process needs in its environment to write into this file, beside Node's options that it has already. */
export const gaugedIn = (file: string, options = ""): Record<string, string> => ({
  GAUGE: file,
  NODE_OPTIONS: `${options} --expose-gc --import ${import.meta.url}`.trim(),
});
