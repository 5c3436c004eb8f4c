import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/client.ts";
import { haproxy, Proxy, PROXY_CONFIG, proxyEnv } from "../../support/proxy.ts";

const WITHOUT = haproxy ? "" : " (SKIPPED: there is no haproxy on this machine; Debian's package haproxy has it)";
/** A quarter of the connections that the tests' proxy takes in all. */
const MOST = Number(proxyEnv({ listen: "", servers: [] }).CONNECTIONS) / 4;
const REQUEST = "GET /asked HTTP/1.1\r\nhost: club.example\r\n\r\n";

/** What the proxy knows of a source before it has said anything. */
interface Source {
  /** One of this machine's own addresses. */
  from?: string;
  /** What a connection begins with, where the proxy is told by another one who asks. */
  says?: string;
}

describe.skipIf(!haproxy)(`the connections of one source to the proxy${WITHOUT}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "trio-"));
  const server = createServer((_request, response) => response.end("served"));
  let proxy: Proxy;
  /** The same configuration, but each connection begins with a line that says where it comes from. */
  let told: Proxy;

  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const servers = Array.from({ length: 2 }, () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    proxy = await Proxy.start(servers);
    const config = readFileSync(PROXY_CONFIG, "utf8")
      .replaceAll('bind "${LISTEN}"', 'bind "${LISTEN}" accept-proxy')
      // The line comes after the connection.
      .replaceAll("tcp-request connection", "tcp-request session");
    writeFileSync(join(folder, "told.cfg"), config);
    told = await Proxy.start(servers, join(folder, "told.cfg"));
  });
  afterAll(async () => {
    for (const one of [proxy, told]) await one?.close();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const open: Socket[] = [];
  afterEach(async () => {
    const closed = open.filter((line) => !line.closed).map((line) => once(line, "close"));
    for (const line of open.splice(0)) line.destroy();
    await Promise.all(closed);
  });

  /** Opens a connection and asks something. What is answered; empty where the proxy closes it. */
  function ask(at: Proxy, { from, says = "" }: Source): Promise<string> {
    const line = connect({ port: Number(new URL(at.address).port), host: "127.0.0.1", localAddress: from });
    open.push(line);
    line.on("error", () => {}).write(says + REQUEST);
    return new Promise((resolve) => {
      line.on("data", (part) => resolve(String(part).split("\r\n", 1)[0]!));
      line.on("close", () => resolve(""));
    });
  }
  const SERVED = "HTTP/1.1 200 OK";

  async function fill(at: Proxy, source: (i: number) => Source): Promise<void> {
    const answers = await Promise.all(Array.from({ length: MOST }, (_, i) => ask(at, source(i))));
    expect(answers.filter((answer) => answer !== SERVED)).toEqual([]);
  }

  it("are a quarter of all at most, and another source gets in", async () => {
    await fill(proxy, () => ({ from: "127.0.0.7" }));
    expect(await ask(proxy, { from: "127.0.0.7" })).toBe("");
    expect(await ask(proxy, { from: "127.0.0.8" })).toBe(SERVED);
    open[0]!.destroy();
    await eventually(async () => expect(await ask(proxy, { from: "127.0.0.7" })).toBe(SERVED));
  });

  it("are counted together for an IPv6 network of /64", async () => {
    const from = (address: string) => ({ says: `PROXY TCP6 ${address} 2001:db8:9::1 4000 80\r\n` });
    await fill(told, (i) => from(`2001:db8:1:2::${i.toString(16)}`));
    expect(await ask(told, from("2001:db8:1:2:ffff::1"))).toBe("");
    expect(await ask(told, from("2001:db8:1:3::1"))).toBe(SERVED);
  });

  it("are counted apart for IPv4 addresses that come as IPv6", async () => {
    const from = (address: string) => ({ says: `PROXY TCP6 ::ffff:${address} 2001:db8:9::1 4000 80\r\n` });
    await fill(told, () => from("192.0.2.1"));
    expect(await ask(told, from("192.0.2.1"))).toBe("");
    expect(await ask(told, from("192.0.2.2"))).toBe(SERVED);
  });
});
