// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createElement, type ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RefusedCall } from "#client/api/call-error.ts";
import { useAvatarUpload } from "#client/screens/member/use-avatar-upload.ts";

/** The keys of the uploads, each answered with a new path, and the path that was chosen. */
let keys: string[];
let saves: { path: string; done: () => void; fail: (error: unknown) => void }[];
let server: Server;

beforeEach(async () => {
  [keys, saves] = [[], []];
  server = createServer((request, response) => {
    request.resume().on("end", () => {
      keys.push(String(request.headers["idempotency-key"]));
      response.end(JSON.stringify({ code: 200, msg: "", data: `/files/${keys.length}` }));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } };
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterEach(async () => {
  cleanup();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const save = (path: string) =>
  new Promise<void>((done, fail) => {
    saves.push({ path, done, fail });
  });
const pictureOf = (name: string) => new File(["PIXELS"], name, { type: "image/png" });

function begin() {
  const answers = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: answers }, children);
  const { result } = renderHook(() => useAvatarUpload(save), { wrapper });
  const send = async (count: number) => {
    act(() => void result.current.send());
    await waitFor(() => expect(saves).toHaveLength(count));
  };
  return {
    now: () => result.current,
    send,
    choose: (name: string) => act(() => result.current.choose(pictureOf(name))),
  };
}

describe("a member's own picture", () => {
  it("is uploaded once and used; then none is selected any more", async () => {
    const { now, choose, send } = begin();
    choose("a.png");
    await send(1);
    await act(async () => saves[0]!.done());
    await waitFor(() => expect(now().chosen).toBe(null));
    expect([keys.length, saves[0]!.path]).toEqual([1, "/files/1"]);
  });

  it("is not uploaded again when only its use got lost", async () => {
    const { now, choose, send } = begin();
    choose("a.png");
    await send(1);
    await act(async () => saves[0]!.fail(new TypeError("no line")));
    await waitFor(() => expect(now().error).toBeTruthy());
    await send(2);
    expect([keys.length, saves[1]!.path]).toEqual([1, "/files/1"]);
  });

  it("is uploaded again, under another key, when its path was refused", async () => {
    const { now, choose, send } = begin();
    choose("a.png");
    await send(1);
    await act(async () => saves[0]!.fail(new RefusedCall({ code: 404, msg: "No such picture", data: null })));
    await waitFor(() => expect(now().error).toBeTruthy());
    await send(2);
    expect([new Set(keys).size, saves[1]!.path]).toEqual([2, "/files/2"]);
  });

  it("stays selected when the one before it is used after all", async () => {
    const { now, choose, send } = begin();
    choose("a.png");
    await send(1);
    choose("b.png");
    await act(async () => saves[0]!.done());
    expect(now().chosen?.file.name).toBe("b.png");
  });

  it("is refused before the upload when it is no picture, or too large", () => {
    const { now } = begin();
    act(() => now().choose(new File(["x"], "a.txt", { type: "text/plain" })));
    expect([now().fault, now().chosen]).toEqual(["wrongKind", null]);
    act(() => now().choose(new File([new Uint8Array(5 * 1024 * 1024 + 1)], "a.png", { type: "image/png" })));
    expect([now().fault, now().chosen]).toEqual(["tooLarge", null]);
    // The server decides about types that the browser does not know.
    act(() => now().choose(new File(["x"], "a.heif")));
    expect([now().fault, now().chosen?.file.name]).toEqual([null, "a.heif"]);
  });
});
