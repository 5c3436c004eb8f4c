import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCALES } from "#shared/locales.ts";
import { SCREENS } from "#shared/screens.ts";
import { messagesOf } from "./endpoints.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.close());

const BUILT = new URL("../../../dist/", import.meta.url);
const script = readdirSync(new URL("assets", BUILT)).find((name) => name.endsWith(".js"));

const get = (url: string, headers: Record<string, string> = {}) => w.site.app.inject({ url, headers });
const page = { accept: "text/html" };

const shapeOf = (headers: Record<string, unknown>, body: string) => ({
  type: String(headers["content-type"]).split(";")[0],
  begins: body.slice(0, 15),
  varies: /(^|[\s,])accept($|,)/i.test(String(headers.vary)),
});

describe("the built app", () => {
  it("has hashed files, which are cached for good", async () => {
    const { statusCode, headers } = await get(`/assets/${script}`);
    expect([statusCode, headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
    expect(headers["content-type"]).toContain("javascript");
  });

  it("has other files, which are revalidated each time", async () => {
    const { statusCode, headers } = await get("/manifest.webmanifest");
    expect([statusCode, headers["cache-control"]]).toEqual([200, "no-cache"]);
  });

  it.each(LOCALES)("has a manifest in $tag, with its own names of the shortcuts", async ({ code, tag, direction }) => {
    const { statusCode, headers, body } = await get(`/manifest.${tag}.webmanifest`);
    expect([statusCode, headers["content-type"]]).toEqual([200, "application/manifest+json"]);
    const { app } = messagesOf(code) as unknown as { app: Record<"home" | "game" | "mine", Record<string, string>> };
    const { id, lang, dir, description, shortcuts } = JSON.parse(body) as Record<string, unknown>;
    expect({ id, lang, dir, description, names: (shortcuts as { name: string }[]).map(({ name }) => name) }).toEqual({
      id: "/",
      lang: tag,
      dir: direction,
      description: app.home["introMoney"],
      names: [app.game["title"], app.home["video"], app.mine["title"]],
    });
  });

  it.each(["", "gzip", "br"])(
    "has a page that checks offline, under a policy that lets nothing else run: %s",
    async (coding) => {
      const { statusCode, headers } = await get("/check.html", { "accept-encoding": coding });
      expect(statusCode).toBe(200);
      const { body } = await get("/check.html");
      const hash = (name: string) => {
        const [, text] = new RegExp(`<${name}>([^]*)</${name}>`).exec(body)!;
        return `'sha256-${createHash("sha256").update(text!).digest("base64")}'`;
      };
      const policy = `default-src 'none'; script-src ${hash("script")}; style-src ${hash("style")}; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'`;
      expect(body).toContain(`content="${policy}"`);
      expect(headers["content-security-policy"]).toBe(`${policy}; frame-ancestors 'none'`);
    },
  );

  it.each(["gzip", "br"])("comes as %s where the browser accepts it", async (coding) => {
    const zipped = { "accept-encoding": coding };
    const [asset, index] = [await get(`/assets/${script}`, zipped), await get("/index.html", zipped)];
    expect([asset.headers["content-encoding"], index.headers["content-encoding"]]).toEqual([coding, coding]);
  });

  it.each(["/", ...SCREENS, "/HOME", "/luckdraw/", "/%48ome", "/nHomeDetail?id=lst_2"])(
    "is the page at %s",
    async (path) => {
      const { statusCode, headers, body } = await get(path, page);
      expect([statusCode, headers["cache-control"]]).toEqual([200, "no-cache"]);
      expect(headers["content-type"]).toContain("text/html");
      expect(body).toContain("<!doctype html>");
    },
  );

  it.each<[string | undefined, "page" | "envelope"]>([
    [undefined, "page"],
    ["", "page"],
    ["*/*", "page"],
    ["text/*;q=0.5", "page"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "page"],
    ["application/json;q=0.5, TEXT/HTML ;q=0.4", "page"],
    ["application/json", "envelope"],
    ["application/json, text/plain, */*", "envelope"],
    ["text/html;q=0, */*", "envelope"],
    ["image/png", "envelope"],
  ])(
    "is served at a screen's address, and at an unknown one, to browsers that accept pages: %s",
    async (accept, what) => {
      for (const [path, status] of [
        ["/Mine", 200],
        ["/nowhere", 404],
      ] as const) {
        const { statusCode, headers, body } = await get(path, accept === undefined ? {} : { accept });
        expect({ path, statusCode, ...shapeOf(headers, body) }).toEqual(
          what === "page"
            ? { path, statusCode: status, type: "text/html", begins: "<!doctype html>", varies: true }
            : { path, statusCode: 404, type: "application/json", begins: '{"code":404,"ms', varies: true },
        );
      }
    },
  );

  it("is the whole page where there is no screen, whatever a browser has cached", async () => {
    const { headers } = await get("/Home", page);
    const known = { "if-none-match": String(headers.etag), "if-modified-since": String(headers["last-modified"]) };
    const again = await get("/nowhere/at/all", { ...page, ...known, range: "bytes=0-1" });
    expect([again.statusCode, again.headers["cache-control"], again.headers.etag]).toEqual([
      404,
      "no-cache",
      undefined,
    ]);
    expect(again.body).toContain("</html>");
    expect((await get("/Home", { ...page, ...known })).statusCode).toBe(304);
  });

  it("has the same headers as pages", async () => {
    for (const path of ["/Home", "/nowhere"]) {
      const [got, head] = [await get(path), await w.site.app.inject({ method: "HEAD", url: path })];
      expect([head.statusCode, head.body]).toEqual([got.statusCode, ""]);
      for (const name of ["content-type", "content-length", "vary"]) expect(head.headers[name]).toBe(got.headers[name]);
    }
  });

  it.each(["/api", "/api/none", "/socket.io", "/pay/none", "/docs/none", "/files/none", "/media/none", "/media"])(
    "is never at %s, which is the server's own",
    async (path) => {
      const { headers, body } = await get(path, page);
      expect(headers["content-type"]).not.toContain("text/html");
      expect(JSON.parse(body)).toMatchObject({ code: expect.any(Number) as number });
    },
  );

  it("is never sent to a video player", async () => {
    const { statusCode, body } = await get("/media/v/none", page);
    expect([statusCode, body]).toEqual([404, ""]);
  });

  it.each(["/assets/none.js", "/assets/..%2f..%2fpackage.json", "/none.png", "/Home.html", "/%ff"])(
    "has nothing at %s",
    async (path) => {
      for (const headers of [{}, page]) {
        const { statusCode, body } = await get(path, headers);
        expect(statusCode).toBeGreaterThanOrEqual(400);
        expect(body).not.toMatch(/dependencies|doctype/);
      }
    },
  );

  it("is not sent for a call that changes something", async () => {
    const { statusCode, headers } = await w.site.app.inject({ method: "POST", url: "/Home", headers: page });
    expect([statusCode, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
  });
});
