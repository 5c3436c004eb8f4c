import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { ServerProcess } from "./server-process.ts";

/** What a disk may do to a process, as the system calls that fail and how. */
const FAULTS = {
  full: ["pwrite64,ftruncate,fallocate", "ENOSPC"],
  // A file system that became read-only says so to whoever asks, too.
  readonly: ["pwrite64,ftruncate,fallocate,access,faccessat,faccessat2", "EROFS"],
  sync: ["fsync,fdatasync", "EIO"],
  read: ["pread64", "EIO"],
} as const;

/** Whether there is a strace to do it with. */
export const canFail = spawnSync("strace", ["-V"], { stdio: "ignore" }).status === 0;

export type Fault = keyof typeof FAULTS;

/** A disk that fails a running server at its database: every such call on its files comes back with an error. */
export class DiskFault {
  readonly #tracer: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(tracer: ChildProcess) {
    this.#tracer = tracer;
    this.#ended = once(tracer, "exit");
  }

  /** Resolves when it acts on every thread. */
  static async begin({ launched, database }: ServerProcess, fault: Fault): Promise<DiskFault> {
    const [calls, error] = FAULTS[fault];
    const files = ["", "-wal", "-shm"].flatMap((end) => ["-P", `${database}${end}`]);
    const what = ["-e", `trace=${calls}`, "-e", `inject=${calls}:error=${error}`];
    const tracer = spawn("strace", ["-f", "-p", String(launched.pid), ...files, ...what, "-o", "/dev/null"]);
    const begun = new DiskFault(tracer);
    const { promise: attached, resolve } = Promise.withResolvers<boolean>();
    let said = "";
    // It is read to the end: a tracer that cannot say that there is a new thread would die.
    tracer.stderr.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes("attached")) resolve(true);
    });
    void begun.#ended.then(() => resolve(false));
    if (!(await attached)) throw new Error(`strace did not begin: ${said}`);
    return begun;
  }

  get acts(): boolean {
    return this.#tracer.exitCode === null && this.#tracer.signalCode === null;
  }

  /** The disk works again; or the process is dead, and with it its fault. */
  async end(): Promise<void> {
    this.#tracer.kill("SIGINT");
    await this.#ended;
  }
}
