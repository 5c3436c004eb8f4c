import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { supportMessages } from "#db/schema/support.ts";
import { MOST_MESSAGE } from "#shared/contract/support.ts";
import { LOCALES } from "#shared/locales.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { lock, set } from "../../support/operator.ts";
import { fileOf, pngOf } from "../../support/pictures.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { operate, operateWith } from "../admin/operate.ts";
import { messagesOf } from "../http/endpoints.ts";
import { exported } from "../member/exported.ts";
import { SocketClients } from "../realtime/socket-client.ts";

let w: World;
let mia: Player;
let ben: Player;

beforeEach(async () => {
  w = await world();
  [mia, ben] = [await w.player("mia_1"), await w.player("ben_1")];
});
afterEach(() => w.close());

const write = (text: string, who = mia, options: { key?: string; lang?: string } = {}) =>
  who.call("/support/send", { text }, options);
const sendPicture = async (who = mia, options: { key?: string } = {}) =>
  who.call("/support/sendPicture", { file: fileOf(await pngOf(1_600, 900)) }, options);
const answer = (name: string, text: string, ...more: string[]) =>
  operate(w, "message:answer", name, "--text", text, ...more);
const conversation = async (who = mia, page: Record<string, string> = {}) =>
  (await who.call("/support/messages", page, { method: "GET" })).data;
const texts = async (who = mia) => (await conversation(who)).list.map(({ text }) => text);
const files = () => {
  const folder = join(w.config.filesDir, "support");
  return existsSync(folder) ? readdirSync(folder) : [];
};
const fetchPicture = (id: string, { token }: { token: string }) =>
  w.site.app.inject({
    url: `/api/support/picture?id=${id}`,
    headers: { token: Buffer.from(token).toString("base64") },
  });

describe("a conversation with the service", () => {
  it("is the member's alone: what they wrote and what was answered, newest first, page by page", async () => {
    expect(await conversation()).toEqual({ list: [], count: 0, unread: 0 });
    const { data } = await write("Where is\nmy top-up?");
    expect(data).toEqual({
      id: "svc_1",
      from: "member",
      text: "Where is\nmy top-up?",
      picture: 0,
      create_time: w.now() / 1000,
    });
    await write("Hello", ben);
    await answer("mia_1", "It is there now.");
    expect(await conversation(mia, { limit: "1" })).toMatchObject({
      list: [{ id: "svc_3", from: "support", text: "It is there now." }],
      count: 2,
      unread: 1,
    });
    expect(await conversation(mia, { page: "2", limit: "1" })).toMatchObject({ list: [data] });
    expect(await texts(ben)).toEqual(["Hello"]);
  });

  it("shows an answer by language in the member's own, or says in which it is", async () => {
    await write('{"en_us": "as I write it"}');
    await answer("mia_1", '{"en_us": "Your top-up is there", "ko_kr": "충전이 완료되었습니다"}');
    const shown = async (lang: string) => (await mia.call("/support/messages", {}, { method: "GET", lang })).data.list;
    expect((await shown("ko_kr"))[0]).not.toHaveProperty("langs");
    expect((await shown("ko_kr"))[0]!.text).toBe("충전이 완료되었습니다");
    expect(await shown("th_th")).toMatchObject([
      { text: "Your top-up is there", langs: { text: "en" } },
      { text: '{"en_us": "as I write it"}' },
    ]);
  });

  it("counts answers as unread until they are read, also on another device", async () => {
    const clients = new SocketClients(await w.listen());
    const [phone, his] = [await clients.open({ token: mia.token }), await clients.open({ token: ben.token })];
    await write("Hello?");
    for (const text of ["Hello", "How are you?"]) await answer("mia_1", text);
    await phone.next("support:change", ({ unread }) => unread === 2);
    expect(await mia.call("/support/read", { id: "svc_2" })).toMatchObject({ code: 200 });
    await phone.next("support:change", ({ unread }) => unread === 1);
    await mia.call("/support/read", { id: "svc_3" });
    await phone.next("support:change", ({ unread }) => unread === 0);
    await mia.call("/support/read", { id: "svc_1" });
    expect((await conversation()).unread).toBe(0);
    expect((await ben.call("/support/read", { id: "svc_3" })).reason).toBe("object.unknown");
    await his.drained();
    expect(his.all("support:change")).toEqual([]);
    clients.close();
  });

  it("takes a message once under its key, and both when two are sent at once", async () => {
    const [first, again] = [await write("Hello", mia, { key: "k" }), await write("Hello", mia, { key: "k" })];
    expect(again.data).toEqual(first.data);
    await Promise.all([write("One"), write("Two")]);
    expect((await texts()).sort()).toEqual(["Hello", "One", "Two"]);
  });

  it.each(LOCALES)("names what is wrong with a message in $tag", async ({ code, tag }) => {
    const told = messagesOf(code).field;
    const faults = { " \n\u200B": "required", "a\u0000": "text", "\r": "required", "a\tb": "text" };
    for (const [text, fault] of Object.entries(faults))
      expect([fault, await write(text, mia, { lang: code })]).toMatchObject([
        fault,
        { code: 400, fields: { text: told[fault] } },
      ]);
    const { fields } = await write("x".repeat(MOST_MESSAGE + 1), mia, { lang: code });
    expect(fields).toEqual({ text: told.long!.replace("{{most}}", MOST_MESSAGE.toLocaleString(tag)) });
    expect((await write("😀".repeat(MOST_MESSAGE))).code).toBe(200);
  });

  it("is open to a locked member, and to nobody without a session", async () => {
    await lock(w, mia.memberId, true);
    expect([(await write("Why am I locked?")).code, await texts()]).toEqual([200, ["Why am I locked?"]]);
    expect((await w.call("/support/send", { text: "Hi" })).code).toBe(401);
  });

  it("takes nothing while the service is switched off, and can still be read", async () => {
    await write("Hello");
    await set(w, "iskefu", "0");
    const { data, msg } = await write("Anybody?");
    for (const no of [data, (await sendPicture()).data]) expect(no).toEqual({ reason: "feature.off" });
    expect(msg).toBe(w.deps.text("vn_vn", "refusal.feature.support"));
    expect([await texts(), files()]).toEqual([["Hello"], []]);
  });

  it("takes sixty messages an hour, and says when it takes the next", async () => {
    for (let i = 0; i < 60; i++) await write(`${i}`);
    w.pass(HOUR_MS - 60_000);
    const { code, reason, headers } = await write("One more");
    expect([code, reason, headers["retry-after"]]).toEqual([429, "messages.many", "60"]);
    expect((await write("From Ben", ben)).code).toBe(200);
    w.pass(60_000);
    expect((await write("One more")).code).toBe(200);
  });
});

describe("a picture in it", () => {
  it("is written anew, whole, and sent to its member alone, at no public address", async () => {
    const { data } = await sendPicture();
    expect(data).toMatchObject({ id: "svc_1", from: "member", text: "", picture: 1 });
    const { headers, rawPayload } = await fetchPicture("svc_1", mia);
    expect([headers["content-type"], headers["cache-control"]]).toEqual(["image/webp", "no-store"]);
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "webp", width: 1280, height: 720 });
    expect((await fetchPicture("svc_1", ben)).json()).toMatchObject({ code: 404 });
    expect((await w.site.app.inject({ url: `/files/support/${files()[0]}` })).statusCode).toBe(404);
    await write("Text");
    expect((await fetchPicture("svc_2", mia)).json()).toMatchObject({ code: 404 });
  });

  it("is kept once under its key; twenty a day, and no file of a refused one stays", async () => {
    const first = await sendPicture(mia, { key: "k" });
    expect((await sendPicture(mia, { key: "k" })).data).toEqual(first.data);
    expect(files()).toHaveLength(1);
    for (let i = 1; i < 20; i++) await sendPicture();
    expect((await sendPicture()).reason).toBe("messages.many");
    const text = await ben.call("/support/sendPicture", { file: fileOf("hello") });
    expect(text).toMatchObject({ code: 400, fields: { file: expect.any(String) as string } });
    expect(files()).toHaveLength(20);
  });
});

describe("what is kept of it", () => {
  it("is in the member's export, and gone with their erasure, pictures too", async () => {
    await write("My name is Mia");
    await sendPicture();
    await answer("mia_1", "Hello Mia");
    const time = new Date(w.now()).toISOString();
    expect((await exported(w, mia)).support).toEqual([
      { id: "svc_1", time, kind: "member", text: "My name is Mia" },
      { id: "svc_2", time, kind: "member", text: "", proof: "/api/support/picture?id=svc_2" },
      { id: "svc_3", time: expect.any(String), kind: "support", text: "Hello Mia" },
    ]);
    await write("Hello", ben);
    expect((await operateWith("mia_1", w, "member:erase", "mia_1", "--reason", "Asked")).exit).toBe(0);
    expect(await w.deps.db.read.select().from(supportMessages)).toMatchObject([{ text: "Hello" }]);
    expect(files()).toEqual([]);
    expect((await operate(w, "message:list", "--json")).out).not.toContain("erased");
  });

  it("goes after 400 days, and its picture with the sweep after", async () => {
    const kept = async () => (await w.deps.db.read.select().from(supportMessages)).map(({ text }) => text);
    await sendPicture();
    w.pass(29 * DAY_MS);
    await write("Later");
    w.pass(371 * DAY_MS);
    await w.site.housekeeping.tick();
    expect([await kept(), files().length]).toEqual([["", "Later"], 1]);
    w.pass(HOUR_MS);
    await w.site.housekeeping.tick();
    expect([await kept(), files().length]).toEqual([["Later"], 1]);
    w.pass(HOUR_MS);
    await w.site.housekeeping.tick();
    expect([await kept(), files()]).toEqual([["Later"], []]);
  });
});
