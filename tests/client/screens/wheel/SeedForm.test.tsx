// @vitest-environment happy-dom
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readKept } from "#client/screens/wheel/kept-pairs.ts";
import { SeedForm } from "#client/screens/wheel/SeedForm.tsx";
import { setStage, show } from "../../../support/Stage.tsx";
import { newMember } from "./new-member.ts";

setStage();

const COMMIT = "1".repeat(64);
const seeds = newMember("mem_1", COMMIT);

let server: Server;
/** What each change of words said, and how it is answered; the last way repeats. */
let asked: string[] = [];
let ways: ((response: ServerResponse) => void)[] = [];
const say = (code: number, msg: string, data: unknown) => (response: ServerResponse) =>
  void response.end(JSON.stringify({ code, msg, data }));
const lost = say(500, "Something went wrong", null);

beforeEach(async () => {
  [asked, ways] = [[], [say(200, "", null)]];
  server = createServer((request, response) => {
    const isChange = request.method === "POST" && request.url === "/api/fair/wheel";
    if (!isChange) say(200, "", [])(response);
    else
      void text(request).then((body) => {
        asked.push(body);
        ways[Math.min(asked.length, ways.length) - 1]!(response);
      });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } };
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  localStorage.clear();
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const field = () => screen.getByLabelText<HTMLInputElement>("New phrase");
const send = () => screen.getByRole("button", { name: "Use this phrase" });

describe("a member's words", () => {
  it("are first made by the device, and go with the commit that is shown", async () => {
    const { user } = show(<SeedForm seeds={seeds} />);
    const made = field().value;
    expect(made).toMatch(/^[a-z]+(-[a-z]+){4}$/);
    screen.getByText(COMMIT);
    await user.click(send());
    await expect.poll(() => asked).toEqual([`client_seed=${made}&commit=${COMMIT}`]);
    expect(readKept("mem_1")).toMatchObject([{ commit: COMMIT, words: made, isSent: true }]);
  });

  it("that the server may not take are refused here, and not kept as sent", async () => {
    const { user } = show(<SeedForm seeds={seeds} />);
    await user.clear(field());
    await user.type(field(), "not: these");
    await user.click(send());
    expect(field().getAttribute("aria-invalid")).toBe("true");
    expect([asked, readKept("mem_1")[0]!.isSent]).toEqual([[], undefined]);
  });

  it("are sent again as they were after a failure, and cannot be changed, even once the screen was left", async () => {
    ways = [lost, say(200, "", null)];
    const { user, unmount } = show(<SeedForm seeds={seeds} />);
    await user.clear(field());
    await user.type(field(), "my-own");
    await user.click(send());
    await screen.findByText(/^This phrase was sent/);
    expect([field().readOnly, field().value]).toEqual([true, "my-own"]);
    unmount();
    const again = show(<SeedForm seeds={seeds} />);
    expect([field().readOnly, field().value]).toEqual([true, "my-own"]);
    await again.user.click(send());
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[1]).toBe(asked[0]);
  });
});
