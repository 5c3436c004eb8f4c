import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "#client/api/connect.ts";
import { LiveConnection } from "#client/api/connection.ts";
import { PATIENTLY } from "../../support/patience.ts";
import { CuttableProxy } from "../../support/cuttable-proxy.ts";
import { acknowledge, BareServer } from "./bare-server.ts";
import { BusRecorder } from "./bus-recorder.ts";
import { openPage } from "./page.ts";

let server: BareServer;
let recorder: BusRecorder;
let line: LiveConnection;

beforeEach(async () => {
  server = await BareServer.start();
  openPage(server.address);
  recorder = new BusRecorder();
});
afterEach(async () => {
  line.close();
  recorder.close();
  vi.unstubAllGlobals();
  await server[Symbol.asyncDispose]();
});

const AGAIN = { again: 20, spread: 20 };
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
async function open(times: ConstructorParameters<typeof LiveConnection>[1] = AGAIN, watched = ["a"]): Promise<void> {
  line = new LiveConnection(connect, times);
  for (const key of watched) line.watch(key);
  line.open(() => ({ lang: "en_us" }));
  await recorder.next("connection");
}

describe("a lost connection", () => {
  it("comes back each time, though requests were under way", async () => {
    server.answer = () => {};
    await open(AGAIN, ["a", "b"]);
    for (const times of [1, 2, 3]) {
      await vi.waitFor(() => expect(server.asked).toHaveLength(2 * times), PATIENTLY);
      server.drop();
      await recorder.next("connection", 2 * times + 1);
    }
    await wait(300);
    expect([server.came, server.open.length]).toEqual([4, 1]);
  });

  it("comes back when the server itself ended it", async () => {
    await open();
    for (const socket of server.open) socket.disconnect(true);
    await recorder.next("connection", 3);
    expect(recorder.ups()).toEqual([true, false, true]);
  });

  it("is reported once, however often it is retried", async () => {
    await open();
    await server[Symbol.asyncDispose]();
    await wait(1_500);
    server = await BareServer.start(Number(new URL(server.address).port));
    await recorder.next("connection", 3);
    expect(recorder.ups()).toEqual([true, false, true]);
  });

  it("is reported too when it was never up", async () => {
    await server[Symbol.asyncDispose]();
    await open();
    expect(recorder.ups()).toEqual([false]);
    server = await BareServer.start(Number(new URL(server.address).port));
    await recorder.next("connection", 2);
    expect(recorder.ups()).toEqual([false, true]);
  });
});

describe("a closed connection", () => {
  it("stays closed, though requests were under way", async () => {
    server.answer = () => {};
    await open({ ...AGAIN, ack: 1_000 });
    await vi.waitFor(() => expect(server.asked).toHaveLength(1), PATIENTLY);
    line.close();
    await wait(1_300);
    expect([server.came, server.open.length, recorder.ups()]).toEqual([1, 0, [true, false]]);
  });

  it("stays closed, though the server ended it a moment before", async () => {
    await open();
    for (const socket of server.open) socket.disconnect(true);
    await recorder.next("connection", 2);
    line.close();
    await wait(300);
    expect([server.came, server.open.length]).toEqual([1, 0]);
  });

  it("and a new one are one connection, though the old one had reasons to reconnect", async () => {
    server.answer = () => {};
    await open();
    await vi.waitFor(() => expect(server.asked).toHaveLength(1), PATIENTLY);
    for (const socket of server.open) socket.disconnect(true);
    await recorder.next("connection", 2);
    for (let i = 0; i < 3; i++) line.open(() => ({ lang: "ko_kr" }));
    await recorder.next("connection", 3);
    await wait(300);
    expect(server.open.map(({ handshake }) => handshake.auth["lang"] as string)).toEqual(["ko_kr"]);
  });
});

describe("a silent connection", () => {
  const SHORT = { silence: 400, look: 40 };

  it("is given up without any error, and renewed until it is up", async () => {
    await using cable = await CuttableProxy.lay(server.address);
    openPage(cable.address);
    await open(SHORT);
    await vi.waitFor(() => expect(server.asked).toHaveLength(1), PATIENTLY);
    const stop = line.startLooking();
    cable.cut();
    await recorder.next("connection", 2);
    cable.mend();
    await recorder.next("connection", 3);
    stop();
    await vi.waitFor(() => expect(server.asked).toEqual(["a", "a"]), PATIENTLY);
    expect(recorder.ups()).toEqual([true, false, true]);
  });

  it("is not one with incoming messages", async () => {
    // A busy machine may take a second between two of them.
    await open({ silence: 2_000, look: 100 });
    const stop = line.startLooking();
    for (let i = 0; i < 25; i++) {
      for (const socket of server.open) socket.emit("site:change", {});
      await wait(100);
    }
    stop();
    expect([recorder.ups(), server.came]).toEqual([[true], 1]);
  });

  it("is not one that expects no messages, nor one that was just probed", async () => {
    server.answer = (ack, key) => void setTimeout(() => acknowledge(ack, key), 200);
    await open(SHORT, []);
    const stop = line.startLooking();
    await wait(800);
    line.watch("a");
    await wait(300);
    stop();
    expect([recorder.ups(), server.came]).toEqual([[true], 1]);
  });

  it("is no longer checked once it was closed", async () => {
    await open(SHORT);
    line.startLooking()();
    await wait(800);
    expect(server.came).toBe(1);
  });
});

describe("a watch without an acknowledgement in time", () => {
  it("ends that connection", async () => {
    server.answer = () => {};
    await open({ ...AGAIN, ack: 200 });
    await vi.waitFor(() => expect(server.asked).toHaveLength(1), PATIENTLY);
    server.answer = acknowledge;
    await recorder.next("connection", 3);
    await wait(400);
    expect([recorder.ups(), server.came, server.open.length]).toEqual([[true, false, true], 2, 1]);
  });

  it("does not end a later connection", async () => {
    await open({ ...AGAIN, together: 0, probe: 1_000, ack: 60_000 });
    server.answer = () => {};
    // After a sleep, a request on the dead connection goes out on the next one.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    line.nudge();
    await recorder.next("connection", 3);
    await wait(1_200);
    vi.useRealTimers();
    expect([recorder.ups(), server.came]).toEqual([[true, false, true], 2]);
  });
});
