import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { fileOf, PIXEL } from "../../support/pictures.ts";
import { multipartOf } from "../../support/multipart.ts";
import { eventually } from "../../support/client.ts";
import { world, type World } from "../../support/world.ts";
import { send, stopClock } from "./endpoints.ts";

let w: World;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await w.close();
});

async function open(options: Parameters<typeof world>[0]): Promise<number> {
  w = await world(options);
  return Number(new URL(await w.listen()).port);
}

async function enter(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

/** All that comes until the server closes. */
async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("latin1").on("data", (part: string) => (text += part));
  await once(socket, "close");
  return text;
}

const headOf = (path: string, more = "content-type: application/json\r\n") =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}content-length: 1000\r\n\r\n`;

describe("a body that drips", () => {
  it.each(["/api/member/doLogin", "/api/pay/notify/sandbox", "/nowhere"])("is cut off at %s", async (path) => {
    const port = await open({ bodyMs: 300 });
    const socket = await enter(port);
    const answered = readAll(socket);
    socket.write(headOf(path));
    const drip = setInterval(() => socket.write(" "), 50);
    const answer = await answered;
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("is cut off where a stranger uploads", async () => {
    const port = await open({ bodyMs: 300 });
    const socket = await enter(port);
    const answered = readAll(socket);
    socket.write(headOf("/api/system/uploadimg", "content-type: multipart/form-data; boundary=x\r\n"));
    const drip = setInterval(() => socket.write(" "), 50);
    expect(await answered).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 408 /);
    clearInterval(drip);
  });

  it("is cut off where a socket polls", async () => {
    const port = await open({ bodyMs: 300 });
    const polling = "/socket.io/?EIO=4&transport=polling";
    const shaken = await (await fetch(`http://127.0.0.1:${port}${polling}`)).text();
    const { sid } = JSON.parse(shaken.slice(1)) as { sid: string };
    const socket = await enter(port);
    socket.write(headOf(`${polling}&sid=${sid}`, "content-type: text/plain\r\n"));
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("holds up no other request", async () => {
    const port = await open({ bodyMs: 300 });
    const socket = await enter(port);
    socket.write(headOf("/api/member/doLogin"));
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await once(socket.resume(), "close");
  });

  it("may take longer where a member uploads a picture", async () => {
    const port = await open({ bodyMs: 200 });
    const mia = await w.player("mia_1");
    const { payload, type } = await multipartOf([["file", fileOf(PIXEL)]]);
    const bytes = Buffer.from(payload);
    const socket = await enter(port);
    const answered = once(socket, "data");
    const token = Buffer.from(mia.token).toString("base64");
    const head = ["POST /api/system/uploadimg HTTP/1.1", "Host: localhost", `token: ${token}`, `content-type: ${type}`];
    socket.write(`${head.join("\r\n")}\r\ncontent-length: ${bytes.length}\r\n\r\n`);
    socket.write(bytes.subarray(0, 20));
    await sleep(600);
    socket.write(bytes.subarray(20));
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("takes no place of an upload from those who have no session", async () => {
    const port = await open({});
    const strangers = await Promise.all(Array.from({ length: 20 }, () => enter(port)));
    const answers = strangers.map(async (socket) => {
      const answered = once(socket, "data");
      socket.write(headOf("/api/system/uploadimg", "content-type: multipart/form-data; boundary=x\r\n"));
      return String((await answered)[0]);
    });
    const mia = await w.player("mia_1");
    const form = await multipartOf([["file", fileOf(PIXEL)]]);
    expect((await send(w, { path: "/system/uploadimg", ...form, token: mia.token })).code).toBe(200);
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("connections", () => {
  it("of one client have a limit, and its neighbours get in", async () => {
    const port = await open({ env: { RATE_LIMIT: "on" }, connections: { inAll: 100, ofOne: 3 } });
    for (let i = 0; i < 3; i++) await enter(port);
    const refused = connect(port, "127.0.0.1");
    refused.on("error", () => {});
    await once(refused, "close");
    const neighbour = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
    await once(neighbour, "connect");
    neighbour.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(String((await once(neighbour, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
    neighbour.destroy();
    sockets.pop()!.destroy();
    await eventually(async () => {
      const again = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: "close" } });
      expect(again.status).toBe(200);
    });
  });

  it("come through a trusted proxy without a limit of their own", async () => {
    const port = await open({
      env: { RATE_LIMIT: "on", TRUST_PROXY: "loopback" },
      connections: { inAll: 100, ofOne: 3 },
    });
    for (let i = 0; i < 6; i++) await enter(port);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });
});

it("files and pages have a limit too, and health checks none", async () => {
  await open({ env: { RATE_LIMIT: "on" } });
  const get = (url: string, remoteAddress: string) => w.site.app.inject({ url, remoteAddress });
  stopClock();
  for (let i = 0; i < 5_000; i++) await get("/files/none.webp", "2001:db8::1");
  const refused = await get("/files/none.webp", "2001:db8::2");
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await get("/files/none.webp", "2001:db8:0:1::1")).statusCode).toBe(404);
  expect((await get("/healthz", "2001:db8::1")).statusCode).toBe(200);
});
