import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

describe("the built app", () => {
  it("has files with a hash in their names, which are kept for good", async () => {
    const { statusCode, headers } = await get(`/assets/${script}`);
    expect([statusCode, headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
    expect(headers["content-type"]).toContain("javascript");
  });

  it("has others, which are asked for each time", async () => {
    const { statusCode, headers } = await get("/manifest.webmanifest");
    expect([statusCode, headers["cache-control"]]).toEqual([200, "no-cache"]);
  });

  it.each(["gzip", "br"])("comes as %s where that is understood", async (coding) => {
    const zipped = { "accept-encoding": coding };
    const [asset, index] = [await get(`/assets/${script}`, zipped), await get("/index.html", zipped)];
    expect([asset.headers["content-encoding"], index.headers["content-encoding"]]).toEqual([coding, coding]);
  });

  it.each(["/", "/Home", "/listing/7", "/assets/"])("is the page at %s, asked for anew each time", async (path) => {
    const { statusCode, headers, body } = await get(path, page);
    expect([statusCode, headers["cache-control"]]).toEqual([200, "no-cache"]);
    expect(body).toContain("<!doctype html>");
  });

  it.each(["/assets/none.js", "/assets/..%2f..%2fpackage.json", "/none.png"])("has nothing at %s", async (path) => {
    const { statusCode, body } = await get(path);
    expect(statusCode).toBe(404);
    expect(body).not.toContain("dependencies");
  });
});
