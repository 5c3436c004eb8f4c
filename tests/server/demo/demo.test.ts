import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEMO_INVITE, DEMO_WELCOME } from "#db/demo/demo.ts";
import { DEMO_PRIZE_MEMOS, DEMO_PRIZE_TITLES } from "#db/demo/prize-texts.ts";
import { DEMO_GAME_NAMES, DEMO_NOTICES, DEMO_PLAN_NAMES } from "#db/demo/texts.ts";
import { cleanHtml } from "#server/app/clean-html.ts";
import { seedDemo } from "#server/demo/seed.ts";
import { filesOf as filesOfOne } from "#server/pictures/store.ts";
import { comments, listings } from "#db/schema/listing.ts";
import type { Picture } from "#shared/picture.ts";
import { OPERATOR } from "#server/domains/account/hash-lanes.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { LOCALES, type LocaleCode, type LocalText } from "#shared/locales.ts";
import { everything } from "../admin/operate.ts";
import type { Reply } from "../../support/call.ts";
import { completeCodes } from "../../support/glossary.ts";
import { ROOT } from "../../support/source-files.ts";
import { world, type World } from "../../support/world.ts";

const filesOf = (pictures: Picture[]) => pictures.flatMap(filesOfOne);
const CODES = completeCodes();
const TEXTS: [string, LocalText][] = [
  ...Object.entries({ ...DEMO_GAME_NAMES, ...DEMO_PLAN_NAMES, ...DEMO_PRIZE_TITLES }),
  ...Object.entries(DEMO_PRIZE_MEMOS).map(([kind, memo]): [string, LocalText] => [`prize memo, ${kind}`, memo]),
  ...DEMO_NOTICES.flatMap(({ name, text }, i): [string, LocalText][] => [
    [`notice ${i + 1}, its name`, name],
    [`notice ${i + 1}, its text`, text],
  ]),
];

describe("a text of the demo", () => {
  it.each(TEXTS)("exists in every complete language (%s)", (_, text) => {
    expect(Object.keys(text).sort()).toEqual([...CODES].sort());
    for (const words of Object.values(text)) expect(words.trim()).not.toBe("");
  });

  it.each<[LocaleCode, RegExp]>([
    ["ko_kr", /\p{Script=Hangul}/u],
    ["ja_ja", /[\p{Script=Hiragana}\p{Script=Katakana}]|日間|年間/u],
    ["zh_cn", /\p{Script=Han}/u],
    ["zh-tw", /\p{Script=Han}/u],
    ["th_th", /\p{Script=Thai}/u],
    ["ru_ru", /\p{Script=Cyrillic}/u],
  ])("is written in the script of its language (%s)", (code, script) => {
    const wrong = TEXTS.map(([, text]) => (text as Record<LocaleCode, string>)[code]).filter(
      (own) => !script.test(own),
    );
    expect(wrong).toEqual([]);
  });

  it.each<LocaleCode>(["vn_vn", "es_spa", "ms_my"])("is not left in English (%s)", (code) => {
    const all = TEXTS.map(([, text]) => text as Record<LocaleCode, string>);
    expect(all.filter((text) => text[code] === text.en_us)).toEqual([]);
  });
});

describe("the demo in an empty database", () => {
  let w: World;

  beforeEach(async () => {
    w = await world();
    await seedDemo(w.deps);
  });
  afterEach(() => w.close());

  const login = (username: string, password: string) => w.call("/member/doLogin", { username, password });
  const rows = <R extends object>({ data }: Reply<R[]>, ...fields: (keyof R)[]) =>
    data.map((row) => fields.map((field) => row[field]));

  it("gives whoever registers their first points", async () => {
    const input = { username: "new_here", password: "correct horse", code: DEMO_INVITE };
    const { code, data } = await w.call("/member/doRegister", input);
    expect([code, data.user.money]).toEqual([200, `${DEMO_WELCOME}.00`]);
  });

  it("takes any password and passcode that the contract allows, as its own are no better", async () => {
    const input = { username: "new_here", password: "password", code: DEMO_INVITE };
    const { code, data } = await w.call("/member/doRegister", input);
    expect(code).toBe(200);
    const { token } = data;
    const change = { old_password: "password", new_password: "new_here" };
    expect((await w.call("/member/setLoginPassword", change, { token })).code).toBe(200);
    expect((await w.call("/member/setPayPassword", { paypassword: "123456" }, { token })).code).toBe(200);
  });

  it("has a member with points, a pay password and a year of membership, but no real name and no bank", async () => {
    const { code, data } = await login("demo", "demo12345");
    expect(code).toBe(200);
    expect(data.user).toMatchObject({ point: 100_000, money: "100000.00", paypassword: 1, is_see: 1, name: "" });
    expect(data.user.is_bank).toBe(0);
    const { payPinHash, demo } = await readMember(w.deps.db.read, 1);
    expect(demo).toBe(true);
    expect(await new Passwords(w.deps.keys).verify(payPinHash, "123456", OPERATOR)).toBe(true);
  });

  it("has a guest with a few points and no membership", async () => {
    const { code, data } = await login("guest01", "guest12345");
    expect(code).toBe(200);
    expect(data.user).toMatchObject({ money: "1000.00", is_see: 0, member_until: 0, paypassword: 0 });
    expect((await readMember(w.deps.db.read, 2)).demo).toBe(true);
  });

  it("admits any number of members by its invite", async () => {
    for (const username of ["olaf_7", "paul_8"]) {
      const { code } = await w.call("/member/doRegister", { username, password: "eight chars", code: "TRIO2026" });
      expect(code).toBe(200);
    }
  });

  it("has a game or more of every kind, and all open their rounds", async () => {
    await w.live(1_000);
    const games = await w.call("/Lottery/lotteryList", undefined, { lang: "en_us" });
    expect(rows(games, "key", "period", "state", "name")).toEqual([
      ["k3-1m", 60, "open", "Three dice\u00a0· 1 minute"],
      ["k3-3m", 180, "open", "Three dice\u00a0· 3 minutes"],
      ["k3-5m", 300, "open", "Three dice\u00a0· 5 minutes"],
      ["faces-1m", 60, "open", "Doubles and triples\u00a0· 1 minute"],
      ["pair-1m", 60, "open", "Two dice\u00a0· 1 minute"],
    ]);
  });

  it("sells three plans and has three notices, in the reader's language", async () => {
    const { data } = await login("demo", "demo12345");
    const options = { token: data.token, lang: "th_th" };
    const plans = await w.call("/member/plans", undefined, options);
    expect(rows(plans, "name", "days")).toEqual([
      ["30 วัน", 30],
      ["90 วัน", 90],
      ["หนึ่งปี", 365],
    ]);
    const notices = await w.call("/notice/getNoticeList", undefined, options);
    const names = DEMO_NOTICES.map(({ name }) => (name as Record<LocaleCode, string>).th_th);
    expect(rows(notices, "name").flat()).toEqual(names.reverse());
  });

  it("has five pictures of each listing, which no other has, and comments marked with their languages", async () => {
    const shown = await w.deps.db.read.select({ pictures: listings.pictures }).from(listings);
    const files = shown.flatMap(({ pictures }) => filesOf(pictures)).filter((name) => name.endsWith(".avif"));
    expect([files.length, new Set(files).size]).toEqual([300, 300]);
    for (const name of [files[0]!, files[2]!, files.at(-1)!]) expect(await w.deps.storage.find(name)).not.toBeNull();
    const said = await w.deps.db.read.select().from(comments);
    expect(new Set(said.map(({ lang }) => lang))).toEqual(new Set(LOCALES.map(({ tag }) => tag)));
  });

  it("shows three banners with pictures, which lead to screens", async () => {
    const { banners } = (await w.call("/system/config")).data;
    expect(banners.map(({ link }) => link)).toEqual(["/Game", "/Video", "/nHomeList"]);
    for (const { url } of banners) expect(existsSync(join(ROOT, "client/public", url))).toBe(true);
    const said = LOCALES.map(
      async ({ code }) => (await w.call("/system/config", undefined, { lang: code })).data.banners,
    );
    const captions = (await Promise.all(said)).flat().map(({ caption }) => caption);
    expect(new Set(captions).size).toBe(banners.length * LOCALES.length);
  });

  it("has a wheel of eight prizes with pictures, none of them won yet", async () => {
    const token = (await login("demo", "demo12345")).data.token;
    const { data: prizes } = await w.call("/luckdrawlist", {}, { token, lang: "en_us" });
    expect(prizes.map(({ id }) => id).sort()).toEqual(
      "days-3 days-30 points-10 points-1000 points-200 points-50 spin thanks".split(" "),
    );
    expect(prizes.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
    const missing = prizes.filter(({ image }) => !existsSync(join(ROOT, "client/public", image)));
    expect(missing).toEqual([]);
    expect((await w.call("/luckdrawlog", {}, { token })).data).toEqual([]);
    expect((await w.call("/luckdraw", {}, { token })).code).toBe(200);
    for (const memo of Object.values(DEMO_PRIZE_MEMOS).flatMap((texts) => Object.values(texts)))
      expect(cleanHtml(memo)).toBe(memo);
  });

  it("is made once, however often the server starts", async () => {
    const before = await everything(w);
    expect(await seedDemo(w.deps)).toBeNull();
    await w.restart();
    expect(await seedDemo(w.deps)).toBeNull();
    expect(await everything(w)).toEqual(before);
  });
});

describe("the demo's public passwords", () => {
  const login = { username: "demo", password: "demo12345" };

  it.each(["x-forwarded-for", "forwarded", "via"])("open nothing through a proxy that sends %s", async (name) => {
    const w = await world();
    await seedDemo(w.deps);
    const refused = await w.call("/member/doLogin", login, { lang: "en_us", headers: { [name]: "203.0.113.9" } });
    expect(refused).toMatchObject({ code: 422, msg: expect.stringContaining("only on the machine") as string });
    expect((await w.call("/member/doLogin", login)).code).toBe(200);
    await w.close();
  });

  it.each([
    ["it has a public name", { PUBLIC_URL: "https://club.example" }, "club.example"],
    ["it trusts a proxy", { TRUST_PROXY: "loopback" }, "localhost"],
    ["it listens to others", { HOST: "0.0.0.0" }, "192.0.2.7:3000"],
  ])("do not exist where %s: those are random, and told once", async (_, env, host) => {
    const w = await world({ env });
    const ask = <P extends string>(path: P, input: Record<string, string>) =>
      w.call(path, input, { headers: { host } });
    const made = await seedDemo(w.deps);
    expect((await ask("/member/doLogin", login)).code).toBe(422);
    const [demo, guest] = made!.members;
    expect(new Set([demo!.password, guest!.password, made!.invite]).size).toBe(3);
    const { code, data } = await ask("/member/doLogin", { ...demo! });
    expect([code, data.user.paypassword]).toEqual([200, 0]);
    const newcomer = { username: "olaf_7", password: "eight chars" };
    expect((await ask("/member/doRegister", { ...newcomer, code: "TRIO2026" })).code).toBe(400);
    expect((await ask("/member/doRegister", { ...newcomer, code: made!.invite })).code).toBe(200);
    await w.close();
  });

  it("open nothing after their data moved to a public site", async () => {
    const w = await world();
    await seedDemo(w.deps);
    w.deps.isLocal = false;
    expect((await w.call("/member/doLogin", login)).code).toBe(422);
    await w.close();
  });
});

describe("a database that is not empty", () => {
  it.each([
    ["a member", (w: World) => w.player("mia_1")],
    ["a game", (w: World) => w.game()],
  ])("is left alone when it has %s", async (_, fill) => {
    const w = await world();
    await fill(w);
    const before = await everything(w);
    expect(await seedDemo(w.deps)).toBeNull();
    expect(await everything(w)).toEqual(before);
    await w.close();
  });
});
