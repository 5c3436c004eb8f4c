import { setTimeout } from "node:timers/promises";
import { isDatabaseAway } from "#db/away.ts";
import { settings } from "#db/schema/site.ts";
import type { Db } from "#db/db.ts";
import type { SettingsReader } from "./deps.ts";
import { SETTINGS } from "#server/domains/site/settings.ts";

/** After a longer outage, realtime/away.ts triggers a reload when the database is back. */
const MOST_TRIES = 10;
const AGAIN_MS = 500;

/** This process's cache of the settings, reloaded at each announced change. */
export class Settings implements SettingsReader {
  readonly #db: Pick<Db, "read">;
  #set = new Map<string, unknown>();

  constructor(db: Pick<Db, "read">) {
    this.#db = db;
  }

  async load(): Promise<void> {
    const rows = await this.#db.read.select().from(settings);
    this.#set = new Map(rows.map(({ name, value }) => [name, value]));
  }

  /** Reloads after a change, with retries: a change is announced only once. */
  async reload(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.load();
      } catch (error) {
        if (tries === MOST_TRIES || !isDatabaseAway(error)) throw error;
        await setTimeout(AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  get<T = unknown>(name: string): T {
    const setting = SETTINGS[name];
    if (!setting) throw new Error(`there is no setting ${name}`);
    return (this.#set.has(name) ? this.#set.get(name) : setting.fallback) as T;
  }
}
