import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewGame } from "#server/domains/lottery/add-game.ts";
import { clockOf, type Clock, type ClockSource } from "#shared/time.ts";
import { newDatabase, type TestDatabase } from "./databases.ts";
import { freePort } from "./free-port.ts";
import { program } from "./program.ts";
import { spawnBound } from "./spawn-bound.ts";
import type { Story } from "./set-up-story.ts";

export const INVITE = "STORY2026";

/** Rounds of ten seconds that take bets for seven. */
export const TEN_SECONDS: NewGame = { key: "k3-10s", name: "Ten seconds", periodS: 10, closeS: 3 };

/** 2026-03-02 10:00 UTC. */
const FROM = Date.UTC(2026, 2, 2, 10);
/** A server that takes longer to listen, or to stop when told to, has failed. */
const PATIENCE_MS = 120_000;

export interface ServerOptions {
  /** How fast its clock runs; it goes on while the server is down. */
  speed?: number;
  /** When its clock begins, in ms; the clock of operators' commands is always the machine's. */
  from?: number;
  games?: NewGame[];
  env?: Record<string, string>;
  /** A program and its arguments that run it, and each command beside it: one that watches their system calls. */
  under?: () => readonly string[];
  /** Called with the data's folder before the first start. */
  before?: (data: string) => void;
  /** One more process of the same site, with the same database, folder and clock. */
  sameDatabaseAs?: ServerProcess;
}

export const storyOf = ({ speed = 1, from = FROM, games = [TEN_SECONDS] }: ServerOptions): Story => ({
  clock: { kind: "scaled", from, startedAt: Date.now(), speed },
  games,
  invite: INVITE,
});

/** A server's environment, with its data in a folder of the test. */
export const environmentOf = (folder: string, port: number, database: TestDatabase, { env }: ServerOptions) => ({
  DATA_DIR: join(folder, "data"),
  PORT: String(port),
  DEMO: "0",
  RATE_LIMIT: "off",
  ...database.env,
  ...env,
});

/** What a test asks of its server, wherever it runs. */
export type StoryServer = Pick<
  ServerProcess,
  "address" | "clock" | "folder" | "logged" | "command" | "commandWith" | "close"
>;

export interface Ended {
  code: number | null;
  signal: string | null;
}

/** A whole server as its own process, with its own folder and port, to be killed and restarted. */
export class ServerProcess {
  readonly folder: string;
  readonly address: string;
  readonly clock: Clock;
  /** Its log, over all restarts. */
  readonly logged: string[] = [];
  readonly #env: Record<string, string>;
  readonly #under: () => readonly string[];
  #child: ChildProcess | null = null;
  #ended: Promise<Ended> | null = null;
  #listens = false;
  #listening = Promise.withResolvers<void>();

  readonly #database: TestDatabase;
  readonly #source: ClockSource;
  readonly #isFirst: boolean;

  private constructor(port: number, folder: string, database: TestDatabase, options: ServerOptions) {
    const { sameDatabaseAs, under = () => [] } = options;
    this.#under = under;
    this.folder = folder;
    this.#database = database;
    this.#isFirst = !sameDatabaseAs;
    const story = storyOf(options);
    this.#source = sameDatabaseAs ? sameDatabaseAs.#source : story.clock;
    this.clock = clockOf(this.#source);
    this.address = `http://127.0.0.1:${port}`;
    this.#env = {
      PATH: process.env.PATH ?? "",
      STORY: JSON.stringify({ ...story, clock: this.#source }),
      ...environmentOf(folder, port, database, options),
    };
  }

  static async start(options: ServerOptions = {}): Promise<ServerProcess> {
    const { sameDatabaseAs } = options;
    const folder = sameDatabaseAs?.folder ?? mkdtempSync(join(tmpdir(), "trio-story-"));
    const database = sameDatabaseAs ? sameDatabaseAs.#database : await newDatabase(join(folder, "data"));
    options.before?.(join(folder, "data"));
    const server = new ServerProcess(await freePort(), folder, database, options);
    await server.start();
    return server;
  }

  /** The database's address or file, for a program beside the server. */
  get database(): string {
    return this.#database.env.DATABASE_URL ?? join(this.folder, "data", "trio.db");
  }

  /** The process, while it runs. */
  get launched(): ChildProcess {
    if (!this.#child) throw new Error("the server does not run");
    return this.#child;
  }

  /** Starts it and resolves once it listens. */
  async start(): Promise<void> {
    const { stdout } = this.launch();
    let output = "";
    const listens = (async () => {
      for await (const chunk of stdout!) {
        output += String(chunk);
        if (output.includes(`listening on ${this.address}\n`)) return;
      }
      throw new Error(`the server ended before it listened: ${output}${this.logged.slice(-5).join("")}`);
    })();
    await inTime(listens, "the server does not listen");
    this.#listens = true;
    this.#listening.resolve();
  }

  /** From its next start on its clock is so much ahead. On PostgreSQL a statement counts from where the clock began. */
  moveOn(ms: number): void {
    const story = JSON.parse(this.#env.STORY!) as Story & { clock: { from: number } };
    this.#env.STORY = JSON.stringify({ ...story, clock: { ...story.clock, from: story.clock.from + ms } });
  }

  /** Resolves when it listens: at once, or after a restart. */
  listening(): Promise<void> {
    return this.#listening.promise;
  }

  /** Starts it and does not wait. */
  launch(): ChildProcess {
    if (this.#child) throw new Error("the server runs already");
    const [command, ...words] = [...this.#under(), process.execPath, ...program("tests/support/serve.ts")];
    const child = spawnBound(command!, words, { env: this.#env });
    child.stderr!.on("data", (chunk) => this.logged.push(String(chunk)));
    this.#child = child;
    this.#ended = once(child, "exit").then(([code, signal]): Ended => {
      this.#child = null;
      return { code, signal };
    });
    return child;
  }

  /** Resolves when it has ended by itself. */
  async ended(): Promise<Ended> {
    if (!this.#ended) throw new Error("the server does not run");
    if (this.#listens) this.#listening = Promise.withResolvers();
    this.#listens = false;
    return inTime(this.#ended, "the server does not end");
  }

  /** kill -9; resolves when it is dead. */
  kill(): Promise<Ended> {
    return this.signal("SIGKILL");
  }

  signal(signal: NodeJS.Signals): Promise<Ended> {
    if (!this.#child || !this.#ended) throw new Error("the server does not run");
    // Those who wait for a start that failed wait for the next one.
    if (this.#listens) this.#listening = Promise.withResolvers();
    this.#listens = false;
    this.#child.kill(signal);
    return inTime(this.#ended, `the server does not heed ${signal}`);
  }

  /** Suspends it, or resumes it. */
  send(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child?.kill(signal);
  }

  /** Runs an operator's command. */
  command(...words: string[]): Promise<{ code: number; out: string }> {
    return this.commandWith("", ...words);
  }

  /** Runs one that asks for a secret. */
  commandWith(secret: string, ...words: string[]): Promise<{ code: number; out: string }> {
    return this.#run(secret, "server/admin/main.ts", words);
  }

  /** Runs one of the project's commands beside it. */
  run(file: string, ...args: string[]): Promise<{ code: number; out: string }> {
    return this.#run("", file, args);
  }

  async #run(input: string, file: string, args: string[]): Promise<{ code: number; out: string }> {
    const [command, ...words] = [...this.#under(), process.execPath, ...program(file), ...args];
    const child = spawnBound(command!, words, { env: this.#env });
    child.stdin!.end(input);
    let out = "";
    for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => (out += String(chunk)));
    const [code] = (await once(child, "close")) as [number];
    return { code, out };
  }

  async close(): Promise<void> {
    if (this.#child) await this.kill();
    if (!this.#isFirst) return;
    await this.#database.drop();
    rmSync(this.folder, { recursive: true });
  }
}

async function inTime<T>(work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
