import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { makeFolder, syncTree, writeDurably } from "#db/durable.ts";
import { Refused } from "#server/admin/command.ts";

/** The SHA-256 of a file, in hex. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/**
 * The working folder of an import, below the data folder and named after the file's hash. A finished step stays
 * finished, so an interrupted import resumes.
 */
export class WorkFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Throws Refused when another process has the lock. */
  static async enter(dataDir: string, sha256: string): Promise<WorkFolder> {
    const work = new WorkFolder(join(dataDir, "imports", sha256));
    await makeFolder(work.path);
    await work.#lock();
    return work;
  }

  /** Does a step in a folder of its own, unless it is finished already. An unfinished step is redone. Returns the folder. */
  async once(step: string, work: (folder: string) => Promise<void>): Promise<string> {
    const folder = join(this.path, step);
    if (await isFolder(folder)) return folder;
    // A program left over from a killed import may still write into an older draft.
    const draft = `${folder}.${randomBytes(6).toString("hex")}`;
    await mkdir(draft);
    try {
      await work(draft);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
    // The final name means that the folder is complete, even after a power cut.
    await syncTree(draft);
    await rename(draft, folder);
    return folder;
  }

  /** Makes a word once, and returns the same one after an interruption. */
  async remember(name: string, make: () => string): Promise<string> {
    const file = join(this.path, name);
    const known = await readFile(file, "utf8").catch(() => "");
    if (known.endsWith("\n")) return known.trim();
    const word = make();
    await writeDurably(file, `${word}\n`);
    return word;
  }

  /** Releases the lock. Finished steps stay. */
  async leave(): Promise<void> {
    await rm(this.#lockFile, { force: true });
  }

  /** Removes the folder. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  get #lockFile(): string {
    return join(this.path, "lock");
  }

  async #lock(): Promise<void> {
    for (const _ of [1, 2]) {
      if (await this.#take()) return;
      const holder = Number(await readFile(this.#lockFile, "utf8").catch(() => ""));
      if (isAlive(holder)) break;
      await rm(this.#lockFile, { force: true });
    }
    throw new Refused("another process is importing it");
  }

  /** Tries to take the lock. The lock file appears with its owner's pid in it, or not at all. */
  async #take(): Promise<boolean> {
    const draft = `${this.#lockFile}.${randomBytes(6).toString("hex")}`;
    await writeFile(draft, String(process.pid), { mode: 0o600 });
    try {
      await link(draft, this.#lockFile);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }
}

/** Whether another process has this number. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory() ?? false;
