import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isPostgres } from "#db/dialect.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Config } from "#server/config/config.ts";
import { HOUR_MS, MINUTE_MS, toIso } from "#shared/time.ts";
import { dueAt, isGood, isMade, readBackups } from "./backup-folder.ts";
import { Retries } from "./retries.ts";

const PRELOAD = new URL("../preload.mjs", import.meta.url).href;
/** The operators' commands are a program of their own. */
const ADMIN = join(import.meta.dirname, "..", "admin", "main.ts");
/** Members come first. */
const PRIORITY = 10;

/** What is known of the backups. NaN where none are planned. */
export interface BackupFigures {
  /** How old the newest good one is; infinite without one. */
  ageMs: number;
  /** How long the next good one is overdue. */
  lateMs: number;
  /** What the trial of the newest one found. */
  problems: number;
}

const UNPLANNED: BackupFigures = { ageMs: Number.NaN, lateMs: Number.NaN, problems: Number.NaN };

/** Of a folder that cannot be read. */
const UNREADABLE: BackupFigures = {
  ageMs: Number.POSITIVE_INFINITY,
  lateMs: Number.POSITIVE_INFINITY,
  problems: Number.NaN,
};

/**
 * Makes each backup that is due, in a process of its own: copying, trying and sealing take long. Of many servers with
 * one folder one makes it, as the folder's lock decides.
 */
export class BackupClock {
  readonly #deps: Deps;
  readonly #config: Config;
  readonly #retries: Retries;
  readonly #since: number;
  #child: ChildProcess | null = null;
  #isStopped = false;

  constructor(deps: Deps, config: Config) {
    this.#deps = deps;
    this.#config = config;
    this.#retries = new Retries(deps);
    this.#since = deps.clock.now();
  }

  async tick(): Promise<number> {
    if (this.#config.backups && !this.#isStopped) await this.#retries.run("back up", () => this.#makeDue());
    return MINUTE_MS;
  }

  /** Ends a backup that is being made. The next one clears what it leaves. */
  stop(): void {
    this.#isStopped = true;
    this.#child?.kill();
  }

  async figures(): Promise<BackupFigures> {
    const plan = this.#config.backups;
    if (!plan) return UNPLANNED;
    const now = this.#deps.clock.now();
    const found = await readBackups(plan.dir).catch(() => null);
    if (found === null) return UNREADABLE;
    const all = found.filter(({ at }) => at <= now);
    const goodAt = all.findLast(isGood)?.at ?? null;
    const lateMs = Math.max(0, now - (goodAt === null ? this.#since : goodAt + plan.everyHours * HOUR_MS));
    const ageMs = goodAt === null ? Number.POSITIVE_INFINITY : Math.max(0, now - goodAt);
    return { ageMs, lateMs, problems: all.at(-1)?.trial?.problems.length ?? 0 };
  }

  async #makeDue(): Promise<void> {
    const plan = this.#config.backups!;
    const now = this.#deps.clock.now();
    const at = dueAt(now, plan);
    if (isMade(await readBackups(plan.dir), at, now)) return;
    const said = await this.#run(["backup:due", "--at", toIso(at)]);
    if (said !== "") this.#deps.log.info({ backup: said }, "backup made");
  }

  /** Runs a command. Rejects with the reason when it fails. */
  async #run(words: string[]): Promise<string> {
    const child = spawn(process.execPath, ["--import", PRELOAD, ADMIN, ...words], {
      env: { ...process.env, ...environmentOf(this.#config) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    try {
      await once(child, "spawn");
      setPriority(child.pid!, PRIORITY);
      const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      if (code !== 0 && !this.#isStopped) throw new Error(`${err}${out}`.trim() || `${words[0]} ended with ${code}`);
      return out.trim();
    } finally {
      this.#child = null;
    }
  }
}

/** The variables that make the command's configuration the same as this server's. */
function environmentOf({ backups, backupRecipients, dataDir, database, masterKey }: Config): Record<string, string> {
  const { dir, everyHours, keepDays, keepWeeks } = backups!;
  return {
    DATA_DIR: dataDir,
    DATABASE_URL: isPostgres(database) ? database : "",
    MASTER_KEY: masterKey ?? "",
    BACKUP_DIR: dir,
    BACKUP_HOURS: String(everyHours),
    BACKUP_KEEP_DAYS: String(keepDays),
    BACKUP_KEEP_WEEKS: String(keepWeeks),
    BACKUP_RECIPIENTS: backupRecipients.join(","),
  };
}
