import { connect } from "node:net";
import { io } from "socket.io-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { closeConnections } from "#server/realtime/hub.ts";
import { SOCKET_LIMITS } from "#server/realtime/socket-limits.ts";
import { TokenBuckets } from "#server/realtime/token-bucket.ts";
import { eventually } from "../../support/client.ts";
import { world, type World } from "../../support/world.ts";
import { SocketClients } from "./socket-client.ts";

let w: World;
let clients: SocketClients;
let address: string;

async function open(sockets = SOCKET_LIMITS): Promise<void> {
  w = await world({ env: { RATE_LIMIT: "on", TRUST_PROXY: "loopback" }, sockets });
  address = await w.listen();
  clients = new SocketClients(address);
  onTestFinished(async () => {
    clients.close();
    await w.close();
  });
}

type Told = Awaited<ReturnType<ReturnType<SocketClients["try"]>["refusal"]>>;

/** Connects, and leaves at once. Null, or how it was refused. */
function visit(from: string, token?: string): Promise<Told | null> {
  const { socket } = clients.try({ headers: { "x-forwarded-for": from }, ...(token && { token }) });
  return new Promise((resolve) => {
    socket.once("connect", () => {
      socket.close();
      resolve(null);
    });
    socket.once("connect_error", resolve);
  });
}

/** Visits until one is refused. How many were not, and how that one was. */
async function untilRefused(from: (i: number) => string, token?: string): Promise<{ visits: number; told: Told }> {
  for (let visits = 0; ; visits++) {
    const told = await visit(from(visits), token);
    if (told) return { visits, told };
  }
}
const TOO_MANY = { code: 429, msg: expect.any(String), retry_after_s: 10 };

/** What a server answers to an upgrade, when it has closed the connection. */
function upgrade(from: string): Promise<string> {
  const line = connect(Number(new URL(address).port), "127.0.0.1");
  const head = [
    "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
    `host: ${new URL(address).host}`,
    "connection: upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
    `x-forwarded-for: ${from}`,
  ];
  line.write(`${head.join("\r\n")}\r\n\r\n`);
  let answer = "";
  return new Promise((resolve) => {
    line.on("data", (part) => (answer += String(part))).on("close", () => resolve(answer));
  });
}

describe("one client's handshakes, beyond a burst", () => {
  const handshakes = { burst: 4, perSecond: 0.5 };
  const few = { ...SOCKET_LIMITS, handshakes, told: { burst: 2, perSecond: 0.1 } };

  it("are refused with the reason however few sockets are open, and another client's are not", async () => {
    await open(few);
    const { visits, told } = await untilRefused(() => "192.0.2.1");
    expect(visits).toBeGreaterThanOrEqual(4);
    expect(told.data).toEqual(TOO_MANY);
    expect(await visit("192.0.2.2")).toBeNull();
    await eventually(async () => expect(await visit("192.0.2.1")).toBeNull());
    expect(w.logged.filter((line) => line.includes('"rate.limited"'))).toHaveLength(1);
  });

  it("count together for an IPv6 network of /64", async () => {
    await open(few);
    const { visits, told } = await untilRefused((i) => `2001:db8:1:2::${i}`);
    expect([visits, told.data]).toEqual([expect.toSatisfy((many: number) => many < 40), TOO_MANY]);
    expect(await visit("2001:db8:1:3::1")).toBeNull();
  });

  it("look at no token", async () => {
    await open(few);
    await untilRefused(() => "192.0.2.1");
    expect((await visit("192.0.2.1", "made up"))!.data).toEqual(TOO_MANY);
  });

  it("are not heard at all once a few were told, and leave no connection", async () => {
    await open({ ...few, handshakes: { burst: 1, perSecond: 0 }, told: { burst: 1, perSecond: 0 } });
    const headers = { "x-forwarded-for": "192.0.2.1" };
    const polling = () => fetch(`${address}/socket.io/?EIO=4&transport=polling`, { headers });
    for (let i = 0; i < 2; i++) expect((await polling()).status).toBe(200);
    const answer = await polling();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "10"]);
    expect(answer.headers.get("x-request-id")).not.toBeNull();
    const refused = await upgrade("192.0.2.1");
    expect(refused).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 10[^]*Too many handshakes$/);
  });

  it("by another site's page are refused as such, and use nothing up", async () => {
    await open(few);
    const headers = { "x-forwarded-for": "192.0.2.1", origin: "https://elsewhere.example" };
    for (let i = 0; i < 10; i++) {
      const { status } = await fetch(`${address}/socket.io/?EIO=4&transport=polling`, { headers });
      expect(status).toBe(403);
    }
    expect(await visit("192.0.2.1")).toBeNull();
  });
});

/** As the app's own connection: it comes back by itself, and is told when it was refused. */
function phone(refused: string[]) {
  const socket = io(address, {
    transports: ["websocket"],
    forceNew: true,
    auth: { lang: "en_us" },
    reconnectionDelay: 250,
    reconnectionDelayMax: 750,
  });
  socket.on("connect_error", ({ message }) => void refused.push(message));
  return socket;
}

it("two hundred phones behind one address are all back at once, twice in a row, and none is refused", async () => {
  await open();
  const refused: string[] = [];
  const phones = Array.from({ length: 200 }, () => phone(refused));
  try {
    for (let times = 0; times < 3; times++) {
      await eventually(async () => {
        if (!phones.every(({ connected }) => connected)) throw new Error("some are away");
      });
      const ids = new Set(phones.map(({ id }) => id));
      closeConnections(w.site.hub.io);
      await eventually(async () => expect(phones.some(({ id }) => ids.has(id))).toBe(false));
    }
    expect(refused).toEqual([]);
  } finally {
    for (const one of phones) one.close();
  }
});

it("who came longest ago is forgotten first, so that many addresses take no memory", () => {
  const buckets = new TokenBuckets({ burst: 1, perSecond: 0 }, 2);
  expect(["a", "b", "a", "c", "a", "b"].map((client) => buckets.take(client, 0))).toEqual([
    true,
    true,
    false,
    true,
    false,
    true,
  ]);
});
