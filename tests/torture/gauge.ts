import { appendFileSync, readFileSync } from "node:fs";
import { BroadcastChannel, isMainThread, type Worker } from "node:worker_threads";

/** What a process says of its own memory, in bytes, after everything that nobody holds is gone. */
export interface Gauge {
  heapUsed: number;
  /** All memory of its own. Its RSS also has what it maps of the database, as large as that is, and Linux takes back. */
  anonymous: number;
  /** Timers, sockets and the like that keep it alive. */
  resources: number;
}

// A preload: at SIGUSR2 this process writes a line about itself to the file that GAUGE names. Its threads have heaps of
// their own: they collect what nobody holds first.
const { GAUGE } = process.env;
const threads = new Set<Worker>();
if (GAUGE) {
  const channel = new BroadcastChannel("trio gauge");
  if (isMainThread) {
    process.on("worker", (thread) => {
      threads.add(thread);
      thread.once("exit", () => threads.delete(thread));
    });
    process.on("SIGUSR2", () => void measure(channel, GAUGE));
  } else {
    channel.onmessage = () => {
      collect();
      channel.postMessage("collected");
    };
  }
  channel.unref();
}

function collect(): void {
  for (let i = 0; i < 2; i++) globalThis.gc!();
}

async function measure(channel: BroadcastChannel, file: string): Promise<void> {
  let left = threads.size;
  const all = Promise.withResolvers<void>();
  channel.onmessage = () => --left || all.resolve();
  channel.postMessage("collect");
  if (left > 0) await all.promise;
  collect();
  const { heapUsed } = process.memoryUsage();
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))!;
  const resources = process.getActiveResourcesInfo().length;
  const gauge: Gauge = { heapUsed, anonymous: Number(kilobytes) * 1_024, resources };
  appendFileSync(file, `${JSON.stringify(gauge)}\n`);
}

/** What a process needs in its environment to write into this file, beside Node's options that it has already. */
export const gaugedIn = (file: string, options = ""): Record<string, string> => ({
  GAUGE: file,
  NODE_OPTIONS: `${options} --expose-gc --import ${import.meta.url}`.trim(),
});
