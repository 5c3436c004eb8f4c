import { closeSync, lstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { syncFile, syncFolder, takeFreeName } from "./durable.ts";
import { PartFolder, Taken, Unwritable } from "./part-folder.ts";

/** An unfinished file, a backup or what is restored from one, under a name of its own in the folder `FILE.part`. */
export class BackupDraft {
  /** An empty file for the copy. */
  readonly path: string;
  readonly #file: string;
  readonly #part: PartFolder;

  private constructor(file: string, part: PartFolder) {
    this.#file = file;
    this.#part = part;
    this.path = this.another();
  }

  /** Throws Unwritable when the name is taken, or another process is writing a backup of this name. */
  static async open(file: string): Promise<BackupDraft> {
    for (const end of ["", "-wal", "-shm", "-journal"])
      if (lstatSync(file + end, { throwIfNoEntry: false })) throw taken(file + end);
    return new BackupDraft(file, await PartFolder.enter(file, "backup"));
  }

  /** Removes what a killed process left of a file. One that is being written stays. */
  static async clear(file: string): Promise<void> {
    try {
      const part = await PartFolder.tryToEnter(file, "backup");
      await part?.close();
    } catch (error) {
      if (!(error instanceof Unwritable)) throw error;
    }
  }

  /** Another empty file beside the draft, which goes when the draft is closed. */
  another(): string {
    const path = this.#part.newCopy();
    // It will hold password hashes: only the owner may read it, from its first byte.
    closeSync(openSync(path, "wx", 0o600));
    return path;
  }

  /** Gives the backup its final name, durably. Throws Unwritable if the name was taken meanwhile. */
  async finish(): Promise<void> {
    await syncFile(this.path);
    await takeFreeName(this.path, this.#file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST" ? taken(this.#file) : error;
    });
    await syncFolder(dirname(this.#file));
  }

  /** Removes the folder and what is left in it. */
  close(): Promise<void> {
    return this.#part.close();
  }
}

const taken = (file: string) => new Taken(`${file} exists already`);
