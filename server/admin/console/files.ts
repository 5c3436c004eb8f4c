import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Misused, type Operator } from "#server/admin/command.ts";
import { isAlive } from "#server/admin/video/work-folder.ts";
import type { MadeFile } from "#shared/console.ts";

/** The largest file that is taken: as large as a video may be. */
const MOST_BYTES = 16 * 1_024 ** 3;
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N} ._()-]{0,120}$/u;

/** The folders of this process. Another one may have had its number before. */
const ours = new Set<string>();

/**
 * Files on their way to a command, and those that commands made, in `console` of the data folder. Each is its session's
 * alone and goes with it. What a console left that was killed goes when the next one starts.
 */
export class Files {
  readonly #root: string;
  readonly #random: Operator["random"];
  readonly #paths = new Map<string, { path: string; owner: string }>();
  /** Whose each folder is. */
  readonly #owners = new Map<string, string>();

  private constructor(root: string, random: Operator["random"]) {
    this.#root = root;
    this.#random = random;
  }

  static async open({ random, config: { dataDir } }: Pick<Operator, "random" | "config">): Promise<Files> {
    const place = join(dataDir, "console");
    await removeLeft(place);
    const root = join(place, `${process.pid}-${Buffer.from(random(4)).toString("hex")}`);
    await mkdir(root, { recursive: true, mode: 0o700 });
    ours.add(basename(root));
    return new Files(root, random);
  }

  /** Stores a file. `beside`: the id of another one, whose folder it shares. Throws Misused for an unfit name. */
  async store(owner: string, { name, beside, body }: { name: string; beside: string | undefined; body: Readable }) {
    if (!NAME.test(name)) throw new Misused("a file's name has letters, digits, spaces and ._()- only");
    const folder = beside === undefined ? this.place() : dirname(this.path(owner, beside));
    if (beside === undefined) await this.make(owner, folder);
    const path = join(folder, name);
    let bytes = 0;
    const bounded = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        done(bytes > MOST_BYTES ? new Misused("the file is too large") : null, chunk);
      },
    });
    try {
      await pipeline(body, bounded, createWriteStream(path, { flags: "wx" }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new Misused(`${name} is there already`);
      await (beside === undefined ? this.remove(folder) : rm(path, { force: true }));
      throw error;
    }
    if (this.#owners.get(folder) === owner) return this.#keep(owner, path);
    await this.remove(folder);
    throw new Misused("the session ended meanwhile: sign in again");
  }

  #keep(owner: string, path: string): MadeFile {
    const id = Buffer.from(this.#random(16)).toString("hex");
    this.#paths.set(id, { path, owner });
    return { id, name: basename(path) };
  }

  /** The path of a file of this session. Throws Misused for any other. */
  path(owner: string, id: string): string {
    const file = this.#paths.get(id);
    if (file?.owner !== owner) throw new Misused("there is no such file: choose it again");
    return file.path;
  }

  /** Words of a command with names for paths of files here. */
  named<T extends Record<string, string | undefined>>(words: T): T {
    const nameOf = (word: string | undefined) => word?.replaceAll(this.#root, "").replaceAll(/\/[0-9a-f]{16}\//g, "");
    return Object.fromEntries(Object.entries(words).map(([key, word]) => [key, nameOf(word)])) as T;
  }

  /** Where a folder may be made. Nothing is there yet. */
  place(): string {
    return join(this.#root, Buffer.from(this.#random(8)).toString("hex"));
  }

  /** Makes an empty folder of this session. */
  async make(owner: string, folder: string): Promise<void> {
    this.#owners.set(folder, owner);
    await mkdir(folder, { mode: 0o700 });
  }

  /** What a command left in a folder: nothing where its session ended meanwhile. An empty folder goes. */
  async made(owner: string, folder: string): Promise<MadeFile[]> {
    const names = this.#owners.get(folder) === owner ? await readdir(folder) : [];
    if (names.length === 0) await this.remove(folder);
    return names.map((name) => this.#keep(owner, join(folder, name)));
  }

  read(owner: string, id: string): { name: string; body: Readable } {
    const path = this.path(owner, id);
    return { name: basename(path), body: createReadStream(path) };
  }

  /** Forgets a file, with all that is beside it. */
  async drop(id: string): Promise<void> {
    const file = this.#paths.get(id);
    if (file) await this.remove(dirname(file.path));
  }

  /** Removes a folder, with all that is in it. */
  async remove(folder: string): Promise<void> {
    this.#owners.delete(folder);
    for (const [id, { path }] of this.#paths) if (dirname(path) === folder) this.#paths.delete(id);
    // What still writes into it may add a file meanwhile.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Removes all that a session has. */
  async forget(owner: string): Promise<void> {
    const folders = [...this.#owners].filter(([, whose]) => whose === owner).map(([folder]) => folder);
    await Promise.all(folders.map((folder) => this.remove(folder)));
  }

  close(): Promise<void> {
    ours.delete(basename(this.#root));
    return rm(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Removes the files of consoles that run no longer. */
async function removeLeft(place: string): Promise<void> {
  const names = await readdir(place).catch(() => []);
  const left = names.filter((name) => !ours.has(name) && !isAlive(Number.parseInt(name, 10)));
  await Promise.all(left.map((name) => rm(join(place, name), { recursive: true, force: true })));
}
