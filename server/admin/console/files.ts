import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Misused, type Operator } from "#server/admin/command.ts";
import type { MadeFile } from "#shared/console.ts";

/** The largest file that is taken: as large as a video may be. */
const MOST_BYTES = 16 * 1_024 ** 3;
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N} ._()-]{0,120}$/u;

/** Files on their way to a command, and those that commands made: each is its session's alone, in a folder that goes with the console. */
export class Files {
  readonly #root: string;
  readonly #random: Operator["random"];
  readonly #paths = new Map<string, { path: string; owner: string }>();

  private constructor(root: string, random: Operator["random"]) {
    this.#root = root;
    this.#random = random;
  }

  static async open({ random }: Pick<Operator, "random">): Promise<Files> {
    return new Files(await mkdtemp(join(tmpdir(), "trio-console-")), random);
  }

  /** Stores a file. `beside`: the id of another one, whose folder it shares. Throws Misused for an unfit name. */
  async store(owner: string, { name, beside, body }: { name: string; beside: string | undefined; body: Readable }) {
    if (!NAME.test(name)) throw new Misused("a file's name has letters, digits, spaces and ._()- only");
    const folder = beside === undefined ? await this.folder() : dirname(this.path(owner, beside));
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
      await rm(path, { force: true });
      throw error;
    }
    return this.#keep(owner, path);
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

  /** An empty folder. */
  async folder(): Promise<string> {
    const folder = join(this.#root, Buffer.from(this.#random(8)).toString("hex"));
    await mkdir(folder);
    return folder;
  }

  /** What a command left in a folder. */
  async made(owner: string, folder: string): Promise<MadeFile[]> {
    const names = await readdir(folder);
    return names.map((name) => this.#keep(owner, join(folder, name)));
  }

  read(owner: string, id: string): { name: string; body: Readable } {
    const path = this.path(owner, id);
    return { name: basename(path), body: createReadStream(path) };
  }

  /** Forgets a file, with all that is beside it. */
  async drop(owner: string, id: string): Promise<void> {
    const folder = dirname(this.path(owner, id));
    for (const [one, { path }] of this.#paths) if (dirname(path) === folder) this.#paths.delete(one);
    await rm(folder, { recursive: true, force: true });
  }

  close(): Promise<void> {
    return rm(this.#root, { recursive: true, force: true });
  }
}
