// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import FairWheel from "#client/screens/wheel/FairWheel.tsx";
import { keepNext, readKept } from "#client/screens/wheel/kept-pairs.ts";
import type { SignedSpins, ToPage, ToWorker } from "#client/watch/messages.ts";
import { startWatching } from "#client/watch/watch.ts";
import { setStage, show } from "../../../support/Stage.tsx";
import { newMember } from "./new-member.ts";
import { past, signedOf } from "./past-pair.ts";

setStage();

const pair = past();
const first = newMember("mem_7", pair.commit);
const seeds = { ...first, next_number: 1, next_commit: "1".repeat(64), previous: pair };
const LINES: SignedSpins = { spins: signedOf(pair), isWhole: true };
const UNSIGNED = /^This device has not read what the house signed/;

/** What the watcher knows of the pair's spins. Null: it cannot answer. */
let signed: SignedSpins | null;

class WorkerBeside extends EventTarget {
  readonly postMessage = (said: ToWorker): void => {
    if (said.to !== "request") return;
    const replies: Partial<Record<typeof said.request, unknown>> = { log: "house/log/1", pair: "waits", spins: signed };
    const reply = replies[said.request];
    const data: ToPage = { to: "reply", id: said.id, reply, failed: reply === null };
    this.dispatchEvent(new MessageEvent("message", { data }));
  };
}

beforeAll(() => {
  vi.stubGlobal("Worker", WorkerBeside);
  vi.stubGlobal("fetch", async (path: string) => {
    return Response.json({ code: 200, msg: "", data: path === "/api/fair/wheel" ? seeds : [] });
  });
  startWatching(null);
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  localStorage.clear();
  keepNext(first);
});

const isChecked = () => readKept("mem_7").find(({ number }) => number === 0)?.isChecked ?? false;
const titleNow = () => screen.getByRole("heading", { name: "Previous secret" }).parentElement!.textContent;

describe("the pair before, beside a watcher", () => {
  it("is right once all its lines are read", async () => {
    signed = LINES;
    show(<FairWheel />);
    await expect.poll(isChecked).toBe(true);
    expect([titleNow(), screen.queryByText(UNSIGNED)]).toEqual(["Previous secretMatches", null]);
  });

  it.each<[string, SignedSpins | null]>([
    ["the house has not answered all", { ...LINES, isWhole: false }],
    ["a spin has no line", { ...LINES, spins: LINES.spins.slice(1) }],
    ["the watcher cannot answer", null],
  ])("is neither right nor wrong while %s", async (_, lines) => {
    signed = lines;
    show(<FairWheel />);
    await screen.findByText(UNSIGNED);
    expect([titleNow(), isChecked()]).toEqual(["Previous secret", false]);
  });

  it("is wrong where a line says another prize", async () => {
    signed = { ...LINES, spins: LINES.spins.map((line) => ({ ...line, prize: "another" })) };
    show(<FairWheel />);
    expect((await screen.findByRole("alert")).textContent).toMatch(/^The previous secret does not give the spins/);
    expect([titleNow(), isChecked()]).toEqual(["Previous secretDoes not match", false]);
  });
});
