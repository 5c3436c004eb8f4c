import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { comments, listings, listingWords } from "#db/schema/listing.ts";
import { members } from "#db/schema/member.ts";
import { readMessages } from "#server/domains/member/read-messages.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { world, type World } from "../../support/world.ts";
import { ask, everything, operate } from "../admin/operate.ts";
import { activePlayer, city, listing, read, save } from "./listing-world.ts";

let w: World;

beforeAll(async () => {
  w = await world();
  await city(w, "Hanoi");
  const picture = { name: "/files/pictures/ab", widths: [320], ratio: 1, blur: "abcd" };
  await save(w, listing("a", { pictures: [picture] }), listing("b"));
  for (const ending of ["avif", "webp"]) await w.deps.storage.put(`pictures/ab-320.${ending}`, Buffer.from("x"));
  const mia = await activePlayer(w, "mia_1");
  await mia.call("/xuanfei/comment", { id: "lst_1", text: "Lovely", hearts: "4" });
  await mia.call("/xuanfei/comment", { id: "lst_2", text: "Kind", hearts: "6" });
});
afterAll(() => w.close());

/** Runs a command and gives the running server a second to notice. */
async function after(...words: string[]): Promise<unknown> {
  const answer = await ask(w, ...words);
  await new Promise((resolve) => setTimeout(resolve, 900));
  return answer;
}
const count = async () => (await read(w, "/nHomeList")).count;

describe("an operator's command reaches readers within a second", () => {
  it("city:add", async () => {
    expect(await read(w, "/xuanfei/address")).toHaveLength(1);
    expect(await after("city:add", '{"en_us":"Seoul","ko_kr":"서울"}')).toEqual({ ok: true, id: "cty_2" });
    expect((await w.call("/xuanfei/address", undefined, { lang: "ko_kr" })).data[1]).toEqual({
      id: "cty_2",
      name: "서울",
      count: 0,
      cover: "",
      cover_shape: null,
    });
  });

  it("listing:pause and listing:resume", async () => {
    const inHanoi = async () => (await read(w, "/xuanfei/address"))[0];
    expect(await inHanoi()).toMatchObject({ count: 2, cover: "" });
    await after("listing:pause", "b");
    expect(await inHanoi()).toMatchObject({ count: 1, cover: expect.stringContaining("/files/pictures/ab") });
    await after("listing:resume", "b");
    expect(await count()).toBe(2);
    const pictures = [
      "/files/pictures/ab-320.webp",
      "/files/%70ictures/ab-320.webp",
      "/files/pictures/ab-320.webp?x=1",
    ];
    const shown = () =>
      Promise.all(
        pictures.map(async (url) => (await w.site.app.inject({ url, headers: { host: "localhost" } })).statusCode),
      );
    expect(await shown()).toEqual([200, 200, 200]);
    await after("listing:pause", "a");
    expect(await count()).toBe(1);
    expect(await shown()).toEqual([404, 404, 404]);
    await after("listing:resume", "a");
    expect(await count()).toBe(2);
  });

  it("comment:list, comment:show and comment:hide", async () => {
    const list = await ask<{ id: string; state: string }[]>(w, "comment:list");
    expect(list).toEqual([
      expect.objectContaining({ id: "cmt_2", listing: "b", username: "mia_1", hearts: 6, state: "waiting" }),
      expect.objectContaining({ id: "cmt_1", listing: "a", hearts: 4, text: "Lovely", state: "waiting" }),
    ]);
    expect((await read(w, "/xuanfei/commentlist", { id: "lst_1" })).count).toBe(0);
    await after("comment:show", "cmt_1");
    expect((await read(w, "/xuanfei/commentlist", { id: "lst_1" })).count).toBe(1);
    expect((await read(w, "/nHomeList", { sort: "hearts" })).list[0]).toMatchObject({ hearts: 4, comment_total: 1 });
    await after("comment:hide", "cmt_1");
    expect((await read(w, "/xuanfei/commentlist", { id: "lst_1" })).count).toBe(0);
  });

  it("comment:hide with a reason, which its author reads, marked with its language", async () => {
    await after(
      "comment:hide",
      "cmt_2",
      "--reason",
      '{"en_us": "It names a phone number", "ja_ja": "電話番号があります"}',
    );
    const [author] = await w.deps.db.read.select().from(members).where(eq(members.username, "mia_1"));
    const told = (locale: LocaleCode) => readMessages(w.deps.db.read, w.deps, { memberId: author!.id, locale });
    expect((await told("ja_ja"))[0]).toMatchObject({ text: "コメントを非表示にしました。理由：電話番号があります" });
    expect((await told("ms_my"))[0]).toMatchObject({
      kind: "comment.hidden",
      text: "Komen anda tidak lagi dipaparkan. Sebabnya: It names a phone number",
      reason: "It names a phone number",
      langs: { reason: "en" },
      record: "lst_2",
    });
  });

  it("banner:add", async () => {
    const file = join(w.folder, "banner.png");
    const png = sharp({ create: { width: 1600, height: 600, channels: 3, background: "#258" } }).png();
    writeFileSync(file, await png.toBuffer());
    const { url } = (await after("banner:add", file, "--link", "/Video")) as { url: string };
    expect((await w.call("/system/config")).data.banners).toEqual([{ url, link: "/Video", caption: "" }]);
    const served = await w.site.app.inject({ url });
    expect([served.statusCode, (await sharp(served.rawPayload).metadata()).width]).toEqual([200, 1080]);
    await after("banner:add", file, "--caption", '{"en_us": "Dunes", "vn_vn": "Cồn cát"}');
    await after("banner:add", file, "--caption", " Waves ");
    const captions = async (lang: string) =>
      (await w.call("/system/config", undefined, { lang })).data.banners.map(({ caption }) => caption);
    expect(await captions("vn_vn")).toEqual(["", "Cồn cát", "Waves"]);
    expect(await captions("th_th")).toEqual(["", "Dunes", "Waves"]);
    const { banners } = (await w.call("/system/config", undefined, { lang: "th_th" })).data;
    expect(banners.map(({ langs }) => langs?.caption)).toEqual([undefined, "en", undefined]);
  });

  it("banner:remove, with all its files, as banner:list names it", async () => {
    const files = () => readdirSync(join(w.config.filesDir, "pictures")).length;
    const before = files();
    const listed = await ask<{ id: string; caption: string }[]>(w, "banner:list");
    expect(listed.map(({ id, caption }) => [id, caption])).toEqual([
      ["bnr_1", ""],
      ["bnr_2", "Dunes"],
      ["bnr_3", "Waves"],
    ]);
    expect(await after("banner:remove", "bnr_2")).toEqual({ ok: true, id: "bnr_2" });
    expect((await w.call("/system/config")).data.banners).toHaveLength(2);
    // Three widths in two formats.
    expect(before - files()).toBe(6);
    expect((await operate(w, "audit")).exit).toBe(0);
  });

  it("listing:remove, with its texts, its comments and its pictures for good", async () => {
    expect(existsSync(join(w.config.filesDir, "pictures/ab-320.webp"))).toBe(true);
    expect(await after("listing:remove", "a")).toEqual({ ok: true, code: "a", pictures: 1 });
    expect(await count()).toBe(1);
    expect((await w.call("/xuanfei/xuanfeidata", { id: "lst_1" }, { method: "GET" })).code).toBe(404);
    const { read: db } = w.deps.db;
    expect((await db.select().from(listings)).map(({ code }) => code)).toEqual(["b"]);
    expect((await db.select().from(comments)).map(({ listingId }) => listingId)).toEqual([2]);
    expect(new Set((await db.select().from(listingWords)).map(({ listingId }) => listingId))).toEqual(new Set([2]));
    const left = readdirSync(join(w.config.filesDir, "pictures"));
    expect(left.filter((name) => name.startsWith("ab-"))).toEqual([]);
  });

  it("a listing's number is not reused while a view of it is being recorded", async () => {
    const eva = await activePlayer(w, "eva_1");
    await eva.call("/xuanfei/xuanfeidata", { id: "lst_2" }, { method: "GET" });
    await ask(w, "listing:remove", "b");
    await save(w, listing("c"));
    expect((await w.deps.db.read.select().from(listings)).map(({ id }) => id)).toEqual([3]);
  });
});

describe("a command is refused and changes nothing", () => {
  it.each([
    [1, "there is no listing zz", ["listing:pause", "zz"]],
    [1, "there is no listing zz", ["listing:resume", "zz"]],
    [1, "there is no listing zz", ["listing:remove", "zz"]],
    [1, "there is no comment cmt_99", ["comment:show", "cmt_99"]],
    [2, "ID looks like cmt_12", ["comment:hide", "lst_1"]],
    [2, "NAME is empty", ["city:add", " "]],
    [2, "NAME: expected language codes (vn_vn, ko_kr,", ["city:add", '{"xx":"Y"}']],
    [1, "there is no such file", ["banner:add", "/nowhere.png"]],
    [1, "there is no banner bnr_2; see banner:list", ["banner:remove", "bnr_2"]],
    [1, "there is no banner 1; see banner:list", ["banner:remove", "1"]],
    [1, "it is not a regular file", ["banner:add", "/tmp"]],
    [1, "package.json", ["banner:add", "package.json"]],
    [2, "--link must be a path", ["banner:add", "package.json", "--link", "javascript:alert(1)"]],
    [2, "--link must be a path", ["banner:add", "package.json", "--link", "//evil.example"]],
    [2, "--caption is empty", ["banner:add", "package.json", "--caption", " "]],
    [2, "--caption must have 1 to 40", ["banner:add", "package.json", "--caption", "x".repeat(41)]],
    [2, "--caption must have 1 to 40", ["banner:add", "package.json", "--caption", '{"en_us": " "}']],
  ])("exit %d, %s", async (code, reason, words) => {
    const before = await everything(w);
    const { exit, err } = await operate(w, ...words);
    expect([exit, err]).toEqual([code, expect.stringContaining(reason)]);
    expect(await everything(w)).toEqual(before);
  });
});
