import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { masterKeys, recoveryCodes } from "#db/schema/index.ts";
import { readKeys } from "#server/admin/audit/key.ts";
import type { Config } from "#server/config/config.ts";
import { fingerprintOf } from "#server/config/keys.ts";
import { add, emptyRows, type Rows } from "./audit-rows.ts";

let rows: Rows;
let folder: string;
beforeAll(async () => {
  rows = await emptyRows();
  folder = mkdtempSync(join(tmpdir(), "trio-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await rows.close();
});

const [FIRST, SECOND, OTHER] = ["5eed", "abcd", "1234"].map((four) => four.repeat(16)) as [string, string, string];
const print = (key: string) => fingerprintOf(Buffer.from(key, "hex"));
/** 2026-03-02, when the second key is in force. */
const clock = { now: () => Date.UTC(2026, 2, 2) };
const row = (id: number, key: string, fromDay: number) => ({ id, fingerprint: print(key), fromDay, createdAt: 1 });
const BOTH = [row(1, FIRST, 0), row(2, SECOND, 10)];

/** What is said with this key of a database that knows these, and the versions of the keys that come of it. */
async function readWith(masterKey: string | undefined, known: typeof BOTH, codes: string[] = []) {
  const config: Pick<Config, "masterKey" | "dataDir"> = { masterKey, dataDir: folder };
  let versions: number[] | null = null;
  const said = await rows.saidOf(
    async (read, found) => {
      const keys = await readKeys({ config, clock } as never, read, found);
      versions = keys && keys.all.map(({ version }) => version);
    },
    async (tx) => {
      await add(tx, masterKeys, ...known);
      await add(tx, recoveryCodes, ...codes.map((codeHash) => ({ memberId: 1, codeHash, createdAt: 1 })));
    },
  );
  return { ...said, versions };
}
const FOREIGN = "the master key here is not the one that this database was made with";

describe("the audit's master key", () => {
  it("is that of the database", async () => {
    expect(await readWith(FIRST, [row(1, FIRST, 0)])).toEqual({ problems: [], notes: [], versions: [1] });
    expect(await readWith(`${FIRST},${SECOND}`, BOTH)).toEqual({ problems: [], notes: [], versions: [1, 2] });
  });

  it("is any for a database that knows none yet", async () => {
    expect(await readWith(FIRST, [])).toEqual({ problems: [], notes: [], versions: [1] });
  });

  it("is named where it is another's, and no more is said of it", async () => {
    expect(await readWith(OTHER, [row(1, FIRST, 0)])).toEqual({ problems: [FOREIGN], notes: [], versions: [1] });
    expect(await readWith(OTHER, BOTH)).toEqual({ problems: [FOREIGN], notes: [], versions: [1] });
  });

  it("may lack one that nothing needs any more", async () => {
    const notes = [`the master key ${print(FIRST)} is not here: nothing was derived from it`];
    expect(await readWith(SECOND, BOTH)).toEqual({ problems: [], notes, versions: [2] });
  });

  it("may not lack one that is needed", async () => {
    const needed = (key: string) => [`the master key ${print(key)} is not here, and is still needed`];
    expect(await readWith(SECOND, BOTH, ["code"])).toEqual({ problems: needed(FIRST), notes: [], versions: [2] });
    expect(await readWith(FIRST, BOTH)).toEqual({ problems: needed(SECOND), notes: [], versions: [1] });
  });

  it("may be in a file, or nowhere", async () => {
    const nowhere = "the master key is not here (MASTER_KEY, or the file master.key): nothing was derived from it";
    expect(await readWith(undefined, BOTH)).toEqual({ problems: [], notes: [nowhere], versions: null });
    writeFileSync(join(folder, "master.key"), `${FIRST}\n`, { mode: 0o600 });
    expect(await readWith(undefined, [row(1, FIRST, 0)])).toEqual({ problems: [], notes: [], versions: [1] });
    expect(await readWith(SECOND, [row(1, SECOND, 0)])).toMatchObject({ problems: [], versions: [1] });
  });
});
