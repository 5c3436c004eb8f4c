import type { ChildProcess, SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.ts";
import { program } from "./program.ts";
import { spawnBound } from "./spawn-bound.ts";

/** What a signal reaches: the server alone, or all that `npm start` began, as a terminal's Ctrl+C does. */
export type Reach = "process" | "group";

export interface Left {
  code: number | null;
  signal: string | null;
  seconds: number;
}

/** The server as an operator starts it. */
export class WholeProgram {
  readonly address: string;
  readonly #reach: Reach;
  readonly #child: ChildProcess;
  readonly #ended: Promise<{ code: number | null; signal: string | null }>;
  #output = "";

  private constructor(reach: Reach, port: number, env: Record<string, string>) {
    const [command, args] = reach === "group" ? ["npm", ["start"]] : [process.execPath, program("server/main.ts")];
    this.address = `http://127.0.0.1:${port}`;
    this.#reach = reach;
    const options: SpawnOptions = {
      cwd: fileURLToPath(new URL("../../", import.meta.url)),
      env: {
        PATH: process.env.PATH ?? "",
        HOME: process.env.HOME ?? "",
        PORT: String(port),
        LOG_LEVEL: "warn",
        ...env,
      },
      detached: reach === "group",
      stdio: ["ignore", "pipe", "pipe"],
    };
    // npm hands SIGTERM on to the server.
    this.#child = spawnBound(command, args, options, reach === "group" ? "SIGTERM" : "SIGKILL");
    this.#ended = once(this.#child, "exit").then(([code, signal]) => ({ code, signal }));
  }

  /** Starts it and resolves once it reports that it runs. */
  static async start(reach: Reach, env: Record<string, string>): Promise<WholeProgram> {
    const started = await WholeProgram.launch(reach, env);
    await started.#says("Trio is running");
    return started;
  }

  /** Starts it and does not wait. */
  static async launch(reach: Reach, env: Record<string, string>): Promise<WholeProgram> {
    return new WholeProgram(reach, await freePort(), env);
  }

  /** The password of the demo's member, where this start made the demo. */
  get password(): string | undefined {
    return /"username":"demo","password":"([^"]+)"/.exec(this.#output)?.[1];
  }

  async #says(text: string): Promise<void> {
    const { stdout, stderr } = this.#child;
    const output = new Promise<void>((resolve, reject) => {
      for (const stream of [stdout!, stderr!]) {
        stream.on("data", (chunk) => {
          this.#output += String(chunk);
          if (this.#output.includes(text)) resolve();
        });
      }
      void this.#ended.then(() => reject(new Error(`it ended before it ran: ${this.#output}`)));
    });
    await output;
  }

  /**
   * Sends a signal four times, as an impatient operator would, and resolves when the program is gone. Draining takes
   * longer than that: a signal that comes while the process exits afterwards reaches no handler.
   */
  async leave(signal: NodeJS.Signals): Promise<Left> {
    const startedAt = performance.now();
    let sent = 0;
    const send = () => {
      this.#send(signal);
      if (++sent === 4) clearInterval(again);
    };
    const again = setInterval(send, 100);
    send();
    const ended = await this.#ended;
    clearInterval(again);
    return { ...ended, seconds: (performance.now() - startedAt) / 1_000 };
  }

  #send(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    process.kill(this.#reach === "group" ? -pid : pid, signal);
  }

  /** Ends whatever still runs of it. */
  async close(): Promise<void> {
    this.#send("SIGKILL");
    await this.#ended;
  }
}
