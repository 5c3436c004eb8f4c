import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCALES } from "#shared/locales.ts";
import { furnishedWorld, everything, type Furnished } from "./furnished.ts";
import { JSON_TYPE, messagesOf, send, type Raw, type Request } from "./endpoints.ts";

let site: Furnished;

beforeAll(async () => {
  site = await furnishedWorld();
});
afterAll(() => site.w.close());

const ask = (request: Request): Promise<Raw> => send(site.w, request);
const json = (value: unknown) => ({ payload: JSON.stringify(value), type: JSON_TYPE });
const order = (over: object = {}) => ({ item: "A", money: 10, lid: "lot_1", expect: "20260302-0007", ...over });
const say = (request: Omit<Request, "path">) => ask({ path: "/game/placeOrder", token: site.mia.token, ...request });

describe("an answer", () => {
  it("carries its data as base64 of UTF-8 JSON", async () => {
    const { text, data } = await send(site.w, { method: "GET", path: "/system/base" });
    const envelope = JSON.parse(text) as { code: number; msg: string; data: string };
    expect(Object.keys(envelope)).toEqual(["code", "msg", "data"]);
    expect(envelope.data).toBe(Buffer.from(JSON.stringify(data)).toString("base64"));
    expect(data.lang_data).toContainEqual({ code: "vn_vn", name: "Tiếng Việt" });
  });

  it("carries base64 of null where there is no data", async () => {
    const { token } = await site.w.player("logs_out");
    const { text } = await ask({ path: "/member/doLogout", payload: "", token });
    expect(JSON.parse(text)).toMatchObject({ code: 200, data: "bnVsbA==" });
  });

  it("carries plain JSON on request", async () => {
    const headers = { "x-data-encoding": "json" };
    const { text } = await ask({ method: "GET", path: "/Lottery/itemlist?limit=1", headers, lang: "en_us" });
    expect(JSON.parse(text)).toEqual({ code: 200, msg: "Done", data: [{ key: "k3", name: "Three dice" }] });
    const refused = await ask({ method: "GET", path: "/Lottery/getLotteryInfo?key=none", headers });
    expect(JSON.parse(refused.text)).toMatchObject({ code: 404, data: { reason: "object.unknown" } });
  });

  it("is never stored by caches", async () => {
    const { headers } = await ask({ method: "GET", path: "/member/getUserInfo", token: site.mia.token });
    expect(headers).toMatchObject({ "cache-control": "no-store", "content-type": "application/json; charset=utf-8" });
  });
});

describe("a large answer", () => {
  const ODDS = "/api/Lottery/getLotteryPeilv?id=lot_1";
  const inject = (url: string, encoding: string, method: "GET" | "POST" = "GET") => {
    const token = Buffer.from(site.mia.token).toString("base64");
    const headers = { "accept-encoding": encoding, "x-data-encoding": "json", token };
    return site.w.site.app.inject({ method, url, headers });
  };

  it.each([
    ["br, gzip", "br", brotliDecompressSync],
    ["gzip;q=0.8, br;q=0", "gzip", gunzipSync],
  ])("comes compressed where %s is accepted", async (accepted, coding, expand) => {
    const plain = await inject(ODDS, "identity");
    const { headers, rawPayload } = await inject(ODDS, accepted);
    expect(headers).toMatchObject({ "content-encoding": coding, vary: "accept-encoding" });
    expect(expand(rawPayload).toString()).toBe(plain.payload);
    expect(Number(headers["content-length"])).toBe(rawPayload.length);
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length);
  });

  it("comes as it is where it is small, where nothing is accepted, and where it answers a POST", async () => {
    const answers = [
      await inject("/api/Lottery/itemlist", "br, gzip"),
      await inject(ODDS, "br;q=0, deflate"),
      await inject("/api/luckdrawlist", "br, gzip", "POST"),
    ];
    expect(answers.map(({ headers }) => headers["content-encoding"])).toEqual([undefined, undefined, undefined]);
    expect(answers.at(-1)!.rawPayload.length).toBeGreaterThan(1_024);
  });
});

describe("the language of an answer", () => {
  it.each(LOCALES.map(({ code }) => code))("is %s where the request asks for it", async (lang) => {
    const { done, refusal, field } = messagesOf(lang);
    expect((await ask({ method: "GET", path: "/system/base", lang })).msg).toBe(done);
    const unknown = await ask({ method: "GET", path: "/Lottery/getLotteryInfo?key=none", lang });
    expect(unknown.msg).toBe(refusal.object!.unknown);
    const empty = await ask({ method: "GET", path: "/Lottery/getLotteryInfo", lang });
    expect([empty.msg, empty.data]).toEqual([refusal.input!.invalid, { fields: { key: field.required } }]);
    const lost = await ask({ method: "GET", path: "/no/such/path", lang });
    expect([lost.status, lost.msg]).toEqual([404, refusal.path!.unknown]);
  });

  it.each(["", "xx_xx", "en", "EN_US", "en_us, ko_kr", "__proto__"])("is Vietnamese for %j", async (lang) => {
    const { msg } = await ask({ method: "GET", path: "/system/base", headers: { lang } });
    expect(msg).toBe(messagesOf("vn_vn").done);
  });

  it("is Vietnamese by default", async () => {
    const { msg } = await ask({ method: "GET", path: "/system/base" });
    expect(msg).toBe(messagesOf("vn_vn").done);
  });
});

describe("a malformed request", () => {
  const big = "x".repeat(70_000);
  const LOGIN = "/member/doLogin";
  it.each<[string, number, Request, string]>([
    ["an unknown path", 404, { method: "GET", path: "/nobody/home" }, "path.unknown"],
    ["a method that the path does not have", 404, { method: "GET", path: LOGIN }, "path.unknown"],
    ["a method that nothing has", 404, { method: "DELETE", path: LOGIN }, "path.unknown"],
    ["an unknown payment channel", 404, { path: "/pay/notify/bank", payload: "a=1" }, "path.unknown"],
    ["an address that cannot be decoded", 400, { method: "GET", path: "/system/%E0%A4%A" }, "request.malformed"],
    ["JSON that is cut off", 400, { path: LOGIN, payload: '{"username":', type: JSON_TYPE }, "request.malformed"],
    ["JSON of nothing", 400, { path: LOGIN, payload: "", type: JSON_TYPE }, "request.malformed"],
    ["an array", 400, { path: LOGIN, payload: "[1]", type: JSON_TYPE }, "request.malformed"],
    ["a bare text", 400, { path: LOGIN, payload: '"x"', type: JSON_TYPE }, "request.malformed"],
    ["__proto__", 400, { path: LOGIN, payload: '{"__proto__":{"a":1}}', type: JSON_TYPE }, "request.malformed"],
    [
      "a constructor",
      400,
      { path: LOGIN, payload: '{"constructor":{"prototype":1}}', type: JSON_TYPE },
      "request.malformed",
    ],
    ["a long form", 413, { path: LOGIN, payload: `username=${big}` }, "body.large"],
    ["long JSON", 413, { path: LOGIN, payload: JSON.stringify({ username: big }), type: JSON_TYPE }, "body.large"],
    ["plain text", 415, { path: LOGIN, payload: "username=a", type: "text/plain" }, "media.unsupported"],
    ["XML", 415, { path: LOGIN, payload: "<a/>", type: "application/xml" }, "media.unsupported"],
  ])("is refused: %s", async (_what, status, request, reason) => {
    const answer = await ask({ ...request, lang: "en_us" });
    const [thing, why] = reason.split(".") as [string, string];
    expect([answer.status, answer.code]).toEqual([status, status]);
    expect(answer.msg).toBe(messagesOf("en_us").refusal[thing]![why]);
    expect(answer.data).toEqual(status === 400 ? { fields: {} } : { reason });
  });

  it("is told to retry while the server drains", async () => {
    site.w.site.health.draining = true;
    const { status, code, headers, data } = await ask({ method: "GET", path: "/system/base" });
    site.w.site.health.draining = false;
    expect([status, code, data]).toEqual([503, 503, { reason: "server.away" }]);
    expect(headers["retry-after"]).toBe("1");
  });

  it("never sees the inside of the server, even when it fails", async () => {
    const { identify } = site.w.deps;
    const broken = new Error(`SQLITE_CORRUPT: select * from sessions at ${site.w.folder}/trio.db`);
    site.w.deps.identify = () => Promise.reject(broken);
    const answer = await ask({ method: "GET", path: "/member/getUserInfo", token: "any", lang: "en_us" });
    site.w.deps.identify = identify;
    expect([answer.status, answer.code, answer.data]).toEqual([500, 500, { reason: "server.fault" }]);
    expect(answer.text).not.toMatch(/SQLITE|select|trio\.db|\.ts|node_modules| at /);
    expect(site.w.logged.join("")).toContain("SQLITE_CORRUPT");
  });
});

describe("a body", () => {
  it("may be JSON, with whole numbers as numbers or as text", async () => {
    for (const money of [10, "10"]) {
      expect((await say(json(order({ money })))).data).toMatchObject({ total: "10.00" });
    }
  });

  it.each([1.5, -1, 0, 1e21, 2_000_000_001])("refuses the number %d as an amount", async (money) => {
    const before = await everything(site.w);
    const { code, data } = await say({ ...json(order({ money })), lang: "en_us" });
    expect([code, data]).toEqual([400, { fields: { money: messagesOf("en_us").field.amount } }]);
    expect(await everything(site.w)).toEqual(before);
  });

  it.each(["12345678901234567890", "9007199254740993", "1e21", "1.10"])(
    "refuses the number %s in place of a text: it would be read as another one",
    async (number) => {
      const before = await everything(site.w);
      const to = { path: "/member/setName", token: site.mia.token, lang: "en_us" } as const;
      const { code, data } = await ask({ ...to, payload: `{"name":${number}}`, type: JSON_TYPE });
      expect([code, data]).toEqual([400, { fields: { name: messagesOf("en_us").field.text } }]);
      expect(await everything(site.w)).toEqual(before);
    },
  );

  it.each(["item", "money", "expect", "nobody_asked"])("refuses a key that comes twice: %s", async (name) => {
    const before = await everything(site.w);
    const form = new URLSearchParams({ ...order(), money: "10", nobody_asked: "1" });
    form.append(name, form.get(name)!);
    const { code, data } = await say({ payload: form.toString(), lang: "en_us" });
    expect([code, data]).toEqual([400, { fields: { [name]: messagesOf("en_us").field.text } }]);
    expect(await everything(site.w)).toEqual(before);
  });

  it("refuses a key that comes twice in a query", async () => {
    const path = "/Lottery/getLotteryInfo?key=k3-1m&key=k3-1m";
    expect((await ask({ method: "GET", path })).data).toHaveProperty("fields.key");
  });

  it("refuses a name that comes twice in JSON, and only that", async () => {
    const twice = JSON.stringify(order()).replace('"item"', '"money":1,"item"');
    expect(await say({ payload: twice, type: JSON_TYPE })).toMatchObject({ status: 400, code: 400 });
    const tricky = json(order({ mid: "", note: '{"money":1,\\"a\\":', more: { a: 1, b: [{ a: 1 }] } }));
    expect((await say(tricky)).code).toBe(200);
  });
});
