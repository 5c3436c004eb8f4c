import { readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uploads } from "#db/schema/upload.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { LOCALES } from "#shared/locales.ts";
import { fileOf, pngOf } from "../../support/pictures.ts";
import { lock } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { DAY_MS } from "#shared/time.ts";
import { messagesOf } from "../http/endpoints.ts";
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

describe("an uploaded picture", () => {
  it("is a square WebP under an unguessable path, and shown there", async () => {
    const { code, data: path } = await bring(await pngOf(900, 700));
    expect(code).toBe(200);
    expect(path).toMatch(/^\/files\/uploads\/[0-9a-f]{32}\.webp$/);
    const { statusCode, headers, rawPayload } = await get(path);
    expect([statusCode, headers["content-type"]]).toEqual([200, "image/webp"]);
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "webp", width: 512, height: 512 });
    expect(await bringOne()).not.toBe(path);
  });

  it("is judged by its bytes, whatever type it claims", async () => {
    const file = fileOf(await pngOf(), "../../etc/passwd.exe", "text/html");
    expect((await mia.call("/system/uploadimg", { file })).code).toBe(200);
    const text = await mia.call(
      "/system/uploadimg",
      { file: fileOf("hello", "me.png", "image/png") },
      { lang: "en_us" },
    );
    expect([text.status, text.code]).toEqual([200, 400]);
    expect(text.fields!.file).toBe(messagesOf("en_us").field.picture);
  });

  it("leaves nothing when it is refused, and its key may be used again", async () => {
    await bring("no picture");
    const [before, kept] = [await rows(), files()];
    expect((await bring("no picture", "tap")).code).toBe(400);
    expect([await rows(), files()]).toEqual([before, kept]);
    expect((await bring(await pngOf(), "tap")).code).toBe(200);
  });

  it("that was none counts as a try: after a day's worth of them even a picture waits", async () => {
    for (let i = 0; i < 20; i++) expect((await bring("no picture")).code).toBe(400);
    const refused = await bring(await pngOf());
    expect([refused.code, refused.data]).toEqual([429, { reason: "uploads.many" }]);
    w.pass(DAY_MS);
    expect((await bring(await pngOf())).code).toBe(200);
  });

  it("becomes its member's avatar, and is replaced by another or a stock one", async () => {
    const path = await bringOne();
    expect(await choose(path)).toMatchObject({ code: 200, data: null });
    expect((await mia.call("/member/getUserInfo")).data.header_img).toBe(path);
    const next = await bringOne(2);
    await choose(next);
    expect(await avatar()).toBe(next);
    expect((await choose("avatar/3")).code).toBe(200);
    expect((await choose(path)).code).toBe(200);
  });

  it.each(LOCALES.map(({ code }) => code))("of another member is refused in %s, and nothing changes", async (lang) => {
    const ben = await w.player("ben_1");
    const his = await bringOne(1, ben);
    await choose(his, ben);
    const changed = await changedBy(async () => {
      const { status, code, msg, data } = await choose(his, mia, lang);
      expect([status, code, data]).toEqual([200, 403, { reason: "picture.foreign" }]);
      expect(msg).toBe(messagesOf(lang).refusal.picture!.foreign);
    });
    expect(changed).toBe(false);
  });

  it("that does not exist is 404, and any other address is refused as not theirs", async () => {
    expect(await choose(`/files/uploads/${"0".repeat(32)}.webp`)).toMatchObject({ code: 404 });
    const path = await bringOne();
    for (const near of [path.toUpperCase(), `${path}?x`, ` ${path}`, `http://x${path}`, path.slice(7), `${path}/..`])
      expect((await choose(near)).code).toBe(403);
    expect(await avatar()).not.toContain("/files");
  });
});

describe("a repeated upload", () => {
  it("with its key is the same picture: one path, one row, one file", async () => {
    const bytes = await pngOf();
    const replies = await Promise.all(Array.from({ length: 12 }, () => bring(bytes, "tap")));
    replies.push(await bring(bytes, "tap"));
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ data }) => data)).size).toBe(1);
    expect([(await rows()).length, files().length]).toEqual([1, 1]);
  });

  it("with other bytes under its key is refused, and changes nothing", async () => {
    await bring(await pngOf(64, 48, 1), "tap");
    const other = await pngOf(64, 48, 2);
    const changed = await changedBy(async () =>
      expect(await bring(other, "tap")).toMatchObject({ code: 409, data: { reason: "key.reused" } }),
    );
    expect(changed).toBe(false);
  });

  it("is repeated to a locked member, who can upload nothing else", async () => {
    const bytes = await pngOf();
    const first = await bring(bytes, "tap");
    await lock(w, mia.memberId, true);
    expect((await bring(bytes, "tap")).data).toBe(first.data);
    expect(await changedBy(() => bring(bytes))).toBe(false);
    expect(await bring(bytes)).toMatchObject({ code: 403, data: { reason: "member.locked" } });
  });
});
