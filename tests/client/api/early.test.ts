import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { call } from "#client/api/call.ts";
import { begin, forgetBegun } from "#client/api/early.ts";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { lotteryInfo } from "#shared/contract/lottery.ts";
import { openPage } from "./page.ts";

const INPUT = { key: "k3-1m" };

let server: Server;
/** What was asked for. */
let asked: string[];

beforeEach(async () => {
  asked = [];
  server = createServer(({ url, headers }, response) => {
    asked.push(`${url} ${String(headers["lang"])}`);
    response.end(JSON.stringify({ code: 200, msg: "", data: { nth: asked.length } }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  writeStored("viodeLang", "en_us");
});
afterEach(async () => {
  forgetBegun();
  forgetSession();
  vi.unstubAllGlobals();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it("a call that has begun is asked for once, and taken over once", async () => {
  begin(lotteryInfo, INPUT, "en_us");
  expect(await call(lotteryInfo, INPUT)).toEqual({ nth: 1 });
  expect(await call(lotteryInfo, INPUT)).toEqual({ nth: 2 });
  expect(asked).toEqual(Array(2).fill("/api/Lottery/getLotteryInfo?key=k3-1m en_us"));
});

it.each<[string, () => void, typeof INPUT]>([
  ["for another input", () => {}, { key: "k3-3m" }],
  ["in another language", () => writeStored("viodeLang", "ko_kr"), INPUT],
  ["of another session", () => writeStored("token", "another"), INPUT],
  ["once it is forgotten", forgetBegun, INPUT],
])("a call %s is another one", async (_, change, input) => {
  begin(lotteryInfo, INPUT, "en_us");
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  change();
  expect(await call(lotteryInfo, input)).toEqual({ nth: 2 });
});
