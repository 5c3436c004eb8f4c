import { afterEach, describe, expect, it } from "vitest";
import { injectTold } from "../../support/api-document.ts";
import { world, type World } from "../../support/world.ts";
import { send, stopClock } from "./endpoints.ts";

let w: World;

afterEach(() => w.close());

const open = async (env: Record<string, string> = {}) => {
  w = await world({ env });
};
const requestOf = (url: string, from?: string, headers: Record<string, string> = {}) => ({
  url,
  headers,
  ...(from !== undefined && { remoteAddress: from }),
});
const get = (...asked: Parameters<typeof requestOf>) => injectTold(w.site.app, requestOf(...asked));
/** The pages for people are not in the document. */
const getPage = (...asked: Parameters<typeof requestOf>) => w.site.app.inject(requestOf(...asked));

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

describe("what is for operators", () => {
  it.each(["/metrics", "/docs"])("is closed to this machine where the site is not its own: %s", async (path) => {
    await open({ PUBLIC_URL: "https://club.example" });
    expect((await getPage(path, "127.0.0.1")).statusCode).toBe(403);
  });
});

describe("probes", () => {
  it("have a limit where they ask the database, and none where they do not", async () => {
    await open({ RATE_LIMIT: "on" });
    stopClock();
    for (let i = 0; i < 300; i++) await get("/readyz", "2001:db8::1");
    const refused = await get("/readyz", "2001:db8::2");
    expect([refused.statusCode, Number(refused.headers["retry-after"])]).toEqual([429, expect.any(Number)]);
    expect((await get("/readyz", "203.0.113.7")).statusCode).toBe(200);
    expect((await get("/healthz", "2001:db8::1")).statusCode).toBe(200);
  });
});

describe("a proxy that is not trusted", () => {
  const TOLD = "TRUST_PROXY does not name it";
  const forwarded = (times: number) =>
    Promise.all(
      Array.from({ length: times }, () => getPage("/api/system/base", "10.1.2.3", { forwarded: "for=8.8.8.8" })),
    );
  const told = () => w.logged.filter((line) => line.includes(TOLD));

  it("is told of once, and makes the site not ready where it is for the public", async () => {
    await open({ PUBLIC_URL: "https://club.example", HOSTS: "localhost" });
    await forwarded(9);
    expect((await get("/readyz")).statusCode).toBe(200);
    await forwarded(3);
    const { statusCode, body } = await get("/readyz");
    expect([statusCode, JSON.parse(body)]).toEqual([503, { ready: false, reason: "proxy" }]);
    expect(told()).toHaveLength(1);
  });

  it("is no proxy where others come directly", async () => {
    await open({ PUBLIC_URL: "https://club.example", HOSTS: "localhost" });
    await getPage("/api/system/base", "10.1.2.3");
    await forwarded(20);
    expect((await get("/readyz")).statusCode).toBe(200);
  });

  it("is told of, and no more, where the site is this machine's", async () => {
    await open();
    await forwarded(20);
    expect([(await get("/readyz")).statusCode, told().length]).toEqual([200, 1]);
  });

  it("is not told of where it is trusted", async () => {
    await open({ PUBLIC_URL: "https://club.example", HOSTS: "localhost", TRUST_PROXY: "10.0.0.0/8" });
    await forwarded(20);
    expect([(await get("/readyz")).statusCode, told().length]).toEqual([200, 0]);
  });
});

it("every answer carries the safety headers, whatever it is", async () => {
  await open({ PUBLIC_URL: "https://club.example", HOSTS: "localhost" });
  for (const url of [
    "/api/system/base",
    "/files/uploads/none.webp",
    "/Home",
    "/healthz",
    "/api/none",
    "/%zz",
    "/pay/x",
  ]) {
    const { headers } = await getPage(url);
    expect([url, headers]).toEqual([
      url,
      expect.objectContaining({
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": expect.stringContaining("camera=()"),
        "strict-transport-security": expect.stringMatching(/^max-age=\d{8}/),
      }),
    ]);
  }
});

describe("the documentation", () => {
  it("is a page that loads nothing from elsewhere", async () => {
    await open();
    const { statusCode, headers, body } = await getPage("/docs/");
    expect([statusCode, headers["content-type"]]).toEqual([200, expect.stringContaining("text/html")]);
    expect(body).not.toMatch(/(src|href)="https?:/);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/upgrade-insecure-requests|https?:(?!\/\/127\.0\.0\.1)|unsafe|swagger/);
    // The page's library writes markup from strings, which the app's screens may not.
    const ofApp = (await getPage("/")).headers["content-security-policy"] ?? policy;
    expect(policy).toBe(ofApp.replace(/require-trusted-types-for [^;]+;trusted-types [^;]+;/, ""));
  });

  const PARTS = ["/docs", "/docs/", "/docs/json", "/docs/yaml", "/docs/static/swagger-ui.css"];

  it.each(PARTS)("is closed to others than the machine itself: %s", async (path) => {
    await open();
    expect((await getPage(path)).statusCode).toBe(200);
    const refused = [
      await getPage(path, "203.0.113.7"),
      await getPage(path, "127.0.0.1", { "x-forwarded-for": "127.0.0.1" }),
    ];
    expect(refused.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [403, ""],
      [403, ""],
    ]);
  });

  it.each(PARTS)("is open to holders of the token, and then to no other: %s", async (path) => {
    await open({ DOCS_TOKEN: "let me read" });
    const ask = (authorization?: string) => getPage(path, "203.0.113.7", authorization ? { authorization } : {});
    const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
    for (const right of ["Bearer let me read", basic("me:let me read"), basic(":let me read")]) {
      expect((await ask(right)).statusCode).toBe(200);
    }
    for (const wrong of [undefined, "Bearer let me", "let me read", basic("let me read:"), "Basic %", "Basic"]) {
      const { statusCode, body, headers } = await ask(wrong);
      expect([statusCode, body, headers["www-authenticate"]]).toEqual([401, "", expect.stringContaining("Basic")]);
    }
    expect((await getPage(path)).statusCode).toBe(401);
  });
});

describe("a client that sends too many requests", () => {
  const base = (remoteAddress: string) =>
    send(w, { method: "GET", path: "/system/base", remoteAddress, lang: "en_us" });

  it("is told to wait, in an envelope, and its neighbours are not", async () => {
    await open({ RATE_LIMIT: "on" });
    stopClock();
    for (let i = 0; i < 1_000; i++)
      await w.site.app.inject({ url: "/api/notice/getNoticeList", remoteAddress: "10.0.0.1" });
    const { status, code, msg, data, headers } = await base("10.0.0.1");
    expect([status, code, data]).toEqual([429, 429, { reason: "attempts.many" }]);
    expect(msg).toBe("Too many requests. Please wait a moment.");
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
