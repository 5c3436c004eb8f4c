import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bus } from "#client/api/bus.ts";
import { connect } from "#client/api/connect.ts";
import { keepCurrent } from "#client/api/keep-current.ts";
import { LiveConnection } from "#client/api/connection.ts";
import { PATIENTLY } from "../../support/patience.ts";
import { BareServer } from "./bare-server.ts";
import { BusRecorder } from "./bus-recorder.ts";
import { openPage } from "./page.ts";

let server: BareServer;
let recorder: BusRecorder;
let line: LiveConnection;

beforeEach(async () => {
  server = await BareServer.start();
  openPage(server.address);
  recorder = new BusRecorder();
  line = new LiveConnection(connect, { again: 20, spread: 20 });
});
afterEach(async () => {
  line.close();
  recorder.close();
  bus.all.clear();
  vi.unstubAllGlobals();
  await server[Symbol.asyncDispose]();
});

describe("a server that is unavailable", () => {
  it("says so on its connection, which stays open", async () => {
    line.open(() => ({ lang: "en_us" }));
    await recorder.next("connection");
    server.io.emit("server:away", { reason: "full", retry_after_s: 1 });
    server.io.emit("server:back", {});
    await recorder.next("serverAway", 2);
    expect(recorder.all("serverAway")).toEqual([{ away: true }, { away: false }]);
    expect(recorder.ups()).toEqual([true]);
  });

  it("is retried by clients that it did not let in, and logs nobody out", async () => {
    let refusals = 3;
    server.io.use((_socket, next) => {
      const shown = { code: 503, msg: "The service is restarting" };
      if (refusals-- > 0) next(Object.assign(new Error(shown.msg), { data: shown }));
      else next();
    });
    line.open(() => ({ lang: "en_us", token: "mia" }));
    await vi.waitFor(() => expect(recorder.ups()).toEqual([false, true]), PATIENTLY);
    expect(recorder.all("refused")).toEqual([]);
  });

  it("gets every query again once it is back", async () => {
    const answers = new QueryClient();
    const asked = vi.fn<() => Promise<number>>(() => Promise.resolve(1));
    const stop = new QueryObserver(answers, { queryKey: ["shown"], queryFn: asked }).subscribe(() => {});
    keepCurrent(answers, () => 0);
    await vi.waitFor(() => expect(answers.getQueryData(["shown"])).toBe(1), PATIENTLY);
    bus.emit("serverAway", { away: true });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).toHaveBeenCalledTimes(1);
    bus.emit("serverAway", { away: false });
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2), PATIENTLY);
    stop();
  });
});
