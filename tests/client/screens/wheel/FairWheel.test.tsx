// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import FairWheel from "#client/screens/wheel/FairWheel.tsx";
import { keepNext, type Seeds } from "#client/screens/wheel/kept-pairs.ts";
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
