import { io } from "socket.io-client";
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from "vitest";
import { LiveConnection } from "#client/api/connection.ts";
import { PATIENTLY } from "../../support/patience.ts";
import { acknowledge, BareServer } from "./bare-server.ts";
import { BusRecorder } from "./bus-recorder.ts";

let server: BareServer;
let recorder: BusRecorder;
let line: LiveConnection;
/** The connection attempts of the newest socket, after its first one. */
let tries: MockInstance;

beforeEach(async () => {
  server = await BareServer.start();
  recorder = new BusRecorder();
});
afterEach(async () => {
  line.close();
  recorder.close();
  await server[Symbol.asyncDispose]();
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Neither acknowledgements nor silence end it, and by itself its socket would reconnect only after a minute. */
const TIMES = { together: 50, probe: 100, ack: 60_000, silence: 60_000 };
const SOCKET = { forceNew: true, transports: ["websocket"], reconnectionDelay: 60_000, reconnectionDelayMax: 60_000 };

async function open(watched: string[]): Promise<void> {
  const { address } = server;
  line = new LiveConnection(() => {
    const wire = io(address, SOCKET);
    tries = vi.spyOn(wire, "connect");
    return wire;
  }, TIMES);
  for (const key of watched) line.watch(key);
  line.open(() => ({ lang: "en_us" }));
  await recorder.next("connection");
  await vi.waitFor(() => expect(server.asked).toHaveLength(watched.length), PATIENTLY);
  await wait(100);
}

describe("a nudged connection", () => {
  it("asks for every watched game, and stays when it is answered", async () => {
    await open(["a", "b"]);
    line.nudge();
    await wait(300);
    expect([server.asked, recorder.ups(), server.came]).toEqual([["a", "b", "a", "b"], [true], 1]);
  });

  it("sends a probe where no game is watched, and stays when it is answered", async () => {
    await open([]);
    line.nudge();
    await wait(300);
    expect([server.asked, recorder.ups(), server.came]).toEqual([[""], [true], 1]);
    expect(recorder.all("snapshot")).toEqual([]);
  });

  it.each([[["a", "b"]], [[]]])("is given up, once, when it is not answered soon: watching %j", async (watched) => {
    await open(watched);
    server.answer = () => {};
    line.nudge();
    await recorder.next("connection", 3);
    await wait(300);
    expect([recorder.ups(), server.came, server.open.length]).toEqual([[true, false, true], 2, 1]);
  });

  it("reconnects at once when it is away", async () => {
    await open(["a"]);
    server.drop();
    await recorder.next("connection", 2);
    await wait(100);
    line.nudge();
    await recorder.next("connection", 3);
    expect(server.came).toBe(2);
  });

  it("reconnects at once again when one attempt has failed", async () => {
    await open(["a"]);
    const port = Number(new URL(server.address).port);
    await server[Symbol.asyncDispose]();
    await recorder.next("connection", 2);
    line.nudge();
    await wait(100);
    server = await BareServer.start(port);
    line.nudge();
    await recorder.next("connection", 3);
    await vi.waitFor(() => expect(server.asked).toEqual(["a"]), PATIENTLY);
  });

  it("ignores further events at the same time", async () => {
    await open(["a"]);
    for (let i = 0; i < 3; i++) line.nudge();
    await wait(100);
    expect(server.asked).toEqual(["a", "a"]);
    server.drop();
    await recorder.next("connection", 2);
    await wait(100);
    for (let i = 0; i < 3; i++) line.nudge();
    await recorder.next("connection", 3);
    expect([server.came, tries.mock.calls.length]).toEqual([2, 1]);
  });

  it("ignores a nudge at the moment it opens", async () => {
    await open(["a"]);
    line.open(() => ({ lang: "ko_kr" }));
    line.nudge();
    await recorder.next("connection", 3);
    await wait(100);
    expect([server.came, server.open.length, tries.mock.calls.length]).toEqual([2, 1, 0]);
  });

  it("stays closed once it was closed", async () => {
    await open(["a"]);
    line.close();
    await wait(100);
    line.nudge();
    await wait(200);
    expect([server.came, server.open.length]).toEqual([1, 0]);
  });

  it("stays when only the games are unknown", async () => {
    server.answer = acknowledge;
    await open(["none"]);
    line.nudge();
    await wait(300);
    expect([recorder.ups(), recorder.all("snapshot")]).toEqual([[true], []]);
  });
});
