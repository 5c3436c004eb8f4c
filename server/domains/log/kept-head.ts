import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { lt } from "drizzle-orm";
import { makeFolder, writeDurably } from "#db/durable.ts";
import type { Tx } from "#db/db.ts";
import { logKeys } from "#db/schema/log.ts";
import { parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import { parseNote } from "#shared/log/note.ts";
import { isSame } from "#shared/log/strict.ts";
import { storedRoot } from "./stored-tree.ts";

/** The database has another log than the one whose head was kept: it was restored, or changed. Nothing is signed. */
export class LogForked extends Error {
  override name = "LogForked";
}

/** The log of the database, and how many leaves it has. */
interface GrownLog {
  log: number;
  origin: string;
  size: number;
}

/**
 * The last head that was announced, kept outside the database. A database that was restored from a backup does not lead
 * to it, and so cannot sign a second log of the same name unseen.
 */
export class KeptHead {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Makes the folder. Throws an Error that an operator understands where no head could be kept: no round would be drawn. */
  async makePlace(): Promise<void> {
    const folder = dirname(this.#file);
    try {
      await makeFolder(folder);
      await this.tryPlace();
    } catch (error) {
      const { message } = error as Error;
      throw new Error(
        `HEAD_FILE is ${this.#file}, where the head of the public log cannot be kept (${message}). Mount its disk and let ` +
          `the server write to ${folder}, or set HEAD_FILE to another place.`,
        { cause: error },
      );
    }
  }

  /** Writes into the folder, and leaves nothing there. Throws where a head cannot be read or kept. */
  async tryPlace(): Promise<void> {
    // What a readable file says is judged as heads are signed: until then the site may run.
    await readFile(this.#file).catch(unlessMissing);
    await writeDurably(this.#file, "", (draft) => rm(draft));
  }

  /** The kept head; null where there is none. Throws LogForked for a file that holds anything else. */
  async read(): Promise<Checkpoint | null> {
    const text = await readFile(this.#file, "utf8").catch(unlessMissing);
    return text === null ? null : this.#headIn(text);
  }

  #headIn(text: string): Checkpoint {
    const head = parseCheckpoint(parseNote(text)?.text ?? "");
    if (!head) throw new LogForked(`${this.#file} holds no head of a log.`);
    return head;
  }

  /** Throws LogForked unless the head to be signed extends the kept one. */
  async assertExtendedBy(read: Tx, { log, origin, size }: GrownLog): Promise<void> {
    const kept = await this.read();
    if (!kept) return;
    const name = `${this.#file} holds a head of ${kept.size} leaves`;
    // A log that ended by name, when the operator said that the database was restored.
    if ((await olderOrigins(read, log)).includes(kept.origin)) return;
    if (kept.origin !== origin) throw new LogForked(`${name} of another log: ${kept.origin}.`);
    if (kept.size > size) throw new LogForked(`${name}, and the database has ${size}.`);
    if (!isSame(await storedRoot(read, log, kept.size), kept.root))
      throw new LogForked(`${name}, and the log of the database begins otherwise.`);
  }

  /** Durable once it resolves. A newer head of the same log, kept by another process meanwhile, stays. */
  async keep(note: string): Promise<void> {
    const head = parseCheckpoint(parseNote(note)!.text)!;
    const isOlder = (kept: Checkpoint | null) => kept?.origin === head.origin && kept.size > head.size;
    if (isOlder(await this.read())) return;
    // Writing takes a while, in which another process may keep a newer head. Nothing waits between this look and the name.
    await writeDurably(this.#file, note, async (draft, path) => {
      if (isOlder(existsSync(path) ? this.#headIn(readFileSync(path, "utf8")) : null)) rmSync(draft);
      else renameSync(draft, path);
    });
  }
}

function unlessMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
  throw error;
}

const olderOrigins = async (read: Tx, log: number): Promise<string[]> =>
  (await read.select({ origin: logKeys.origin }).from(logKeys).where(lt(logKeys.log, log))).map(({ origin }) => origin);
