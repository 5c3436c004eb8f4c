// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import FairWheel from "#client/screens/wheel/FairWheel.tsx";
import { PairNotes } from "#client/screens/wheel/PairNotes.tsx";
import { keepAnswer, keepNext, readKept, type Seeds } from "#client/screens/wheel/kept-pairs.ts";
import { setStage, show } from "../../../support/Stage.tsx";
import { newMember } from "./new-member.ts";
import { past } from "./past-pair.ts";

setStage();

const NEXT = "1".repeat(64);
const first = newMember("mem_7", past().commit);
const after: Seeds = { ...first, next_number: 1, next_commit: NEXT, previous: past() };

let seeds: Seeds;

beforeEach(() => {
  vi.stubGlobal("fetch", async (path: string) => {
    return Response.json({ code: 200, msg: "", data: path === "/api/fair/wheel" ? seeds : [] });
  });
  localStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

const UNSHOWN = /^The house does not show this secret/;
const NONE = /^Nothing has been made public yet/;

describe("the pair before", () => {
  it("is none before the first words", async () => {
    seeds = first;
    show(<FairWheel />);
    await screen.findByText(NONE);
    expect(screen.queryByText(UNSHOWN)).toBeNull();
  });

  it("is checked once it is shown", async () => {
    seeds = after;
    show(<FairWheel />);
    await screen.findByRole("list", { name: "Spins" });
    expect([screen.queryByText(UNSHOWN), screen.queryByText(NONE)]).toEqual([null, null]);
  });

  it("that is not shown is said to be unchecked", async () => {
    seeds = { ...after, previous: null };
    show(<FairWheel />);
    await screen.findByText(UNSHOWN);
    expect(screen.queryByText(NONE)).toBeNull();
  });

  it("in whose place an older one is shown is said to be unchecked, beside the older one", async () => {
    seeds = { ...after, next_number: 2 };
    show(<FairWheel />);
    await screen.findByText(UNSHOWN);
    expect(screen.queryByRole("list", { name: "Spins" })).not.toBeNull();
  });

  it("is said to be unchecked where the house goes on from an earlier pair than it has shown", async () => {
    keepNext({ ...after, next_number: 2 });
    seeds = after;
    show(<FairWheel />);
    expect(await screen.findByText(UNSHOWN)).toBeTruthy();
  });
});

describe("a pair that was spun here", () => {
  const later: Seeds = { ...after, next_number: 2, next_commit: "2".repeat(64), previous: past({ number: 1 }) };
  const UNCHECKED = "Secrets whose spins were not checked on this device, and which the house shows no more: 1";
  const spun = () => {
    keepNext(first);
    const { commit, spins } = past();
    for (const { nonce, id } of spins) keepAnswer("mem_7", commit, { nonce, id, commit });
  };

  it("is counted as unchecked once another one is shown, unless all agreed while it was public", async () => {
    spun();
    seeds = later;
    const { unmount } = show(<FairWheel />);
    await screen.findByText(UNCHECKED);
    unmount();
    seeds = after;
    const { unmount: leave } = show(<FairWheel />);
    await screen.findByText(/^This device kept the fingerprint/);
    await expect.poll(() => readKept("mem_7")[0]).toMatchObject({ number: 0, isChecked: true });
    leave();
    seeds = later;
    show(<FairWheel />);
    await screen.findByRole("list", { name: "Spins" });
    expect(screen.queryByText(UNCHECKED)).toBeNull();
  });

  it("is told of at the wheel too, where its secret gives other spins than were answered", async () => {
    spun();
    seeds = { ...after, previous: past({ spins: past().spins.slice(0, 3) }) };
    show(<PairNotes seeds={seeds} />);
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toMatch(/^The previous secret does not give the spins/);
    expect(readKept("mem_7")[0]!.isChecked).toBeUndefined();
  });

  it("is told of once where the house shows another table too", async () => {
    spun();
    seeds = { ...after, previous: past({ table: null, spins: past().spins.slice(0, 3) }) };
    show(<PairNotes seeds={seeds} />);
    const alerts = await screen.findAllByRole("alert");
    expect(alerts.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^The prizes and chances/)]);
  });
});
