import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { House } from "./open-house.ts";

const PROGRAM = fileURLToPath(new URL("./house.ts", import.meta.url));
const PRELOAD = new URL("../../server/preload.mjs", import.meta.url).href;

/** The server was killed before it answered. */
export class Killed extends Error {
  override name = "Killed";
}

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

/** A server in a process of its own, to be asked, killed and started again. It ends with this process. */
export class HouseProcess {
  readonly #env: Record<string, string>;
  #child: ChildProcess | null = null;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  address = "";

  constructor(env: Record<string, string>) {
    this.#env = env;
  }

  get runs(): boolean {
    return this.#child !== null;
  }

  async start(now: number, more: Record<string, string> = {}): Promise<void> {
    const env = { PATH: process.env.PATH ?? "", ...this.#env, ...more, NOW: String(now) };
    const execArgv = ["--import", PRELOAD];
    const child = fork(PROGRAM, {
      env,
      execArgv,
      serialization: "advanced",
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#child = child;
    child.on("message", ({ id, answer, failure }: { id: number; answer?: never; failure?: string }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failure === undefined) waiting?.resolve(answer as never);
      else waiting?.reject(new Error(failure));
    });
    child.on("exit", () => {
      this.#child = null;
      for (const { reject } of this.#waiting.values()) reject(new Killed());
      this.#waiting.clear();
    });
    await new Promise((resolve, reject) => this.#waiting.set(0, { resolve, reject }));
    this.address = await this.ask("address");
  }

  ask<K extends keyof House>(name: K, ...input: Parameters<House[K]>): Promise<Awaited<ReturnType<House[K]>>> {
    const child = this.#child;
    if (!child) return Promise.reject(new Killed());
    return new Promise((resolve, reject) => {
      const id = ++this.#asked;
      this.#waiting.set(id, { resolve, reject });
      child.send({ id, name, input }, (error) => error && reject(new Killed()));
    });
  }

  /** kill -9; resolves when it is dead. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}
