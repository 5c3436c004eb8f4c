import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { injectTold } from "../../support/api-document.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
const BYTES = Buffer.from("not really a picture");

beforeAll(async () => {
  w = await world();
  for (const name of ["uploads/a.webp", "pictures/b-320.avif", "videos/secret.webp", "uploads/c.html", "uploads/d"])
    await w.deps.storage.put(name, BYTES);
});
afterAll(() => w.close());

const get = (url: string, method: "GET" | "HEAD" | "POST" = "GET") =>
  injectTold(w.site.app, { method, url, headers: { lang: "en_us" } });

describe("a picture's address", () => {
  it.each([
    ["/files/uploads/a.webp", "image/webp"],
    ["/files/pictures/b-320.avif", "image/avif"],
  ])("%s shows it to anyone, for an hour", async (url, type) => {
    const { statusCode, headers, rawPayload } = await get(url);
    expect(statusCode).toBe(200);
    expect(rawPayload).toEqual(BYTES);
    expect(headers).toMatchObject({
      "content-type": type,
      "content-length": String(BYTES.length),
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=3600",
    });
  });

  it("has its size in HEAD, without its bytes", async () => {
    const { statusCode, headers, rawPayload } = await get("/files/uploads/a.webp", "HEAD");
    expect([statusCode, headers["content-length"], rawPayload.length]).toEqual([200, String(BYTES.length), 0]);
  });

  it.each([
    "/files/uploads/none.webp",
    "/files/uploads/",
    "/files/uploads/c.html",
    "/files/uploads/d",
    "/files/videos/secret.webp",
    "/files/uploads/../videos/secret.webp",
    "/files/uploads/..%2fvideos%2fsecret.webp",
    "/files/uploads/%2e%2e/videos/secret.webp",
    "/files/..%2fuploads/a.webp",
    "/files/uploads/a%00.webp",
    "/files/uploads/%2Fetc%2Fpasswd.webp",
    "/files/uploads/toString",
  ])("%s shows nothing", async (url) => {
    const { statusCode, headers, body } = await get(url);
    expect(statusCode).toBe(404);
    expect(headers["cache-control"]).toBe("no-store");
    expect(JSON.parse(body)).toMatchObject({ code: 404, msg: "There is no such address. Please check it." });
    expect(body).not.toContain(w.folder);
  });

  it("takes nothing", async () => {
    expect((await get("/files/uploads/a.webp", "POST")).statusCode).toBe(404);
  });
});
