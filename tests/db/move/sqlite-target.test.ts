import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteTarget } from "#db/move/sqlite-target.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trio-target-"));
  file = join(folder, "site.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Where the audit of a copy finds it. */
const released = async (target: Awaited<ReturnType<typeof openSqliteTarget>>) => (await target.release()).DATA_DIR!;

describe("a copy that is being moved to a file", () => {
  it("keeps another move out until it is finished, while its audit runs, too", async () => {
    const first = await openSqliteTarget(file);
    await expect(openSqliteTarget(file)).rejects.toThrow("another move is writing site.db");
    await released(first);
    await expect(openSqliteTarget(file)).rejects.toThrow("another move is writing site.db");
    await first.finish();
    await first.close();
    expect(readdirSync(folder)).toEqual(["site.db"]);
    await expect(openSqliteTarget(file)).rejects.toThrow("site.db exists already");
  });

  it("leaves nothing when it breaks off", async () => {
    const target = await openSqliteTarget(file);
    await target.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is cleared by the next move if its own was killed, and no copy is where an earlier one was", async () => {
    const left = join(`${file}.part`, "copy-0123456789ab");
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, "trio.db"), "what a killed move had written");
    const first = await openSqliteTarget(file);
    const place = await released(first);
    expect(existsSync(left)).toBe(false);
    await first.close();
    const second = await openSqliteTarget(file);
    // As the audit that a killed move had begun.
    expect(() => new Sqlite(join(place, "trio.db"))).toThrow("directory does not exist");
    expect(await released(second)).not.toBe(place);
    await second.close();
  });

  it("is not made where something else lies", async () => {
    mkdirSync(`${file}.part`);
    writeFileSync(join(`${file}.part`, "letters.txt"), "mine");
    await expect(openSqliteTarget(file)).rejects.toThrow("no move left it there");
    expect(readdirSync(`${file}.part`)).toEqual(["letters.txt"]);
  });
});
