import { afterEach, describe, expect, it } from "vitest";
import { world, type World } from "../../support/world.ts";
import { send } from "./endpoints.ts";

let w: World;

afterEach(() => w.close());

const open = async (env: Record<string, string> = {}) => {
  w = await world({ env });
};
const get = (url: string, from?: string, headers: Record<string, string> = {}) =>
  w.site.app.inject({ url, headers, ...(from !== undefined && { remoteAddress: from }) });

describe("the server's health", () => {
  it("is public until it drains, and then shows only that it lives", async () => {
    await open();
    for (const path of ["/healthz", "/readyz"]) expect((await get(path, "203.0.113.7")).statusCode).toBe(200);
    w.site.health.draining = true;
    expect((await get("/healthz")).statusCode).toBe(200);
    expect((await get("/readyz")).statusCode).toBe(503);
  });

  it("is not ready while its database is away", async () => {
    await open();
    const { db } = w.deps;
    const { ping } = db;
    db.ping = () => Promise.reject(new Error("the database is away"));
    expect((await get("/readyz")).statusCode).toBe(503);
    expect((await get("/healthz")).statusCode).toBe(200);
    db.ping = ping;
    expect((await get("/readyz")).statusCode).toBe(200);
  });
});

describe("the metrics", () => {
  it.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])("are open to the machine itself: %s", async (from) => {
    await open();
    const { statusCode, headers, body } = await get("/metrics", from);
    expect([statusCode, headers["content-type"]]).toEqual([200, expect.stringContaining("text/plain")]);
    expect(body).toContain("trio_http_seconds");
  });

  it.each(["203.0.113.7", "10.0.0.1", "::ffff:10.0.0.1", "2001:db8::1"])("are closed to %s", async (from) => {
    await open();
    const { statusCode, body } = await get("/metrics", from, { "x-forwarded-for": "127.0.0.1" });
    expect([statusCode, body]).toEqual([403, ""]);
  });

  it("are open to holders of the token, and then to no other", async () => {
    await open({ METRICS_TOKEN: "let me see" });
    const ask = (authorization?: string) => get("/metrics", "203.0.113.7", authorization ? { authorization } : {});
    expect((await ask("Bearer let me see")).statusCode).toBe(200);
    for (const wrong of [undefined, "Bearer let me sea", "Bearer let me see ", "let me see", "Bearer"]) {
      expect((await ask(wrong)).statusCode).toBe(403);
    }
    expect((await get("/metrics", "127.0.0.1")).statusCode).toBe(403);
  });

  it("count requests by route and not by address", async () => {
    await open();
    await w.call("/system/base");
    await w.site.app.inject({ url: "/pay/sandbox/dep_secret" });
    const { body } = await get("/metrics");
    expect(body).toMatch(/trio_http_seconds_count\{route="\/api\/system\/base",status="200"\} 1/);
    expect(body).toContain('route="/pay/sandbox/:order",status="404"');
    expect(body).not.toContain("dep_secret");
  });
});

describe("the documentation", () => {
  it("is a page that loads nothing from elsewhere", async () => {
    await open();
    const { statusCode, headers, body } = await get("/docs/");
    expect([statusCode, headers["content-type"]]).toEqual([200, expect.stringContaining("text/html")]);
    expect(body).not.toMatch(/(src|href)="https?:/);
    expect(headers["content-security-policy"]).toBeTruthy();
  });
});

describe("a client that sends too many requests", () => {
  const base = (remoteAddress: string) =>
    send(w, { method: "GET", path: "/system/base", remoteAddress, lang: "en_us" });

  it("is told to wait, in an envelope, and its neighbours are not", async () => {
    await open({ RATE_LIMIT: "on" });
    for (let i = 0; i < 1_000; i++)
      await w.site.app.inject({ url: "/api/notice/getNoticeList", remoteAddress: "10.0.0.1" });
    const { status, code, msg, data, headers } = await base("10.0.0.1");
    expect([status, code, data]).toEqual([429, 429, { reason: "attempts.many" }]);
    expect(msg).toBe("Too many requests. Please wait a moment");
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect((await base("10.0.0.2")).status).toBe(200);
    expect((await w.site.app.inject({ url: "/healthz", remoteAddress: "10.0.0.1" })).statusCode).toBe(200);
  });

  it("is not limited where the limit is switched off, except in guessing passwords", async () => {
    await open({ RATE_LIMIT: "off" });
    for (let i = 0; i < 1_050; i++)
      await w.site.app.inject({ url: "/api/notice/getNoticeList", remoteAddress: "10.0.0.1" });
    expect((await base("10.0.0.1")).status).toBe(200);
    const guess = () => w.call("/member/doLogin", { username: "nobody_1", password: "guess" });
    for (let i = 0; i < 5; i++) expect((await guess()).code).toBe(422);
    const { status, code, data, headers } = await guess();
    expect([status, code, data, headers["retry-after"]]).toEqual([429, 429, { reason: "login.locked" }, "15"]);
  });
});
