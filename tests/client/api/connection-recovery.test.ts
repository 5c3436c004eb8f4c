import { createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "#client/api/connect.ts";
import { LiveConnection } from "#client/api/connection.ts";
import { byLength } from "../../support/length.ts";
import { PATIENTLY } from "../../support/patience.ts";
import { BareServer } from "./bare-server.ts";
import { BusRecorder } from "./bus-recorder.ts";
import { openPage } from "./page.ts";

/** Longer than any wait that the app plans, and shorter than the 5 s after which an unanswered attempt ends by itself. */
const SOON_MS = 4_000;

let server: BareServer;
let recorder: BusRecorder;
let line: LiveConnection;

beforeEach(async () => {
  server = await BareServer.start();
  openPage(server.address);
  recorder = new BusRecorder();
  line = new LiveConnection(connect);
  line.watch("a");
  line.open(() => ({ lang: "en_us" }));
  await recorder.next("connection");
  // Nudges so soon after the start would be taken for its own.
  await wait(400);
});
afterEach(async () => {
  line.close();
  recorder.close();
  vi.unstubAllGlobals();
  await server[Symbol.asyncDispose]();
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const port = () => Number(new URL(server.address).port);
/** How long it takes until the server gets the next request for the game. */
async function asked(times: number): Promise<number> {
  const from = performance.now();
  await vi.waitFor(() => expect(server.asked.length).toBeGreaterThanOrEqual(times), { ...PATIENTLY, interval: 5 });
  return performance.now() - from;
}

describe("the connection is back soon", () => {
  it("because less than a second passes between two tries", () => {
    const manager = connect(() => ({ lang: "en_us" })).disconnect().io;
    expect(manager.reconnectionDelayMax()).toBeLessThan(1_000);
  });

  it.each(byLength([700, 2_000], [700, 2_000, 4_000]))("after the server was away for %i ms", async (away) => {
    await server[Symbol.asyncDispose]();
    await wait(away);
    server = await BareServer.start(port());
    expect(await asked(1)).toBeLessThan(SOON_MS);
  });

  it("after the server ended it, as it does before it exits", async () => {
    for (const socket of server.open) socket.disconnect(true);
    expect(await asked(2)).toBeLessThan(SOON_MS);
  });

  it("after the network came back, though an attempt hangs", async () => {
    await server[Symbol.asyncDispose]();
    const stuck: Socket[] = [];
    // Accepts connections and never answers.
    const hole = createServer((socket) => void stuck.push(socket)).listen(port(), "127.0.0.1");
    await vi.waitFor(() => expect(stuck.length).toBeGreaterThan(0), PATIENTLY);
    hole.close();
    server = await BareServer.start(port());
    line.nudge();
    expect(await asked(1)).toBeLessThan(SOON_MS);
    for (const socket of stuck) socket.destroy();
  });

  it("after a sleep during which it died silently", async () => {
    server.answer = () => {};
    line.nudge();
    expect(await asked(3)).toBeLessThan(SOON_MS);
    expect(recorder.ups()).toEqual([true, false, true]);
  });
});
