import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { call } from "#client/api/call.ts";
import { begin } from "#client/api/early.ts";
import { languageNow } from "#client/text/i18n.ts";
import { LostCall } from "#client/api/call-error.ts";
import { systemBase } from "#shared/contract/site.ts";
import { openPage } from "./page.ts";

let server: Server;

/** Opens the app on a server that answers like this, or that does not exist. */
async function openAt(answer: RequestListener, { isThere = true } = {}): Promise<void> {
  server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  if (!isThere) await close();
}
async function close(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await close();
});

const silence: RequestListener = () => {};
const saying =
  (text: string, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status).end(text);

describe("a call whose answer is lost", () => {
  it.each<[string, RequestListener]>([
    ["cut off", ({ socket }) => void socket.destroy()],
    ["a proxy's page", saying("<h1>Bad Gateway</h1>", 502)],
    ["empty", saying("")],
    ["not ours", saying("{}")],
    ["half of ours", saying(`{"code":200,"msg":""}`)],
    ["no object", saying("null")],
  ])("reports it: %s", async (_, answer) => {
    await openAt(answer);
    const lost = await call(systemBase).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(LostCall);
    expect(lost).toMatchObject({ lost: true });
  });

  it("reports it when there is no server", async () => {
    await openAt(silence, { isThere: false });
    await expect(call(systemBase)).rejects.toBeInstanceOf(LostCall);
  });

  it("reports it after thirty seconds, also to a caller who could have aborted", async () => {
    await openAt(silence);
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const patience = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout(50));
    await expect(call(systemBase)).rejects.toBeInstanceOf(LostCall);
    await expect(call(systemBase, {}, { signal: new AbortController().signal })).rejects.toBeInstanceOf(LostCall);
    expect(patience.mock.calls).toEqual([[30_000], [30_000]]);
  });

  it("reports it after thirty seconds, also where it had begun before the app was there", async () => {
    await openAt(silence);
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const patience = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout(50));
    begin(systemBase, {}, languageNow());
    await expect(call(systemBase)).rejects.toBeInstanceOf(LostCall);
    expect(new Set(patience.mock.calls.flat())).toEqual(new Set([30_000]));
  });

  it("reports it though the browser reports its own timeout as an abort", async () => {
    await openAt(silence);
    const patience = new AbortController();
    vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
    const lost = call(systemBase, {}, { signal: new AbortController().signal });
    patience.abort();
    await expect(lost).rejects.toBeInstanceOf(LostCall);
  });
});

describe("an aborted call", () => {
  it("is not reported as lost", async () => {
    await openAt(silence);
    const caller = new AbortController();
    const given = call(systemBase, {}, { signal: caller.signal });
    caller.abort();
    await expect(given).rejects.toMatchObject({ name: "AbortError" });
  });
});
