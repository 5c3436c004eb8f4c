import { spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { ServerProcess } from "./server-process.ts";
import { spawnBound } from "./spawn-bound.ts";

/** How a disk may fail: what is done to which system calls. */
const FAULTS = {
  full: ["pwrite64,ftruncate,fallocate", "error=ENOSPC"],
  // A file system that became read-only also reports it when asked.
  readonly: ["pwrite64,ftruncate,fallocate,access,faccessat,faccessat2", "error=EROFS"],
  sync: ["fsync,fdatasync", "error=EIO"],
  read: ["pread64", "error=EIO"],
  // A third of a second for each sync, as on a disk that others keep busy.
  slow: ["fsync,fdatasync", "delay_enter=330000"],
} as const;

/** Whether this machine has strace, which injects the faults. */
export const canFail = spawnSync("strace", ["-V"], { stdio: "ignore" }).status === 0;

export type Fault = keyof typeof FAULTS;

/** A disk that fails under a running server: every such call on its database files returns an error, or takes long. */
export class DiskFault {
  readonly #tracer: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(tracer: ChildProcess) {
    this.#tracer = tracer;
    this.#ended = once(tracer, "exit");
  }

  /** Resolves when the fault acts on every thread. */
  static async begin({ launched, database }: ServerProcess, fault: Fault): Promise<DiskFault> {
    const [calls, effect] = FAULTS[fault];
    const files = ["", "-wal", "-shm"].flatMap((end) => ["-P", `${database}${end}`]);
    const what = ["-e", `trace=${calls}`, "-e", `inject=${calls}:${effect}`];
    const tracer = spawnBound("strace", ["-f", "-p", String(launched.pid), ...files, ...what, "-o", "/dev/null"]);
    const begun = new DiskFault(tracer);
    const { promise: attached, resolve } = Promise.withResolvers<boolean>();
    let output = "";
    // Its output is read to the end: a tracer that cannot report a new thread would die.
    tracer.stderr!.on("data", (chunk) => {
      output += String(chunk);
      if (output.includes("attached")) resolve(true);
    });
    void begun.#ended.then(() => resolve(false));
    if (!(await attached)) throw new Error(`strace did not begin: ${output}`);
    return begun;
  }

  get acts(): boolean {
    return this.#tracer.exitCode === null && this.#tracer.signalCode === null;
  }

  /** Ends the fault: the disk works again, or the process is dead. */
  async end(): Promise<void> {
    this.#tracer.kill("SIGINT");
    await this.#ended;
  }
}
