import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bus } from "#client/api/bus.ts";
import { connect } from "#client/api/connect.ts";
import { keepCurrent } from "#client/api/keep-current.ts";
import { LiveConnection } from "#client/api/connection.ts";
import { BareServer } from "./bare-server.ts";
import { BusRecorder } from "./bus-recorder.ts";
import { openPage } from "./page.ts";

let server: BareServer;
let ear: BusRecorder;
let line: LiveConnection;

beforeEach(async () => {
  server = await BareServer.start();
  openPage(server.address);
  ear = new BusRecorder();
  line = new LiveConnection(connect, { again: 20, spread: 20 });
});
afterEach(async () => {
  line.close();
  ear.close();
  bus.all.clear();
  vi.unstubAllGlobals();
  await server[Symbol.asyncDispose]();
});

describe("a server that is unavailable", () => {
  it("says so on its connection, which stays open", async () => {
    line.open(() => ({ lang: "en_us" }));
    await ear.next("connection");
    server.io.emit("server:away", { reason: "full", retry_after_s: 1 });
    server.io.emit("server:back", {});
    await ear.next("serverAway", 2);
    expect(ear.all("serverAway")).toEqual([{ away: true }, { away: false }]);
    expect(ear.ups()).toEqual([true]);
  });

  it("is retried by clients that it did not let in, and logs nobody out", async () => {
    let refusals = 3;
    server.io.use((_socket, next) => {
      const said = { code: 503, msg: "The service is restarting" };
      if (refusals-- > 0) next(Object.assign(new Error(said.msg), { data: said }));
      else next();
    });
    line.open(() => ({ lang: "en_us", token: "mia" }));
    await vi.waitFor(() => expect(ear.ups()).toEqual([false, true]), { timeout: 5_000 });
    expect(ear.all("refused")).toEqual([]);
  });

  it("gets every query again once it is back", async () => {
    const answers = new QueryClient();
    const asked = vi.fn<() => Promise<number>>(() => Promise.resolve(1));
    const stop = new QueryObserver(answers, { queryKey: ["shown"], queryFn: asked }).subscribe(() => {});
    keepCurrent(answers, () => 0);
    await vi.waitFor(() => expect(answers.getQueryData(["shown"])).toBe(1));
    bus.emit("serverAway", { away: true });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).toHaveBeenCalledTimes(1);
    bus.emit("serverAway", { away: false });
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
    stop();
  });
});
