import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { videos } from "#db/schema/index.ts";
import { auditFiles } from "#server/admin/audit/files.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { StorageAway, StoredNames } from "#server/admin/audit/stored-names.ts";
import type { Operator } from "#server/admin/command.ts";
import { folderStorage } from "#server/storage/folder.ts";
import type { Storage } from "#server/storage/storage.ts";
import { add, emptyRows, type Rows } from "./audit-rows.ts";

let rows: Rows;
let folder: string;
let storage: Storage;
beforeAll(async () => {
  rows = await emptyRows();
  folder = mkdtempSync(join(tmpdir(), "trio-"));
  storage = folderStorage(folder);
  await Promise.all(FILMS.flatMap((id) => NAMES.map((name) => storage.put(`videos/${id}/${name}`, new Uint8Array(1)))));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await rows.close();
});

const FILMS = Array.from({ length: 18 }, (_, i) => i + 1);
const NAMES = ["init.mp4", "one.m4s"];

/** Videos in folders of their own. Each of these has so many files more than the storage has. */
async function write(tx: Tx, films: number[], more: Record<number, string[]> = {}): Promise<void> {
  const film = { categoryId: 1, title: {}, durationMs: 1, publishedAt: 1, captions: [] };
  const rendition = (id: number) => {
    const segments = ["one.m4s", ...(more[id] ?? [])].map((name) => ({ name }));
    return { init: "init.mp4", segments } as unknown as (typeof videos.$inferInsert)["renditions"][number];
  };
  const row = (id: number) => ({ ...film, id, source: `${id}`, folder: `videos/${id}`, renditions: [rendition(id)] });
  await add(tx, videos, ...films.map(row));
}

/** How many files are counted, and what is said. */
const saidOf = (films: number[], more: Record<number, string[]> = {}, over: Partial<Storage> = {}) =>
  rows.during(
    (tx) => write(tx, films, more),
    async (read) => {
      const found = new Findings();
      const operator = { db: { read }, storage: { ...storage, ...over } } as Pick<Operator, "db" | "storage">;
      const files = await auditFiles(operator, found);
      return { files, problems: found.problems };
    },
  );
const mend =
  "restore the files from their backup, or remove the video and import it again (video:remove, video:import)";
const one = (id: number, name: string) =>
  `video vid_${id}: its file videos/${id}/${name} is not in the storage; ${mend}`;

/** The storage, with a count of the folders that are listed, and of those that are listed at once. */
function watched() {
  const seen = { folders: [] as string[], most: 0 };
  let now = 0;
  const list = async (name: string) => {
    seen.folders.push(name);
    seen.most = Math.max(seen.most, ++now);
    const files = await storage.list(name);
    now--;
    return files;
  };
  return { seen, list };
}

describe("the audit of stored files", () => {
  it("counts them, and finds all of them", async () => {
    expect(await saidOf([])).toEqual({ files: 0, problems: [] });
    expect(await saidOf([3])).toEqual({ files: 2, problems: [] });
    expect(await saidOf(FILMS)).toEqual({ files: 36, problems: [] });
  });

  it("names those that are missing", async () => {
    expect(await saidOf(FILMS, { 17: ["two.m4s"] })).toEqual({ files: 37, problems: [one(17, "two.m4s")] });
    const some = { 1: ["two.m4s", "three.m4s"], 2: ["two.m4s"] };
    const many = `video vid_1: 2 of its 4 files are not in the storage, the first is videos/1/two.m4s; ${mend}`;
    expect(await saidOf([1, 2, 3], some)).toEqual({ files: 9, problems: [many, one(2, "two.m4s")] });
  });

  it("lists each folder once, and sixteen at once", async () => {
    const { seen, list } = watched();
    await saidOf(FILMS, {}, { list });
    expect(seen).toEqual({ folders: FILMS.map((id) => `videos/${id}`), most: 16 });
  });

  it("looks once more for what it missed, and for nothing else", async () => {
    const { seen, list } = watched();
    await saidOf([1, 2, 3], { 2: ["two.m4s"] }, { list });
    expect(seen.folders).toEqual(["videos/1", "videos/2", "videos/3", "videos/2"]);
  });

  it("says why it could not look", async () => {
    const list = () => Promise.reject(new Error("HTTP 503"));
    const problems = ["the files could not be checked: HTTP 503"];
    expect(await saidOf([1], {}, { list })).toEqual({ files: 0, problems });
  });

  it("does not take another failure for one of the storage", async () => {
    const work = () =>
      rows.during(
        (tx) => write(tx, [1]),
        async () => {
          const operator = { db: {}, storage } as Pick<Operator, "db" | "storage">;
          await auditFiles(operator, new Findings());
        },
      );
    await expect(work()).rejects.toThrow(TypeError);
  });
});

describe("the names in the storage", () => {
  it("tell which files are missing, in their order", async () => {
    const stored = new StoredNames(storage);
    const some = ["videos/1/two.m4s", "videos/1/one.m4s", "videos/2/two.m4s", "videos/2/one.m4s", "none/1.webp"];
    expect(await stored.lacking(some)).toEqual(["videos/1/two.m4s", "videos/2/two.m4s", "none/1.webp"]);
    expect(await stored.lacking([])).toEqual([]);
  });

  it("are listed once for each folder", async () => {
    const { seen, list } = watched();
    const stored = new StoredNames({ list });
    await stored.lacking(["videos/1/one.m4s", "videos/1/two.m4s", "videos/2/one.m4s"]);
    await stored.lacking(["videos/1/three.m4s", "videos/2/two.m4s"]);
    expect(seen.folders).toEqual(["videos/1", "videos/2"]);
  });

  it("are away with the storage, for its reason", async () => {
    const cause = new Error("HTTP 503");
    const stored = new StoredNames({ list: () => Promise.reject(cause) });
    const error = await stored.lacking(["videos/1/one.m4s"]).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(StorageAway);
    expect(error).toMatchObject({ name: "StorageAway", message: "HTTP 503", cause });
  });
});
