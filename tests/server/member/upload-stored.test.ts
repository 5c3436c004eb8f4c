import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uploads } from "#db/schema/upload.ts";
import { claimUpload } from "#server/domains/member/uploads.ts";
import { sweepUploads } from "#server/domains/member/sweep-uploads.ts";
import { StrayFiles } from "#server/domains/account/stray-files.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { beforeNextWrite } from "../../support/meanwhile.ts";
import { fileOf, pngOf } from "../../support/pictures.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { everything } from "../http/furnished.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterEach(() => w.close());

const folder = () => join(w.config.filesDir, "uploads");
const files = () => (existsSync(folder()) ? readdirSync(folder()) : []);
const rows = () => w.deps.db.read.select().from(uploads);
const bring = (bytes: Uint8Array<ArrayBuffer> | string, key?: string, who = mia) =>
  who.call("/system/uploadimg", { file: fileOf(bytes) }, key === undefined ? {} : { key });
const bringOne = async (seed = 1, who = mia): Promise<string> =>
  (await bring(await pngOf(64, 48, seed), undefined, who)).data;
const choose = (header_img: string, who = mia, lang = "en_us") =>
  who.call("/member/uploadHeaderImg", { header_img }, { lang });
const avatar = async (who = mia) => (await readMember(w.deps.db.read, who.memberId)).avatar;
const get = (url: string) => w.site.app.inject({ url });

/** What the work changes, in the database and on the disk. */
async function changedBy(work: () => Promise<unknown>): Promise<boolean> {
  const before = JSON.stringify([await everything(w), files()]);
  await work();
  return JSON.stringify([await everything(w), files()]) !== before;
}

describe("the limit of uploads", () => {
  it("is twenty pictures a day, however many come at once", async () => {
    const bytes = await pngOf(8, 8);
    const replies = await Promise.all(Array.from({ length: 25 }, () => bring(bytes)));
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(20);
    const { status, code, data, headers } = replies.find((reply) => reply.code !== 200)!;
    expect([status, code, data, headers["retry-after"]]).toEqual([429, 429, { reason: "uploads.many" }, "86400"]);
    expect([(await rows()).length, files().length]).toEqual([20, 20]);
    // The surplus one is not even decoded, and only a server that had not counted the others' yet writes it.
    expect((await bring("no picture")).code).toBe(429);
    const more = w.deps.db.transact((tx) => claimUpload(tx, w.deps, mia.memberId, "/files/uploads/more.webp"));
    await expect(more).rejects.toMatchObject({ reason: "uploads.many" });
    const ben = await w.player("ben_1");
    expect((await bring(bytes, undefined, ben)).code).toBe(200);
    w.pass(DAY_MS);
    expect((await bring(bytes)).code).toBe(200);
  });
});

describe("a place that cannot be used", () => {
  it("refuses for now, tells the operator, and takes the picture later", async () => {
    mkdirSync(w.config.filesDir, { recursive: true });
    symlinkSync("uploads", folder());
    const bytes = await pngOf(8, 8);
    const { status, data, headers } = await bring(bytes, "one");
    expect([status, data, headers["retry-after"]]).toEqual([503, { reason: "server.away" }, "1"]);
    expect(w.logged.join("")).toContain("ELOOP");
    expect(await rows()).toEqual([]);
    expect((await get("/files/uploads/none.webp")).statusCode).toBe(503);
    rmSync(folder());
    expect((await bring(bytes, "one")).code).toBe(200);
  });
});

describe("an unused picture", () => {
  const dayAfter = async () => {
    w.pass(DAY_MS + HOUR_MS);
    await w.site.housekeeping.tick();
  };

  it("is deleted after a day with its file; the avatar stays, and the one it replaced goes", async () => {
    const [old, now, never] = [await bringOne(1), await bringOne(2), await bringOne(3)];
    await choose(old);
    await choose(now);
    w.pass(DAY_MS - HOUR_MS);
    await w.site.housekeeping.tick();
    expect(files()).toHaveLength(3);
    await dayAfter();
    expect((await rows()).map(({ path }) => path)).toEqual([now]);
    for (const [path, status] of [
      [old, 404],
      [now, 200],
      [never, 404],
    ] as const)
      expect((await get(path)).statusCode).toBe(status);
    expect((await choose(never)).code).toBe(404);
    expect(await avatar()).toBe(now);
  });

  it("stays when it is chosen while the unused ones are being searched", async () => {
    const path = await bringOne();
    w.pass(DAY_MS + HOUR_MS);
    beforeNextWrite(w, () => choose(path));
    await sweepUploads(w.deps, new StrayFiles());
    expect([(await rows()).length, (await get(path)).statusCode, await avatar()]).toEqual([1, 200, path]);
  });

  it("whose row could not be written has its file deleted at once", async () => {
    const { transact } = w.deps.db;
    w.deps.db.transact = () => Promise.reject(new Error("the disk is full"));
    const changed = await changedBy(async () => expect((await bring(await pngOf())).code).toBe(500));
    w.deps.db.transact = transact;
    expect([changed, files()]).toEqual([false, []]);
  });

  it("whose row is being written stays, though this server's clock is a year ahead of the storage's", async () => {
    await w.deps.storage.put("uploads/new.webp", Buffer.from("new"));
    w.pass(Date.now() - w.now() + 365 * DAY_MS);
    await w.site.housekeeping.tick();
    expect(files()).toEqual(["new.webp"]);
    await dayAfter();
    expect(files()).toEqual([]);
  });

  it("that a crash left without a row has its file deleted a day after it was written", async () => {
    const path = await bringOne();
    await choose(path);
    await w.deps.storage.put("uploads/left.webp", Buffer.from("left"));
    await w.deps.storage.put("uploads/left-0a1b.draft", Buffer.from("le"));
    await w.site.housekeeping.tick();
    expect(files()).toHaveLength(3);
    // The machine dates files, not the test's clock.
    w.pass(Date.now() - w.now() + HOUR_MS);
    await w.site.housekeeping.tick();
    expect(files()).toHaveLength(3);
    await dayAfter();
    expect(files()).toEqual([path.split("/").at(-1)]);
  });
});
