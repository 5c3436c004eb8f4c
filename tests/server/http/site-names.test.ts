import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { siteNamesOf } from "#server/http/site-names.ts";
import { world, type World } from "../../support/world.ts";

const namesIn = (env: Record<string, string>) => siteNamesOf(readConfig({ DATA_DIR: "/nowhere", ...env }, []));
const isOwn = (env: Record<string, string>, host: string) => namesIn(env).isOwnHost({ host });

describe("a name that is asked for", () => {
  it.each(["localhost:3000", "127.0.0.1", "[::1]:3000", "LOCALHOST", "localhost."])("on loopback may be %s", (host) => {
    expect(isOwn({}, host)).toBe(true);
  });

  it.each(["rebind.example", "192.0.2.7", "localhost.rebind.example", "", "127.0.0.1@evil", "[::1"])(
    "on loopback may not be %j",
    (host) => expect(isOwn({}, host)).toBe(false),
  );

  it("is the public one, or a further one", () => {
    const env = { HOST: "0.0.0.0", PUBLIC_URL: "https://club.example", HOSTS: "www.club.example, club.test" };
    const asked = ["club.example", "www.club.example:443", "club.test", "localhost", "192.0.2.7", "evil.example"];
    expect(asked.filter((host) => isOwn(env, host))).toEqual(["club.example", "www.club.example:443", "club.test"]);
  });

  it("is any address where the site has no name, and no name", () => {
    expect(["192.0.2.7:3000", "[2001:db8::1]", "box.example"].map((host) => isOwn({ HOST: "0.0.0.0" }, host))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("must be a name to be set", () => {
    expect(() => namesIn({ HOSTS: "https://club.example" })).toThrow("HOSTS must be names");
  });
});

describe("the page that a request comes from", () => {
  it("is the site's own, under any of its names, and not another port's of this machine", () => {
    const names = namesIn({ PUBLIC_URL: "https://club.example", HOSTS: "www.club.example" });
    const from = (origin: string, host = "localhost:3000") => names.isOwnOrigin({ origin, host });
    const own = ["https://club.example", "https://www.club.example", "http://localhost:3000"];
    expect(own.filter((origin) => !from(origin))).toEqual([]);
    const foreign = ["https://evil.example", "http://localhost:8080", "null", "nonsense"];
    expect(foreign.filter((origin) => from(origin))).toEqual([]);
  });
});

describe("a server", () => {
  let w: World;
  beforeAll(async () => {
    w = await world();
  });
  afterAll(() => w.close());
  const ask = (url: string, headers: Record<string, string>, method: "GET" | "POST" = "GET") =>
    w.site.app.inject({ method, url, headers });

  it.each(["/api/system/base", "/Home", "/files/uploads/a.webp", "/docs"])(
    "refuses %s under another's name",
    async (url) => {
      const refused = await ask(url, { host: "rebind.example" });
      expect([refused.statusCode, refused.json<{ code: number }>().code]).toEqual([421, 421]);
      expect((await ask(url, { host: "localhost" })).statusCode).not.toBe(421);
    },
  );

  it.each(["/healthz", "/readyz", "/metrics"])("answers %s under any name", async (url) => {
    expect((await ask(url, { host: "10.1.2.3" })).statusCode).toBe(200);
  });

  it("lets a page of another site change nothing", async () => {
    const foreign = await ask("/api/member/doLogin", { origin: "https://evil.example" }, "POST");
    expect([foreign.statusCode, foreign.json<{ code: number }>().code]).toEqual([403, 403]);
    const encoded = await ask("/%61pi/member/doLogin", { origin: "https://evil.example" }, "POST");
    expect(encoded.statusCode).toBe(403);
    expect((await ask("/api/member/doLogin", { origin: "http://localhost" }, "POST")).statusCode).not.toBe(403);
  });

  it("opens no socket under another's name", async () => {
    const address = await w.listen();
    const { get } = await import("node:http");
    const status = await new Promise((resolve) =>
      get(`${address}/socket.io/?EIO=4&transport=polling`, { headers: { host: "rebind.example" } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }),
    );
    expect(status).toBe(403);
  });
});
