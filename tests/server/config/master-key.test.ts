import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { masterKeys } from "#db/schema/index.ts";
import { openSite } from "#server/app/site.ts";
import { dayOf } from "#shared/time.ts";
import { world } from "../../support/world.ts";

const KEY = "0123456789abcdef".repeat(4);
const OTHER = "f".repeat(64);

let folder: string;
let data: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trio-"));
  data = join(folder, "data");
});
afterEach(() => rmSync(folder, { recursive: true }));

const keyFile = () => join(data, "master.key");
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Starts a server on the folder and stops it again. Returns its key's fingerprint. */
async function start(masterKey?: string): Promise<string> {
  const config = readConfig({ DATA_DIR: data, ...(masterKey !== undefined && { MASTER_KEY: masterKey }) }, []);
  const site = await openSite(config, { clock: { kind: "wall" }, log: pino({ level: "silent" }) });
  const { fingerprint } = site.deps.keys.now;
  await site.close();
  return fingerprint;
}

describe("the master key's file", () => {
  it("is made with an empty database, readable by the owner alone", async () => {
    await start();
    expect(readFileSync(keyFile(), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    expect([modeOf(keyFile()), modeOf(data)]).toEqual(["600", "700"]);
  });

  it("differs for another database", async () => {
    await start();
    const first = readFileSync(keyFile(), "utf8");
    data = join(folder, "second");
    await start();
    expect(readFileSync(keyFile(), "utf8")).not.toBe(first);
  });

  it("stays as it is from then on", async () => {
    const made = await start();
    const before = readFileSync(keyFile(), "utf8");
    expect(await start()).toBe(made);
    expect(readFileSync(keyFile(), "utf8")).toBe(before);
  });

  it("is not made where MASTER_KEY is set", async () => {
    await start(KEY);
    expect(existsSync(keyFile())).toBe(false);
  });

  it("is not made again for a used database: without it, nothing starts", async () => {
    await start();
    rmSync(keyFile());
    await expect(start()).rejects.toThrow("set MASTER_KEY");
    expect(existsSync(keyFile())).toBe(false);
  });

  it("is refused when it is no valid key", async () => {
    const made = await start();
    const before = readFileSync(keyFile(), "utf8");
    writeFileSync(keyFile(), "not a key\n");
    await expect(start()).rejects.toThrow("must be 32 bytes of hex");
    writeFileSync(keyFile(), before);
    expect(await start()).toBe(made);
  });
});

describe("a master key in the environment", () => {
  it("is the database's own from its first day on, in either case of its letters", async () => {
    const made = await start(KEY);
    expect(made).toMatch(/^[0-9a-f]{16}$/);
    expect(await start(KEY.toUpperCase())).toBe(made);
  });

  it("refuses to start on a database that was made with another", async () => {
    await start(KEY);
    await expect(start(OTHER)).rejects.toThrow("belongs to another database");
    await expect(start(KEY)).resolves.toBeTypeOf("string");
  });

  it("may equal the file's, and takes precedence when it does not", async () => {
    await start();
    await expect(start(readFileSync(keyFile(), "utf8").trim())).resolves.toBeTypeOf("string");
    await expect(start(OTHER)).rejects.toThrow("belongs to another database");
  });

  it.each(["0123", `${KEY}00`, `${KEY.slice(1)}g`, `0x${KEY.slice(2)}`, ` ${KEY}`])(
    "is refused when it is malformed (%j), and leaves the database unclaimed",
    async (malformed) => {
      await expect(start(malformed)).rejects.toThrow("MASTER_KEY must be 32 bytes of hex");
      await expect(start(KEY)).resolves.toBeTypeOf("string");
    },
  );
});

describe("a further master key", () => {
  /** A site whose anchors are public up to eight days ahead, on 10 March. */
  const place = async () => {
    const w = await world({ env: { MASTER_KEY: KEY } });
    await w.game();
    await w.live(1_000);
    await w.site.close();
    const open = (masterKey: string) =>
      openSite(
        { ...w.config, masterKey },
        { clock: { kind: "shared", buffer: clockAt(w.now()) }, log: pino({ level: "silent" }) },
      );
    return { w, open };
  };
  const clockAt = (now: number) => {
    const buffer = new SharedArrayBuffer(16);
    new Float64Array(buffer)[0] = now;
    return buffer;
  };
  let site: Awaited<ReturnType<typeof place>>;
  beforeEach(async () => {
    site = await place();
  });
  afterEach(() => site.w.close());

  it.each([
    [
      "without a day",
      `${KEY},${OTHER}`,
      "a further key needs the day from which it is in force. Write it as KEY@2026-03-12",
    ],
    ["on a day that an anchor promised", `${KEY},${OTHER}@2026-03-10`, "too early"],
    ["on the day after the anchors", `${KEY},${OTHER}@2026-03-11`, "Write it as KEY@2026-03-12, or with a later day."],
    ["on no day", `${KEY},${OTHER}@2026-02-30`, "2026-02-30 is no day"],
    ["that is the first", `${KEY},${KEY}@2026-03-12`, "has one key twice"],
    ["before another", `${KEY},${OTHER}@2026-03-13,${"e".repeat(64)}@2026-03-12`, "in the order of their days"],
    ["with the first one's day changed", `${KEY}@2026-03-12,${OTHER}@2026-03-13`, "That never changes"],
    ["without the first", `${OTHER}@2026-03-12`, "belongs to another database"],
    ["with a space", `${KEY}, ${OTHER}@2026-03-12`, "KEY,KEY@2026-12-01"],
  ])("is refused %s, and leaves nothing", async (_, keys, reason) => {
    await expect(site.open(keys)).rejects.toThrow(reason);
    await site.w.restart();
    expect((await site.w.deps.db.read.select().from(masterKeys)).length).toBe(1);
  });
});

it("a further master key is taken in once, by servers that start together, and its day may be left out then", async () => {
  const w = await world({ env: { MASTER_KEY: KEY } });
  w.config.masterKey = `${KEY},${OTHER}@2026-03-12`;
  await w.restart();
  w.config.masterKey = `${KEY},${OTHER}`;
  await w.restart();
  expect((await w.deps.db.read.select().from(masterKeys)).map(({ id }) => id)).toEqual([1, 2]);
  await w.close();
});

it("a server that was not given a key derives nothing from its day on", async () => {
  const w = await world({ env: { MASTER_KEY: KEY } });
  await w.deps.db.transact((tx) =>
    tx.insert(masterKeys).values({ id: 2, fingerprint: "other", fromDay: dayOf(Date.UTC(2026, 2, 12)), createdAt: 0 }),
  );
  await w.site.keys.tick();
  expect(w.deps.keys.now.version).toBe(1);
  w.pass(Date.UTC(2026, 2, 12) - w.now());
  expect(() => w.deps.keys.now).toThrow("MASTER_KEY lacks it");
  expect(w.logged.join()).toContain("restart it with the MASTER_KEY of the others");
  await w.close();
});
