import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLog } from "#server/app/log.ts";
import { startServer, type Running } from "#server/app/start.ts";
import { readConfig } from "#server/config/config.ts";
import { clockOf, type Clock } from "#shared/time.ts";
import { newDatabase, type TestDatabase } from "./databases.ts";
import { runCommand } from "./run-command.ts";
import { freePort } from "./free-port.ts";
import { environmentOf, storyOf, type ServerOptions, type StoryServer } from "./server-process.ts";
import { setUpStory } from "./set-up-story.ts";

/**
 * A whole server with its loops, in the test's own process: a new one would first load the program. A server that is to
 * be killed, or is one of several, is a ServerProcess.
 */
export class ServerHere implements StoryServer {
  readonly folder: string;
  readonly clock: Clock;
  readonly logged: string[];
  /** The address of its database. */
  readonly database: string;
  readonly #env: Record<string, string>;
  readonly #database: TestDatabase;
  readonly #running: Running;

  private constructor(parts: Pick<ServerHere, "folder" | "clock" | "logged">, opened: Opened) {
    this.folder = parts.folder;
    this.clock = parts.clock;
    this.logged = parts.logged;
    this.database = opened.address;
    this.#env = opened.env;
    this.#database = opened.database;
    this.#running = opened.running;
  }

  static async start(options: ServerOptions = {}): Promise<ServerHere> {
    const folder = mkdtempSync(join(tmpdir(), "trio-story-"));
    const database = await newDatabase(join(folder, "data"));
    const env = environmentOf(folder, await freePort(), database, options);
    const story = storyOf(options);
    const logged: string[] = [];
    const log = openLog("warn", { write: (line: string) => void logged.push(line) });
    const config = readConfig(env, []);
    const running = await startServer(config, { clock: story.clock, log });
    await setUpStory(running.site, story);
    return new ServerHere(
      { folder, clock: clockOf(story.clock), logged },
      { env, database, running, address: config.database },
    );
  }

  get address(): string {
    return this.#running.address;
  }

  command(...words: string[]): Promise<{ code: number; out: string }> {
    return this.commandWith("", ...words);
  }

  async commandWith(secret: string, ...words: string[]): Promise<{ code: number; out: string }> {
    const { exit, out, err } = await runCommand(this.#env, words, secret);
    return { code: exit, out: `${out}${err}` };
  }

  async close(): Promise<void> {
    await this.#running.drain();
    await this.#database.drop();
    rmSync(this.folder, { recursive: true });
  }
}

interface Opened {
  env: Record<string, string>;
  database: TestDatabase;
  address: string;
  running: Running;
}
