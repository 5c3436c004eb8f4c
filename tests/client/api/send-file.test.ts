// @vitest-environment happy-dom
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LostCall, RefusedCall } from "#client/api/call-error.ts";
import { sendFile, type SendOptions } from "#client/api/send-file.ts";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { uploadImage } from "#shared/contract/member.ts";
import { BusRecorder } from "./bus-recorder.ts";

let server: Server;
let recorder: BusRecorder;
let asked: { url: string; headers: Record<string, unknown>; body: string }[];

/** Opens the app on a server that answers like this once it has the whole request. */
async function openAt(answer: RequestListener): Promise<void> {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      asked.push({ url: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString("latin1") });
      answer(request, response);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  // The page has the server's own origin.
  const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } };
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

beforeEach(() => {
  asked = [];
  recorder = new BusRecorder();
  writeStored("token", "a token");
});
afterEach(async () => {
  recorder.close();
  forgetSession();
  vi.useRealTimers();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const saying =
  (code: number, msg: string, data: unknown, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status).end(JSON.stringify({ code, msg, data }));
const send = (options?: SendOptions) => sendFile(uploadImage, new File(["PIXELS"], "me.png"), options);
const failureOf = (sending: Promise<unknown>) => sending.catch((error: unknown) => error);

describe("an uploaded file", () => {
  it("that the server fails at has a reference", async () => {
    await openAt((request, response) => {
      response.setHeader("x-request-id", "4f20a7");
      saying(500, "Sorry", null)(request, response);
    });
    expect(await failureOf(send())).toMatchObject({ name: "RefusedCall", reference: "4f20a7" });
  });

  it("goes as one part, with its sender and its key, and is answered like a call", async () => {
    await openAt(saying(200, "Done", "/files/uploads/a.webp"));
    expect(await send({ key: "tap" })).toBe("/files/uploads/a.webp");
    const [{ url, headers, body }] = asked as [(typeof asked)[0]];
    expect(url).toBe("/api/system/uploadimg");
    expect(headers).toMatchObject({ token: btoa("a token"), "idempotency-key": "tap", lang: expect.any(String) });
    expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toMatch(/name="file"; filename="me.png"[^]*\r\n\r\nPIXELS\r\n/);
  });

  it("is refused with the server's text", async () => {
    await openAt(saying(400, "Check", { fields: { file: "No picture" } }));
    const refused = await failureOf(send());
    expect(refused).toBeInstanceOf(RefusedCall);
    expect(refused).toMatchObject({ code: 400, message: "Check", fields: { file: "No picture" }, lost: false });
    expect(recorder.all("refused")).toEqual([]);
  });

  it.each([401, 10001])("reports when the session is over: %d", async (code) => {
    await openAt(saying(code, "Log in", null));
    expect(await failureOf(send())).toBeInstanceOf(RefusedCall);
    expect(recorder.all("refused")).toEqual([{ code, msg: "Log in" }]);
  });

  it("does not end a later session", async () => {
    await openAt((request, response) => {
      writeStored("token", "another");
      saying(401, "Log in", null)(request, response);
    });
    expect(await failureOf(send())).toBeInstanceOf(RefusedCall);
    expect(recorder.all("refused")).toEqual([]);
  });

  it.each<[string, RequestListener]>([
    ["cut off", ({ socket }) => void socket.destroy()],
    ["a proxy's page", (_, response) => void response.writeHead(502).end("<h1>Bad Gateway</h1>")],
    ["empty", (_, response) => void response.end()],
  ])("is lost when its answer is: %s", async (_, answer) => {
    await openAt(answer);
    expect(await failureOf(send())).toBeInstanceOf(LostCall);
  });

  it("is aborted by its sender, which is no lost call", async () => {
    await openAt(() => {});
    const giving = new AbortController();
    const sending = failureOf(send({ signal: giving.signal }));
    giving.abort();
    expect(await sending).toMatchObject({ name: "AbortError" });
    expect(await failureOf(send({ signal: giving.signal }))).toMatchObject({ name: "AbortError" });
  });

  it("is lost when nothing moves for thirty seconds", async () => {
    await openAt(() => {});
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let end: unknown;
    void failureOf(send()).then((error) => (end = error));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(end).toBeUndefined();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(end).toBeInstanceOf(LostCall);
  });
});
