import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { io } from "socket.io-client";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { headersOf } from "../../support/call.ts";
import { Client, eventually } from "../../support/client.ts";
import { haproxy, Proxy, PROXY_CONFIG, proxyEnv } from "../../support/proxy.ts";
import { INVITE, ServerProcess, TEN_SECONDS } from "../../support/server-process.ts";
import { Load, METRICS_TOKEN, MOST_TRIES, openSockets, triesToReturn } from "./load.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WITHOUT = haproxy ? "" : " (SKIPPED: there is no haproxy on this machine; Debian's package haproxy has it)";
if (WITHOUT) console.warn(`The proxy was not tried${WITHOUT}.`);

describe.skipIf(!haproxy)(`the proxy's configuration${WITHOUT}`, () => {
  const servers = ["http://127.0.0.1:3001", "http://127.0.0.1:3002"];
  const check = (certificate?: string) => {
    const env = proxyEnv({ listen: "127.0.0.1:8080", servers, ...(certificate && { certificate }) });
    const { status, stdout, stderr } = spawnSync(haproxy!, ["-c", "-f", PROXY_CONFIG], { env, encoding: "utf8" });
    return { status, output: stdout + stderr };
  };

  it("is accepted without a warning", () => {
    const { status, output } = check();
    expect(output).not.toMatch(/WARNING|ALERT/);
    expect(status).toBe(0);
  });

  it("is accepted with a certificate, and not with a wrong one", () => {
    const folder = mkdtempSync(join(tmpdir(), "trio-"));
    const file = join(folder, "club.pem");
    const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=club.example"];
    execFileSync("openssl", [...made, "-keyout", join(folder, "key"), "-out", join(folder, "cert")], {
      stdio: "ignore",
    });
    writeFileSync(file, ["cert", "key"].map((part) => readFileSync(join(folder, part), "utf8")).join(""));
    expect(check(file)).toMatchObject({ status: 0 });
    expect(check(join(folder, "none.pem")).status).not.toBe(0);
    rmSync(folder, { recursive: true });
  });
});

describe.skipIf(!haproxy)(`two servers behind the proxy${WITHOUT}`, () => {
  let servers: [ServerProcess, ServerProcess];
  let proxy: Proxy;
  let member: Client;

  beforeAll(async () => {
    const story = { clock: { kind: "wall" }, games: [TEN_SECONDS], invite: INVITE };
    const env = { STORY: JSON.stringify(story), TRUST_PROXY: "127.0.0.1", METRICS_TOKEN };
    const first = await ServerProcess.start({ env });
    servers = [first, await ServerProcess.start({ env: { ...env, DATA_DIR: join(first.folder, "data") } })];
    proxy = await Proxy.start(servers.map(({ address }) => address));
    member = await new Client(proxy.address).register("anna_1");
  });
  afterAll(async () => {
    await proxy?.close();
    for (const server of servers?.toReversed() ?? []) await server.close();
  });

  const sockets: { close(): void }[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });
  const keep = <S extends { close(): void }>(socket: S): S => {
    sockets.push(socket);
    return socket;
  };

  /** Sends a request from another of this machine's addresses, with the test's headers. */
  const ask = (path: string, from: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; body: string; id: unknown }>((resolve, reject) => {
      const sent = request(`${proxy.address}${path}`, { localAddress: from, headers, agent: false }, async (answer) =>
        resolve({
          status: answer.statusCode!,
          body: (await answer.toArray()).join(""),
          id: answer.headers["x-request-id"],
        }),
      );
      sent.on("error", reject).end();
    });

  it("get the client's address, whatever the client claims", async () => {
    const headers = {
      ...headersOf({ token: member.token!, lang: "en_us" }, "GET"),
      "x-data-encoding": "json",
      "x-forwarded-for": "203.0.113.9",
    };
    const { body } = await ask("/api/member/sessions", "127.0.0.5", headers);
    expect((JSON.parse(body) as { data: { ip: string }[] }).data[0]!.ip).toBe("127.0.0.5");
  });

  it("get an id for each request, which its answer and every line of it name, whatever the client claims", async () => {
    const headers = { "x-request-id": "mine-1" };
    // Providers post: a GET is nobody's notification, of which the server writes a line.
    const { status, id } = await ask("/api/pay/notify/sandbox", "127.0.0.5", headers);
    expect([status, id]).toEqual([404, expect.stringMatching(UUID)]);
    const line = (server: ServerProcess) => server.logged.join("").includes(`"requestId":"${String(id)}"`);
    await eventually(async () => expect(servers.some(line)).toBe(true));
    // The proxy's own answers, of which it writes a line, carry theirs.
    const denied = await ask("/metrics?q=sesame", "127.0.0.1", headers);
    expect([denied.status, denied.id]).toEqual([404, expect.stringMatching(UUID)]);
    await eventually(async () => expect(proxy.logged.join("")).toContain(`GET /metrics ${String(denied.id)}\n`));
    expect(proxy.logged.join("")).not.toContain("sesame");
  });

  it("do not expose their metrics, however that is written", async () => {
    // A server would refuse for want of a token: 404 is the proxy's.
    for (const path of ["/metrics", "/metrics?q=1", "/%6detrics", "/%6D%65trics?q=1"])
      expect([path, (await ask(path, "127.0.0.1")).status]).toEqual([path, 404]);
    expect((await ask("/readyz", "127.0.0.1")).status).toBe(200);
  });

  it("share the websockets evenly", async () => {
    const lines = Array.from({ length: 8 }, () => keep(member.connect()));
    await Promise.all(lines.map((line) => line.until("hello")));
    const open = await Promise.all(servers.map(({ address }) => openSockets(address)));
    expect(open).toEqual([4, 4]);
  });

  it("each keep the polling connections that they began, and their upgrade to a websocket", async () => {
    const options = { auth: { lang: "en_us" }, forceNew: true, reconnection: false, withCredentials: true };
    const polling = Array.from({ length: 6 }, () => keep(io(proxy.address, { ...options, transports: ["polling"] })));
    const changing = Array.from({ length: 6 }, () =>
      keep(io(proxy.address, { ...options, transports: ["polling", "websocket"] })),
    );
    for (const socket of [...polling, ...changing]) {
      for (let i = 0; i < 4; i++) {
        const output: unknown = await socket.timeout(5_000).emitWithAck("lottery:watch", TEN_SECONDS.key);
        expect(output).toMatchObject({ code: 200 });
      }
    }
    expect(polling.map(({ io }) => io.engine.transport.name)).toEqual(polling.map(() => "polling"));
    expect(changing.map(({ io }) => io.engine.transport.name)).toEqual(changing.map(() => "websocket"));
    const open = await Promise.all(servers.map(({ address }) => openSockets(address)));
    expect(Math.min(...open)).toBeGreaterThan(0);
  });

  it("are replaced one by one under load, and nothing fails", { timeout: 600_000 }, async () => {
    await member.topUp(5_000);
    const lines = Array.from({ length: 10 }, () => keep(member.connect()));
    await Promise.all(lines.map((line) => line.until("hello")));
    const tries = lines.map(triesToReturn);
    const load = new Load(member);
    for (const server of servers) {
      await load.goesOn();
      expect(await server.signal("SIGTERM")).toEqual({ code: 0, signal: null });
      await load.goesOn();
      await server.start();
    }
    await load.goesOn();
    const { done, bets, failed } = await load.end();
    if (failed.length > 0) console.warn(proxy.logged.join(""));
    expect(failed).toEqual([]);
    expect(done).toBeGreaterThan(200);
    expect(bets).toBeGreaterThan(20);
    const returns = tries.flat();
    console.warn(`${done} requests, ${bets} bets; sockets were back after ${Math.max(...returns)} tries at most`);
    expect(returns.length).toBeGreaterThanOrEqual(lines.length);
    expect(Math.max(...returns)).toBeLessThanOrEqual(MOST_TRIES);
  });
});

describe.skipIf(!haproxy)(`two servers that are both not ready, behind the proxy${WITHOUT}`, () => {
  it("still get the requests, and output for themselves", async () => {
    const away = Array.from({ length: 2 }, () =>
      createServer((_request, response) => response.writeHead(503).end("the database is away")).listen(0, "127.0.0.1"),
    );
    await Promise.all(away.map((server) => once(server, "listening")));
    const proxy = await Proxy.start(away.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    onTestFinished(async () => {
      await proxy.close();
      for (const server of away) server.close();
    });
    await eventually(async () => {
      const output = await fetch(`${proxy.address}/api/system/base`);
      expect([output.status, await output.text()]).toEqual([503, "the database is away"]);
      expect(proxy.logged.join("")).toContain("no server available");
    });
  });
});
