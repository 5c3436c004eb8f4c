import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { Refused } from "#server/admin/command.ts";
import { WorkFolder } from "#server/admin/video/work-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

const HASH = "0".repeat(64);
const place = join(folder, "imports", HASH);
const lock = join(place, "lock");
const enter = () => WorkFolder.enter(folder, HASH);

/** A process id that no process has or ever had. */
const NOBODY = 2 ** 30;

describe("the lock of an import", () => {
  it("names its holder from its first moment", async () => {
    const seen = new Set<string>();
    for (let i = 0; i < 50; i++) {
      const entering = enter();
      let isOver = false;
      void entering.finally(() => (isOver = true));
      while (!isOver) {
        await turn();
        if (existsSync(lock)) seen.add(readFileSync(lock, "utf8"));
      }
      expect(readdirSync(place)).toEqual(["lock"]);
      await (await entering).leave();
    }
    expect(seen).toEqual(new Set([String(process.pid)]));
  });

  it("refuses others while its holder lives, and leaves nothing of them", async () => {
    writeFileSync(lock, String(process.ppid));
    await expect(enter()).rejects.toBeInstanceOf(Refused);
    expect([readdirSync(place), readFileSync(lock, "utf8")]).toEqual([["lock"], String(process.ppid)]);
  });

  it("is taken over from a dead process", async () => {
    writeFileSync(lock, String(NOBODY));
    const work = await enter();
    expect([readdirSync(place), readFileSync(lock, "utf8")]).toEqual([["lock"], String(process.pid)]);
    await work.leave();
    expect(readdirSync(place)).toEqual([]);
  });
});
