import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LostCall, RefusedCall } from "#client/api/call-error.ts";
import { downloadData } from "#client/api/download.ts";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { BusRecorder } from "./bus-recorder.ts";
import { openPage } from "./page.ts";

let server: Server;
let recorder: BusRecorder;
let asked: { url: string; headers: Record<string, unknown> }[];

/** Opens the app on a server that answers like this. */
async function openAt(answer: RequestListener): Promise<void> {
  server = createServer((request, response) => {
    asked.push({ url: request.url!, headers: request.headers });
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

beforeEach(() => {
  asked = [];
  recorder = new BusRecorder();
  writeStored("token", "a token");
  writeStored("tokensso", "a ticket");
});
afterEach(async () => {
  recorder.close();
  forgetSession();
  vi.unstubAllGlobals();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const FILE = {
  "content-type": "application/json; charset=utf-8",
  "content-disposition": 'attachment; filename="mine.json"',
};
const saying =
  (code: number, data: unknown): RequestListener =>
  (_, response) =>
    void response.end(JSON.stringify({ code, msg: "Said", data }));
const fetchIt = (signal = new AbortController().signal, onBytes: (bytes: number) => void = () => {}) =>
  downloadData("json", { signal, onBytes });
const failureOf = (fetching: Promise<unknown>) => fetching.catch((error: unknown) => error);

describe("an export", () => {
  it("that the server fails at has a reference", async () => {
    await openAt((request, response) => {
      response.setHeader("x-request-id", "4f20a7");
      saying(500, null)(request, response);
    });
    expect(await failureOf(fetchIt())).toMatchObject({ name: "RefusedCall", reference: "4f20a7" });
  });

  it("comes whole, under the server's file name, with the caller's token and the progress", async () => {
    await openAt((_, response) => {
      response.writeHead(200, FILE).write("{");
      setTimeout(() => response.end("}"), 30);
    });
    const progress: number[] = [];
    const { name, content } = await fetchIt(undefined, (bytes) => progress.push(bytes));
    expect([name, await content.text(), progress.at(-1)]).toEqual(["mine.json", "{}", 2]);
    expect(asked[0]!.url).toBe("/api/member/export?format=json");
    expect(asked[0]!.headers).toMatchObject({ token: btoa("a token"), tokensso: "a ticket", lang: expect.any(String) });
  });

  it("that breaks off is lost, however much of it came", async () => {
    await openAt((_, response) => {
      response.writeHead(200, FILE).write("{".repeat(100));
      setTimeout(() => response.destroy(), 30);
    });
    expect(await failureOf(fetchIt())).toBeInstanceOf(LostCall);
  });

  it.each([429, 403])("that the server refuses (%d) says so, and the session stays", async (code) => {
    await openAt(saying(code, { reason: "attempts.many" }));
    const failure = await failureOf(fetchIt());
    expect(failure).toBeInstanceOf(RefusedCall);
    expect(failure).toMatchObject({ code });
    expect(recorder.all("refused")).toEqual([]);
  });

  it.each([401, 10001])("requested in an ended session (%d) announces its end", async (code) => {
    await openAt(saying(code, { reason: "session.kicked" }));
    expect(await failureOf(fetchIt())).toBeInstanceOf(RefusedCall);
    expect(recorder.all("refused")).toEqual([{ code, msg: "Said" }]);
  });

  it("does not end a session that began while an earlier one was refused", async () => {
    await openAt((request, response) => {
      writeStored("token", "a later token");
      saying(401, null)(request, response);
    });
    expect(await failureOf(fetchIt())).toBeInstanceOf(RefusedCall);
    expect(recorder.all("refused")).toEqual([]);
  });

  it.each(["a page of something between", JSON.stringify({ code: 200, msg: "", data: null })])(
    "is never something else than a file: %s",
    async (body) => {
      await openAt((_, response) => void response.end(body));
      expect(await failureOf(fetchIt())).toBeInstanceOf(LostCall);
    },
  );

  it("that is aborted rejects with the abort's reason", async () => {
    const given = new AbortController();
    await openAt((_, response) => void response.writeHead(200, FILE).write("{"));
    const failure = failureOf(fetchIt(given.signal, () => given.abort(new Error("gone"))));
    expect(await failure).not.toBeInstanceOf(LostCall);
  });
});
