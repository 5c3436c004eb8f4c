import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNotNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logHeads } from "#db/schema/log.ts";
import { rounds } from "#db/schema/lottery.ts";
import { openLog } from "#server/app/log.ts";
import { openSite } from "#server/app/site.ts";
import { world, type World } from "../../support/world.ts";

let disk: string;
let w: World;

beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), "trio-disk-"));
});
afterEach(async () => {
  await w.close();
  rmSync(disk, { recursive: true });
});

describe("HEAD_FILE on another disk", () => {
  it("is kept in a folder that was not there yet, and rounds are drawn", async () => {
    const file = join(disk, "trio", "heads", "head.txt");
    w = await world({ env: { HEAD_FILE: file } });
    await w.game();
    await w.live(1_000);
    await w.live(60_000);
    await w.live(60_000);
    const drawn = await w.deps.db.read.select().from(rounds).where(isNotNull(rounds.drawnAt));
    expect(drawn).toHaveLength(2);
    const told = await w.deps.db.read.select().from(logHeads).where(isNotNull(logHeads.note));
    expect(told.map(({ note }) => note)).toContain(readFileSync(file, "utf8"));
  });

  it.each([
    ["whose folder is a file", "in the way", () => writeFileSync(join(disk, "in the way"), "")],
    ["that is a folder itself", ".", () => mkdirSync(join(disk, "head.txt"))],
  ])("keeps a server from starting %s: no round would be drawn", async (_, folder, put) => {
    w = await world();
    put();
    const file = join(disk, folder, "head.txt");
    const log = openLog("silent");
    const opened = openSite({ ...w.config, headFile: file }, { clock: { kind: "wall" }, log });
    await expect(opened).rejects.toThrow(/^HEAD_FILE is .*head\.txt, where .* cannot be kept .*set HEAD_FILE/);
  });

  it("is left as it was by a start, with nothing beside it", async () => {
    const file = join(disk, "head.txt");
    writeFileSync(file, "what another server keeps");
    w = await world({ env: { HEAD_FILE: file } });
    expect(readFileSync(file, "utf8")).toBe("what another server keeps");
    expect(readdirSync(disk)).toEqual(["head.txt"]);
  });
});
