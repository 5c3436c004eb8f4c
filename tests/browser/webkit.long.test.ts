import { createServer, request, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ALL_STEPS_MS, doMainJob, HALF_A_MINUTE, readApiPage } from "../support/foreign-browser.ts";
import { ServerProcess } from "../support/server-process.ts";
import { WebKit } from "../support/webkit.ts";

/** A name of the site that is no loopback address, over plain http. */
const NAME = "trio.test";
let server: ServerProcess;
let proxy: Server;

beforeAll(async () => {
  server = await ServerProcess.start({ games: [HALF_A_MINUTE], env: { HOSTS: NAME } });
  // Takes the place of a name service: whatever is asked for comes from the server.
  proxy = createServer((asked, answer) => {
    const { pathname, search } = new URL(asked.url!);
    const { port } = new URL(server.address);
    const { method, headers } = asked;
    const passed = request({ host: "127.0.0.1", port, path: pathname + search, method, headers }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
});
afterAll(async () => {
  proxy.close();
  await server.close();
});

async function open(options?: Parameters<typeof WebKit.open>[0]) {
  const webkit = await WebKit.open(options);
  onTestFinished(() => webkit.close());
  return webkit;
}

describe("in WebKit", () => {
  it("a guest registers, tops up, bets, is paid and checks the draw", { timeout: ALL_STEPS_MS }, async () => {
    const webkit = await open();
    await doMainJob(webkit, server, "kit_1");
    expect(await webkit.faults()).toEqual([]);
  });

  it("the API's page opens over plain http by a name that is not loopback", { timeout: ALL_STEPS_MS }, async () => {
    const webkit = await open({ proxy: `127.0.0.1:${(proxy.address() as AddressInfo).port}` });
    await readApiPage(webkit, `http://${NAME}:${new URL(server.address).port}`);
    expect(await webkit.run(() => location.protocol)).toBe("http:");
    expect(await webkit.faults()).toEqual([]);
  });
});
