import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCALES } from "#shared/locales.ts";
import type { Player, World } from "../../support/world.ts";
import { arm } from "../../support/failpoints.ts";
import { messagesOf } from "../http/endpoints.ts";
import { order, ordered, PUBLIC_URL, shop, stateOf, tap } from "./shop.ts";

let w: World;
let mia: Player;

beforeAll(async () => {
  w = await shop();
  mia = await w.player("mia_1");
});
afterAll(() => w.close());

const open = (orderNo: string) => w.site.app.inject({ url: `/pay/sandbox/${orderNo}` });
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

describe("the sandbox's page", () => {
  it.each(LOCALES)("is in the language of its order and says what it is: $code", async ({ code, tag }) => {
    const { data } = await order(await w.player(`reader_${code.replace("-", "_")}`), 1_234, code);
    const { statusCode, headers, body } = await open(data.order);
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const { pay } = messagesOf(code) as unknown as { pay: Record<string, string> };
    for (const part of [`<html lang="${tag}" dir="ltr">`, pay["notice"]!, pay["pay"]!, pay["fail"]!, pay["waiting"]!]) {
      expect(body).toContain(part.startsWith("<") ? part : escaped(part));
    }
    expect(body).toContain(escaped(new Intl.NumberFormat(tag).format(1_234)));
    expect(body).toContain(data.order);
  });

  it.each([
    ["ko", "ko_kr"],
    ["fr-CH, zh-HK;q=0.9, en;q=0.8", "zh-tw"],
    ["en;q=0.5, ja;q=0.9", "ja_ja"],
    ["fr", "en_us"],
  ] as const)("says in a browser's language that there is no such order: %s", async (language, code) => {
    const headers = { accept: "text/html,*/*;q=0.8", "accept-language": language };
    const { statusCode, headers: got, body } = await w.site.app.inject({ url: "/pay/sandbox/nothing", headers });
    const { refusal } = messagesOf(code) as unknown as { refusal: { path: { unknown: string } } };
    expect([statusCode, got["content-type"], got["vary"]]).toEqual([
      404,
      "text/html; charset=utf-8",
      "accept, accept-language",
    ]);
    expect(body).toContain(escaped(refusal.path.unknown));
  });

  it("says so to a program in the envelope", async () => {
    const { statusCode, headers, body } = await w.site.app.inject({
      url: "/pay/sandbox/nothing",
      headers: { accept: "application/json" },
    });
    expect([statusCode, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
    expect(JSON.parse(body)).toMatchObject({ code: 404 });
  });

  it("runs no script, loads nothing and can only be framed by the app", async () => {
    const { headers, body } = await open(await ordered(await w.player("amy_1"), 1));
    expect(headers["content-security-policy"]).toMatch(/default-src 'none'.*frame-ancestors 'self'/);
    expect(headers["cache-control"]).toBe("no-store");
    expect(body).not.toMatch(/<script|<img|javascript:| on\w+=/);
  });

  it("sends its member back once the payment has been credited", async () => {
    const ben = await w.player("ben_1");
    const orderNo = await ordered(ben, 10);
    const { statusCode, headers } = await tap(w, orderNo, "pay");
    expect([statusCode, headers.location]).toEqual([303, `${PUBLIC_URL}/RechargeRecord`]);
    expect(await stateOf(w, ben.memberId)).toMatchObject({ balance: 1_000, deposited: 1_000, statuses: ["paid"] });
    const { body } = await open(orderNo);
    expect(body).toContain("This order is paid.");
    expect(body).not.toContain("<button");
  });

  it("says where the payment was not taken, and tells it again at the next tap", async () => {
    const kim = await w.player("kim_1");
    const orderNo = await ordered(kim, 10);
    arm("transfer.deposit throw ECONNRESET 1");
    const { statusCode, headers, body } = await tap(w, orderNo, "pay", {
      accept: "text/html",
      "accept-language": "en",
    });
    expect([statusCode, headers["retry-after"]]).toEqual([503, "1"]);
    expect(body).toContain("This cannot be done right now. Please try again in a moment.");
    expect(await stateOf(w, kim.memberId)).toMatchObject({ balance: 0, statuses: ["waiting"] });
    const shown = (await open(orderNo)).body;
    expect([shown.includes(`${orderNo}/pay"`), shown.includes(`${orderNo}/fail"`)]).toEqual([true, false]);
    expect((await tap(w, orderNo, "pay")).statusCode).toBe(303);
    expect(await stateOf(w, kim.memberId)).toMatchObject({ balance: 1_000, credits: 1, statuses: ["paid"] });
  });

  it("credits once, however often and however quickly Pay is tapped", async () => {
    const zoe = await w.player("zoe_1");
    const orderNo = await ordered(zoe, 10);
    const taps = await Promise.all(Array.from({ length: 10 }, () => tap(w, orderNo, "pay")));
    expect(new Set(taps.map(({ statusCode }) => statusCode))).toEqual(new Set([303]));
    expect(await stateOf(w, zoe.memberId)).toMatchObject({ balance: 1_000, version: 1, credits: 1 });
  });

  it("ends an order for good with Fail: a later tap on Pay is refused", async () => {
    const ida = await w.player("ida_1");
    const orderNo = await ordered(ida, 10);
    expect((await tap(w, orderNo, "fail")).statusCode).toBe(303);
    expect((await tap(w, orderNo, "pay")).statusCode).toBe(303);
    expect(await stateOf(w, ida.memberId)).toMatchObject({ balance: 0, version: 0, statuses: ["failed"], credits: 0 });
  });

  it("ends in one way when both are tapped at once", async () => {
    const eva = await w.player("eva_1");
    const orderNo = await ordered(eva, 10);
    await Promise.all([tap(w, orderNo, "pay"), tap(w, orderNo, "fail")]);
    const { balance, statuses } = await stateOf(w, eva.memberId);
    expect([
      [1_000, "paid"],
      [0, "failed"],
    ]).toContainEqual([balance, statuses[0]]);
  });

  it.each([
    "dep_unknown",
    "%00",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "' or 1=1 --",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "a".repeat(5_000),
    "%E0%A4%A",
    "__proto__",
  ])("does not exist for %j", async (orderNo) => {
    const before = await stateOf(w, mia.memberId);
    for (const [method, end] of [
      ["GET", ""],
      ["POST", "/pay"],
      ["POST", "/fail"],
    ] as const) {
      const { statusCode, body } = await w.site.app.inject({ method, url: `/pay/sandbox/${orderNo}${end}` });
      expect([400, 404]).toContain(statusCode);
      expect(JSON.parse(body)).toMatchObject({ code: statusCode });
      expect(body).not.toContain("script");
    }
    expect(await stateOf(w, mia.memberId)).toEqual(before);
  });
});
