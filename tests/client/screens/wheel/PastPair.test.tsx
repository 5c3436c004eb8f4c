// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepAnswer, keepNext, keepSent, readKept } from "#client/screens/wheel/kept-pairs.ts";
import { PastPair } from "#client/screens/wheel/PastPair.tsx";
import { checkPast, type Past } from "#client/screens/wheel/check-past.ts";
import type { SignedSpin } from "#client/watch/messages.ts";
import { setStage, show } from "../../../support/Stage.tsx";
import { newMember } from "./new-member.ts";
import { past, signedOf, TABLE, wonAlways } from "./past-pair.ts";

setStage();
beforeEach(() => {
  // The wheel has other prizes by now: a spin is shown by its prize's id.
  vi.stubGlobal("fetch", async () => Response.json({ code: 200, msg: "", data: [] }));
  localStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

const pair = past();
const ALL = signedOf(pair);
const BAD = /^Please keep the numbers/;

/** This device sends the words of the pair, and is answered its spins. */
function play(): void {
  const seeds = newMember("mem_7", pair.commit);
  keepNext(seeds);
  keepSent(seeds, pair.client_seed, TABLE.hash);
  for (const { nonce, id } of pair.spins) keepAnswer("mem_7", pair.commit, { nonce, id, commit: pair.commit });
}

/** What stands beside the title, and beside each spin. */
function marksOf(shown: Past, signed: readonly SignedSpin[] = ALL, member = "mem_7") {
  const kept = readKept(member).find(({ number }) => number === shown.number);
  const checks = checkPast(shown, kept, signed);
  show(<PastPair past={{ pair: shown, kept, checks, isUnread: false }} />);
  const list = screen.queryByRole("list", { name: "Spins" });
  const spins = list ? within(list).getAllByRole("listitem") : [];
  const isIn = (part: HTMLElement) => (part.textContent.endsWith("Matches") ? "yes" : "NO");
  const title = screen.getByRole("heading", { name: "Previous secret" }).parentElement!;
  return {
    title: title.textContent.replace("Previous secret", ""),
    spins: spins.map(isIn).join(" "),
    isBad: screen.queryByText(BAD) !== null,
  };
}

const RIGHT = { title: "Matches", spins: "yes yes yes yes", isBad: false };

describe("a pair of an honest house", () => {
  it("matches on the device that made its spins", () => {
    play();
    expect(marksOf(pair)).toEqual(RIGHT);
  });

  it("matches on a device that kept nothing of it", () => {
    expect(marksOf(pair)).toEqual(RIGHT);
  });

  it("matches in a browser that reads no lines of the house", () => {
    play();
    expect(marksOf(pair, [])).toEqual(RIGHT);
  });

  it("proves nothing where nothing bound its words, and is not called wrong", () => {
    const old = past({ words_by: null, table: null });
    expect(marksOf(old, [])).toMatchObject({ title: "", spins: RIGHT.spins, isBad: false });
  });
});

describe("a pair does not match", () => {
  it("without a table, though each spin came with chances that give its prize", () => {
    play();
    const shown = wonAlways("none", past({ table: null }));
    expect(marksOf(shown, [])).toMatchObject({ title: "Does not match", isBad: true });
  });

  it("without its last spin, which is shown as it was answered", () => {
    play();
    const shown = past({ spins: pair.spins.slice(0, 3) });
    expect(marksOf(shown, [])).toMatchObject({ title: "Does not match", spins: "yes yes yes NO", isBad: true });
  });

  it("with other words than this device sent", () => {
    const seeds = newMember("mem_8", pair.commit);
    keepSent(seeds, "others", TABLE.hash);
    expect(marksOf(pair, ALL, "mem_8")).toEqual({ ...RIGHT, title: "Does not match", isBad: true });
  });
});
