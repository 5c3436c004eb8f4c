import Fastify from "fastify";
import { METHODS } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serverOptions } from "#server/app/app.ts";
import { refuseBroken } from "#server/http/broken-requests.ts";
import { Connections } from "#server/http/connections.ts";
import { RequestIds } from "#server/http/request-ids.ts";
import { LOCALES } from "#shared/locales.ts";
import { expectTold } from "../../support/api-document.ts";
import { world, type World } from "../../support/world.ts";
import { messagesOf } from "./endpoints.ts";

let w: World;
let port: number;
beforeAll(async () => {
  w = await world();
  await w.site.app.listen({ host: "127.0.0.1", port: 0 });
  port = (w.site.app.server.address() as AddressInfo).port;
});
afterAll(() => w.close());

/** Sends raw bytes; returns what has come when the server closes. */
async function sayRaw(bytes: string | Buffer, to = port): Promise<string> {
  const socket = connect(to, "127.0.0.1");
  socket.write(bytes);
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

function read(answer: string): RawResponse {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(lines.map((one) => one.split(/:\s*/, 2).map((part) => part.toLowerCase())));
  return {
    status: Number(line.split(" ")[1]),
    headers: headers as Record<string, string>,
    body: rest.join("\r\n\r\n"),
  };
}

const HEAD = "Host: localhost\r\nx-data-encoding: json\r\nlang: en_us\r\n";
const chunked = (body: string) =>
  `POST /api/member/doLogin HTTP/1.1\r\n${HEAD}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${body}`;
const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\n${HEAD}${more}\r\n`;

describe("input that never becomes a request is refused in the envelope", () => {
  it.each<[string, string, number, string]>([
    ["a control byte in a header", get("/api/system/base", "token: a\x01b\r\n"), 400, "request.malformed"],
    ["a header without a name", get("/api/system/base", ": b\r\n"), 400, "request.malformed"],
    ["a method that nobody knows", `BREW /api/system/base HTTP/1.1\r\n${HEAD}\r\n`, 404, "path.unknown"],
    ["a method in small letters", `get /api/system/base HTTP/1.1\r\n${HEAD}\r\n`, 404, "path.unknown"],
    ["a tunnel", `CONNECT trio:80 HTTP/1.1\r\n${HEAD}\r\n`, 404, "path.unknown"],
    ["a header of 20 kB", get("/api/system/base", `x: ${"x".repeat(20_000)}\r\n`), 431, "head.large"],
    ["another version", `GET /api/system/base HTTP/3.0\r\n${HEAD}\r\n`, 400, "request.malformed"],
    ["a body that is no chunk", chunked("zz\r\n{}\r\n0\r\n\r\n"), 400, "request.malformed"],
    ["a chunk that says too much of itself", chunked(`2;${"x".repeat(17_000)}\r\n{}\r\n`), 413, "body.large"],
    [
      "two lengths",
      `POST / HTTP/1.1\r\n${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
      400,
      "request.malformed",
    ],
    [
      "no host",
      `GET /api/system/base HTTP/1.1\r\nlang: en_us\r\nx-data-encoding: json\r\nconnection: close\r\n\r\n`,
      400,
      "request.malformed",
    ],
  ])("%s", async (_what, bytes, status, reason) => {
    const [thing, why] = reason.split(".") as [string, string];
    const response = read(await sayRaw(bytes));
    const [method, url] = bytes.split(" ") as [string, string];
    await expectTold(w.site.app, { method, url, ...response });
    expect([response.status, JSON.parse(response.body)]).toEqual([
      status,
      {
        code: status,
        msg: messagesOf("en_us").refusal[thing]![why],
        data: status === 400 ? { fields: {} } : { reason },
      },
    ]);
    expect(response.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(response.body)),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      connection: "close",
    });
  });

  it("also when it is no HTTP at all", async () => {
    const { status, body } = read(await sayRaw(Buffer.from("1603010200010001fc0303", "hex")));
    expect([status, JSON.parse(body)]).toEqual([
      400,
      { code: 400, msg: messagesOf("vn_vn").refusal.request!.malformed, data: btoa('{"fields":{}}') },
    ]);
  });

  it.each(LOCALES.map(({ code }) => code))("in %s where it names it", async (lang) => {
    const { body } = read(await sayRaw(`BREW / HTTP/1.1\r\nLang:  ${lang}\r\n\r\n`));
    expect(JSON.parse(body)).toMatchObject({ msg: messagesOf(lang).refusal.path!.unknown });
  });

  it("for any method that Node knows and no route serves", async () => {
    // One of them must announce its content.
    const more = `content-type: application/x-www-form-urlencoded\r\ncontent-length: 0\r\nconnection: close\r\n`;
    for (const method of METHODS.filter((one) => !["GET", "HEAD", "POST", "CONNECT"].includes(one))) {
      const { status, body } = read(await sayRaw(`${method} /api/system/base HTTP/1.1\r\n${HEAD}${more}\r\n`));
      expect([method, status, JSON.parse(body)]).toMatchObject([method, 404, { data: { reason: "path.unknown" } }]);
    }
  });

  it("and when it does not end", async () => {
    const ids = new RequestIds(w.deps.random);
    const options = serverOptions(w.deps.log, ids);
    const app = Fastify({ ...options, http: { ...options.http, connectionsCheckingInterval: 50 } });
    refuseBroken(app.server, w.deps, new Connections(app.server), ids);
    app.server.headersTimeout = 100;
    await app.listen({ host: "127.0.0.1", port: 0 });
    const { status, body } = read(await sayRaw("GET /", (app.server.address() as AddressInfo).port));
    await app.close();
    expect([status, JSON.parse(body)]).toMatchObject([408, { code: 408, data: btoa('{"reason":"request.timeout"}') }]);
  });
});

describe("an offer of more than HTTP/1.1", () => {
  const CLOSE = "connection: close\r\n";
  it.each([
    ["another protocol", "connection: upgrade, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n"],
    ["an expectation that nobody knows", `${CLOSE}expect: 200-ok\r\n`],
  ])("is answered all the same: %s", async (_what, more) => {
    expect(read(await sayRaw(get("/api/system/base", more))).status).toBe(200);
  });

  it("is refused where there are no sockets", async () => {
    const socket =
      "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    const answer = await Promise.race([sayRaw(get("/api/none", `${socket}connection: close\r\n`)), later(900)]);
    expect(read(answer)).toMatchObject({ status: 404, body: expect.stringContaining("path.unknown") as string });
  });
});

const later = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve("nothing"), ms));

describe("a broken request after a whole one", () => {
  it("waits until that one is answered", async () => {
    const answer = await sayRaw(`${get("/api/system/base")}BREW / HTTP/1.1\r\n\r\n`);
    const [first, second] = answer.split(/(?<=\})(?=HTTP\/1\.1)/).map(read);
    expect([first!.status, second!.status]).toEqual([200, 404]);
    expect(JSON.parse(first!.body)).toMatchObject({ code: 200 });
  });

  it("never interrupts an answer", async () => {
    const size = 8_000_000;
    const folder = join(w.config.filesDir, "pictures");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "large.webp"), Buffer.alloc(size, "x"));
    const answer = await sayRaw(`${get("/files/pictures/large.webp")}\x01\x02\r\n\r\n`);
    const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
    expect(body.slice(0, size)).toBe("x".repeat(size));
    expect(read(body.slice(size)).status).toBe(400);
  });
});
