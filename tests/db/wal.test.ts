import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import type { Db } from "#db/db.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { settings } from "#db/schema/index.ts";
import { WAL_SIZE_LIMIT } from "#db/sqlite/open.ts";
import { LongRead } from "#db/sqlite/read.ts";

const MIB = 2 ** 20;
const WRITER = new URL("../../server/writer/sqlite-main.ts", import.meta.url);

let folder: string;
let file: string;
let db: Db;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "trio-wal-"));
  file = join(folder, "trio.db");
  await migrateDatabase(file);
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

async function open(walLimit?: number): Promise<void> {
  const postgresWork = async () => ({ batches: {}, jobs: {} });
  const onFatal = (error: Error) => expect.unreachable(error.message);
  db = await connect(file, {
    writer: WRITER,
    postgresWork,
    clock: { kind: "wall" },
    onFatal,
    ...(walLimit && { walLimit }),
  });
}

const walBytes = () => statSync(`${file}-wal`).size;

/** Writes a value of so many bytes, different each time: SQLite does not write unchanged pages. */
const write = (bytes: number) =>
  db.transact(async (tx) => {
    const value = crypto.randomUUID().repeat(Math.ceil(bytes / 36));
    await tx
      .insert(settings)
      .values({ name: "big", value })
      .onConflictDoUpdate({ target: settings.name, set: { value } });
  });

async function growTo(bytes: number): Promise<void> {
  while (walBytes() < bytes) await write(4 * MIB);
}

const look = (read: Db["read"]) => read.select({ name: settings.name }).from(settings);

describe("the files of a database", () => {
  it("are readable by their owner alone", async () => {
    await open();
    await write(100);
    const modes = ["", "-wal", "-shm"].map((end) => (statSync(`${file}${end}`).mode & 0o777).toString(8));
    expect(modes).toEqual(["600", "600", "600"]);
  });
});

describe("a long reader", () => {
  it("keeps its snapshot while the WAL grows, and the WAL shrinks when it is gone", async () => {
    await open();
    await write(100);
    await db.snapshot(async (read) => {
      const before = await read.select().from(settings);
      await growTo(WAL_SIZE_LIMIT + 16 * MIB);
      expect(await read.select().from(settings)).toEqual(before);
    });
    expect(walBytes()).toBeGreaterThan(WAL_SIZE_LIMIT);
    await expect
      .poll(
        async () => {
          await write(100);
          return walBytes();
        },
        { timeout: 60_000 },
      )
      .toBeLessThanOrEqual(WAL_SIZE_LIMIT);
  });

  it("is ended once the WAL has outgrown its limit, gets a hint, and never blocks others", async () => {
    await open(16 * MIB);
    await write(100);
    const reading = db.snapshot(async (read) => {
      for (;;) {
        await look(read);
        await write(4 * MIB);
      }
    });
    const ended = await reading.catch((error: unknown) => error);
    expect(ended).toBeInstanceOf(LongRead);
    expect((ended as Error).message).toMatch(/has grown to (1[6-9]|2\d) MiB.* Run it on a backup/);
    expect(walBytes()).toBeLessThan(32 * MIB);
    await write(100);
    expect(await db.snapshot(look)).toEqual([{ name: "big" }]);
  });
});
