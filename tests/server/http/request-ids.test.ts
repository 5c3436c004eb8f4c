import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { InjectOptions } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { world, type World } from "../../support/world.ts";
import { everyEndpoint, methodOf, nameOf } from "./endpoints.ts";

const OURS = /^[0-9a-f]{20}$/;
const PROXY = "10.9.0.2";
const STRANGER = "203.0.113.7";
const endpoints = (await everyEndpoint()).map((endpoint) => ({ name: nameOf(endpoint), endpoint }));

let w: World;
const open = async (env: Record<string, string> = {}) => {
  w = await world({ env });
};

type Asked = InjectOptions;
const ask = (asked: Asked) => w.site.app.inject(asked);
const idOf = async (asked: Asked) => (await ask(asked)).headers["x-request-id"] as string;

interface Line {
  level: number;
  msg: string;
  requestId?: string;
  requestIds?: string[];
}
const lines = (from = 0) => w.logged.slice(from).map((line) => JSON.parse(line) as Line);

describe("every answer names its request", () => {
  beforeAll(() => open({ RATE_LIMIT: "on" }));
  afterAll(() => w.close());

  it.each(endpoints)("$name", async ({ endpoint }) => {
    const asked: Asked = { method: methodOf(endpoint), url: `/api${endpoint.path}` };
    const ids = [await idOf(asked), await idOf({ ...asked, headers: { token: "bm9uZQ==" } })];
    expect(ids).toEqual([expect.stringMatching(OURS), expect.stringMatching(OURS)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it.each([
    ["a probe", { url: "/readyz" }, 200],
    ["the metrics", { url: "/metrics" }, 200],
    ["metrics for nobody", { url: "/metrics", remoteAddress: STRANGER }, 403],
    ["the API's page", { url: "/docs/" }, 200],
    ["the API's document", { url: "/docs/json" }, 200],
    ["a screen", { url: "/Mine", headers: { accept: "text/html" } }, 200],
    ["a page that is none", { url: "/none/of/these", headers: { accept: "text/html" } }, 404],
    ["a file that is none", { url: "/files/uploads/none.webp" }, 404],
    ["a video that is none", { url: "/media/v/none/1/index.m3u8" }, 403],
    ["a path below the videos", { url: "/media/v/none" }, 404],
    ["an endpoint that is none", { url: "/api/none" }, 404],
    ["a path that cannot be read", { url: "/%zz" }, 400],
    ["a path with too long a part", { url: `/media/v/${"a".repeat(200)}/1/a` }, 404],
    ["a channel that is none", { method: "POST", url: "/api/pay/notify/none" }, 404],
    [
      "too large a body",
      { method: "POST", url: "/api/member/doLogin", payload: { username: "a".repeat(70_000) } },
      413,
    ],
    [
      "a body of no known type",
      { method: "POST", url: "/api/member/doLogin", payload: "a", headers: { "content-type": "text/plain" } },
      415,
    ],
    ["a HEAD", { method: "HEAD", url: "/api/system/base" }, 200],
  ] satisfies [string, Asked, number][])("%s", async (_what, asked, status) => {
    const { statusCode, headers } = await ask(asked);
    expect([statusCode, headers["x-request-id"]]).toEqual([status, expect.stringMatching(OURS)]);
  });

  it("that says to come back later", async () => {
    const many = { url: "/api/system/base", remoteAddress: "198.51.100.9" };
    for (let i = 0; i < 1_000; i++) await ask(many);
    const { statusCode, headers } = await ask(many);
    expect([statusCode, headers["x-request-id"]]).toEqual([429, expect.stringMatching(OURS)]);
  });

  it("while the server drains", async () => {
    w.site.health.draining = true;
    const { statusCode, headers } = await ask({ url: "/api/system/base" });
    w.site.health.draining = false;
    expect([statusCode, headers["x-request-id"]]).toEqual([503, expect.stringMatching(OURS)]);
  });

  it.each(["nonsense\r\n\r\n", "CONNECT club.example:443 HTTP/1.1\r\nhost: a\r\n\r\n", "GET /\u0000 HTTP/1.1\r\n\r\n"])(
    "to what no router sees: %j",
    async (bytes) => {
      await w.listen();
      const socket = connect((w.site.app.server.address() as AddressInfo).port, "127.0.0.1");
      socket.write(bytes);
      const answer = String(Buffer.concat((await socket.toArray()) as Buffer[]));
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d [^]*\r\nx-request-id: [0-9a-f]{20}\r\n/);
    },
  );

  it("with an id that two servers, or one after a restart, do not share", async () => {
    const ids = await Promise.all(Array.from({ length: 1_000 }, () => idOf({ url: "/healthz" })));
    await w.restart();
    for (let i = 0; i < 1_000; i++) ids.push(await idOf({ url: "/healthz" }));
    expect(new Set(ids).size).toBe(2_000);
  });
});

describe("the id of a request that brings one", () => {
  afterEach(() => w.close());

  const given = (id: string, remoteAddress: string) =>
    idOf({ url: "/healthz", remoteAddress, headers: { "x-request-id": id } });

  it.each(["7d9a3c1e-52c4-4a0e-9d2f-1f6f3f1b8a11", "1-67891233-abcdef.1:2_3", "a", "a".repeat(64)])(
    "is a trusted proxy's: %s",
    async (id) => {
      await open({ TRUST_PROXY: PROXY });
      expect(await given(id, PROXY)).toBe(id);
      expect(await given(id, `::ffff:${PROXY}`)).toBe(id);
    },
  );

  it("is not a stranger's, with a proxy or without", async () => {
    await open({ TRUST_PROXY: PROXY });
    expect(await given("mine-1", STRANGER)).toMatch(OURS);
    await w.close();
    await open();
    expect(await given("mine-1", PROXY)).toMatch(OURS);
    expect(w.logged.join("")).not.toContain("mine-1");
  });

  it.each(["", "a".repeat(65), "two words", 'a"b', "a,b", "a\tb", "ä", "{}", "a/b", "../a", "%0a"])(
    "is a fresh one where the proxy's is malformed: %j",
    async (id) => {
      await open({ TRUST_PROXY: PROXY });
      expect(await given(id, PROXY)).toMatch(OURS);
    },
  );
});

/** Sends a body some time after the headers, as a slow line does. */
async function post(url: string, token: string): Promise<IncomingMessage> {
  const headers = { token, "content-type": "application/x-www-form-urlencoded" };
  const sent = request(url, { method: "POST", headers, agent: false });
  sent.flushHeaders();
  await wait(20);
  const answered = once(sent, "response");
  sent.end("item=A");
  const [answer] = (await answered) as [IncomingMessage];
  return answer.resume();
}

describe("the lines of a request", () => {
  beforeAll(() => open());
  afterAll(() => w.close());

  it("carry its id, from deep inside up to the answer, however many run at once", async () => {
    // On real connections: a body arrives there in callbacks of its own.
    const url = `${await w.listen()}/api/game/placeOrder`;
    const { identify } = w.deps;
    const from = w.logged.length;
    w.deps.identify = async (token) => {
      await wait(Number(token));
      w.deps.log.warn({ token }, "deep inside");
      await wait(1);
      throw new Error(`impossible ${token}`);
    };
    const tokens = Array.from({ length: 20 }, (_, i) => String(20 - i));
    const answers = await Promise.all(tokens.map((token) => post(url, btoa(token))));
    w.deps.identify = identify;
    await expect.poll(() => lines(from).length).toBe(60);
    for (const [i, { statusCode: status, headers }] of answers.entries()) {
      const [token, id] = [tokens[i], headers["x-request-id"]];
      expect(lines(from).filter(({ requestId }) => requestId === id)).toMatchObject([
        { msg: "deep inside", token },
        { msg: "request failed", err: { message: `impossible ${token}` } },
        { msg: "answered", status },
      ]);
    }
  });

  it("carry its id where its effect is told, after the commit", async () => {
    const mia = await w.player("mia_1", { balance: 10 });
    const broken = () => {
      throw new Error("impossible");
    };
    const from = w.logged.length;
    w.deps.bus.on("deposit.changed", broken);
    w.deps.bus.on("session.ended", broken);
    const { headers } = await mia.call("/member/doLogout", {});
    const told = () => lines(from).filter(({ msg }) => msg === "a listener failed");
    await expect.poll(() => told().map(({ requestId }) => requestId)).toEqual([headers["x-request-id"]]);
    w.deps.bus.off("deposit.changed", broken);
    w.deps.bus.off("session.ended", broken);
  });

  it("carry none where they are no request's", async () => {
    const from = w.logged.length;
    await w.site.rounds.tick();
    w.deps.log.warn("nobody asked");
    expect(lines(from).map(({ requestId }) => requestId)).toEqual(lines(from).map(() => undefined));
  });

  it("never hold what was asked, or by whom", async () => {
    const secrets = { session: "my-own-session", word: "sesame" };
    const from = w.logged.length;
    const headers = { token: Buffer.from(secrets.session).toString("base64"), authorization: secrets.word };
    const { identify } = w.deps;
    for (const fails of [false, true]) {
      if (fails) w.deps.identify = () => Promise.reject(new Error("impossible"));
      for (const path of ["/api/member/getUserInfo", "/api/none", "/files/uploads/none.webp", "/Mine"])
        await ask({ url: `${path}?q=${secrets.word}`, headers });
      await ask({
        method: "POST",
        url: "/api/member/doLogin",
        headers,
        payload: { username: "mia", password: secrets.word },
      });
    }
    w.deps.identify = identify;
    const said = w.logged.slice(from).join("");
    expect(said).toContain('"route":"/api/member/getUserInfo"');
    for (const secret of [...Object.values(secrets), headers.token, "?q="]) expect(said).not.toContain(secret);
  });
});
