import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readApp } from "#server/domains/log/served-app.ts";
import { fileInLanguage, parseServed } from "#shared/log/served-files.ts";
import { LOCALES } from "#shared/locales.ts";
import { world, type World } from "../../support/world.ts";
import { messagesOf } from "./endpoints.ts";

let w: World;
let address: string;
beforeAll(async () => {
  w = await world();
  address = await w.site.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => w.close());

const get = (path: string, headers: Record<string, string>) => fetch(`${address}${path}`, { headers });
const ask = (path: string, language: string, more: Record<string, string> = {}) =>
  get(path, { accept: "text/html,*/*", "accept-language": language, ...more });
const langOf = (page: string) => /<html lang="([^"]+)"/.exec(page)?.[1];
const namesOf = (header: string | null) => (header ?? "").split(", ").sort();

describe.each(LOCALES)("whoever wants $tag", ({ code, tag, direction }) => {
  const { app, page } = messagesOf(code) as unknown as {
    app: { home: { introMoney: string } };
    page: { noScript: string };
  };

  it.each(["/", "/Home", "/nowhere"])("gets the page at %s in it", async (path) => {
    const body = await (await ask(path, tag)).text();
    expect(body).toContain(`<html lang="${tag}" dir="${direction}">`);
    expect(body).toContain(`<meta name="description" content="${app.home.introMoney}"`);
    expect(body).toContain(`<noscript>${page.noScript}</noscript>`);
  });

  it("gets the manifest in it", async () => {
    const answer = await ask("/manifest.webmanifest", tag);
    expect(answer.headers.get("content-type")).toBe("application/manifest+json");
    expect(await answer.json()).toMatchObject({ lang: tag, dir: direction, description: app.home.introMoney });
  });
});

it.each([
  ["", "en"],
  ["*", "en"],
  ["fr, de;q=0.9", "en"],
  ["ko", "ko"],
  ["KO-kr", "ko"],
  ["ru-UA-x-old", "ru"],
  ["es-MX, en;q=0.9", "es-419"],
  ["zh", "zh-CN"],
  ["zh-HK", "zh-TW"],
  ["zh-Hant", "zh-TW"],
  ["en;q=0.5, ja;q=0.9, th;q=0.7", "ja"],
  ["en ; q=0.2 , ms ; q=0.3", "ms"],
  ["ko;q=0.001, fr", "ko"],
  ["ko;q=0, th;q=0.1", "th"],
  ["zh-TW;q=0, zh-HK, th;q=0.1", "th"],
  ["*, vi;q=0.2", "vi"],
  ["ko;q=2, th;q=0.1", "th"],
  ["ko;q=nan", "en"],
  [";;,,=", "en"],
  [`${"xx,".repeat(4_000)}ko`, "en"],
])("a browser that says %s is answered in %s", async (language, tag) => {
  expect(langOf(await (await ask("/", language)).text())).toBe(tag);
});

it("a browser that says nothing is answered in English", async () => {
  const { body } = await w.site.app.inject({ url: "/" });
  expect(langOf(body)).toBe("en");
});

describe.each(["/", "/manifest.webmanifest"])("caches of %s", (path) => {
  it("are told that the language decides, and ask each time", async () => {
    const { headers } = await ask(path, "ko");
    expect([headers.get("cache-control"), namesOf(headers.get("vary"))]).toEqual([
      "no-cache",
      ["accept", "accept-encoding", "accept-language"],
    ]);
  });

  it("hear that nothing has changed only of the language that they have", async () => {
    const korean = await ask(path, "ko");
    const known = { "if-none-match": `"other", ${korean.headers.get("etag")!}` };
    const again = await ask(path, "ko;q=0.8, fr", known);
    expect([again.status, await again.text(), again.headers.get("etag"), namesOf(again.headers.get("vary"))]).toEqual([
      304,
      "",
      korean.headers.get("etag"),
      namesOf(korean.headers.get("vary")),
    ]);
    const other = await ask(path, "ja", known);
    expect([other.status, other.headers.get("etag") === korean.headers.get("etag")]).toEqual([200, false]);
    expect(await other.text()).toContain("ja");
  });

  it("have the same text in every coding", async () => {
    const plain = await (await ask(path, "th", { "accept-encoding": "identity" })).text();
    for (const coding of ["gzip", "br"]) {
      const answer = await ask(path, "th", { "accept-encoding": coding });
      expect(answer.headers.get("content-encoding")).toBe(coding);
      expect(await answer.text()).toBe(plain);
    }
  });

  it("get the same headers without the text", async () => {
    const [got, head] = [
      await ask(path, "ms"),
      await fetch(`${address}${path}`, { method: "HEAD", headers: { "accept-language": "ms", accept: "text/html" } }),
    ];
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const name of ["content-type", "etag", "vary", "cache-control"])
      expect(head.headers.get(name)).toBe(got.headers.get(name));
  });
});

it("what a reader of each language gets is what the public log has the hash of", async () => {
  const files = parseServed((await readApp())!.text)!;
  for (const { tag } of LOCALES) {
    const page = Buffer.from(await (await ask("/", tag)).arrayBuffer());
    expect(files).toContainEqual({
      path: fileInLanguage("index.html", tag),
      hash: createHash("sha256").update(page).digest("hex"),
    });
  }
});
