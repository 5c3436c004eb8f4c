// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { boardOf, diceIn, wordsOf } from "#client/screens/lottery/boards.ts";
import { OptionBoard } from "#client/screens/lottery/OptionBoard.tsx";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { oddsOf } from "../../../support/odds-of.ts";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

const KINDS = [...GAME_KINDS.keys()];
const NEWER = "a-kind-of-tomorrow";

/** The board of a kind on the stage, once it has loaded. */
async function laidOut(kind: string, chosen: string[] = [], odds = oddsOf(kind)) {
  const toggle = vi.fn<(option: string) => void>();
  const { user } = show(
    <OptionBoard kind={kind} odds={odds} chosen={chosen} isCovered={false} marks={new Map()} onToggle={toggle} />,
  );
  const tiles = await screen.findAllByRole("button", {}, { timeout: 20_000 });
  return { user, toggle, tiles };
}

/** A rate as English writes it: commas between thousands. */
const shownRate = (rate: string) => `×${rate.replace(/^\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ","))}`;
const codeOf = (tile: HTMLElement) => tile.dataset["option"]!;
const facesOn = (tile: HTMLElement) =>
  [...tile.querySelectorAll("svg")].map((die) => die.querySelectorAll("circle").length);
const button = (name: RegExp) => screen.getByRole("button", { name });

describe.each(KINDS)("the board of %s", (kind) => {
  it("is a board of its own, with texts for its rules", () => {
    expect(boardOf(kind)).not.toBe(boardOf(NEWER));
    expect(boardOf(kind).about).not.toBeNull();
  });

  it("offers every option once, under its name, with its rate and its chance", async () => {
    const { tiles } = await laidOut(kind);
    const odds = oddsOf(kind);
    expect(tiles.map(codeOf).sort()).toEqual(odds.map(({ type }) => type).sort());
    for (const tile of tiles) {
      const item = odds.find(({ type }) => type === codeOf(tile))!;
      expect(tile.textContent).toContain(item.name);
      for (const rate of item.pays) expect(tile.textContent).toContain(shownRate(rate));
      expect(tile.textContent).toMatch(/\d%/);
    }
  });

  it("has its parts in the order of its rules", async () => {
    const { tiles } = await laidOut(kind);
    const groups = tiles.map((tile) => oddsOf(kind).find(({ type }) => type === codeOf(tile))!.group);
    const first = boardOf(kind).groups.map((group) => groups.indexOf(group));
    expect(first).not.toContain(-1);
    expect(first).toEqual([...first].sort((a, b) => a - b));
    expect(new Set(groups).size).toBe(first.length);
  });

  it("marks chosen options, and reports presses", async () => {
    const [one, other] = oddsOf(kind).map(({ type }) => type) as [string, string];
    const { user, toggle, tiles } = await laidOut(kind, [other]);
    expect(tiles.filter((tile) => tile.getAttribute("aria-pressed") === "true").map(codeOf)).toEqual([other]);
    await user.click(tiles.find((tile) => codeOf(tile) === one)!);
    expect(toggle).toHaveBeenCalledExactlyOnceWith(one);
  });
});

describe("marks on the board", () => {
  const marks = [
    { stake: "1500.00", hasFallen: true },
    { stake: null, hasFallen: true },
  ];

  it.each(KINDS)("of %s say the stake, and which options fell", async (kind) => {
    const [one, other] = oddsOf(kind);
    const given = new Map([one!, other!].map(({ type }, place) => [type, marks[place]!]));
    show(
      <OptionBoard
        kind={kind}
        odds={oddsOf(kind)}
        chosen={[]}
        isCovered={false}
        marks={given}
        onToggle={() => undefined}
      />,
    );
    await screen.findAllByRole("button", {}, { timeout: 20_000 });
    const tile = (type: string) => document.querySelector(`[data-option="${type}"]`)!.textContent;
    expect(tile(one!.type)).toMatch(/1\.5K.*just came up.*your stake 1,500(?!\.)/);
    expect(tile(other!.type)).toMatch(/just came up/);
    expect(tile(other!.type)).not.toMatch(/your stake/);
    expect(document.querySelectorAll(".border-amber-bright")).toHaveLength(2);
  });
});

describe("dice on the board", () => {
  it("are drawn as their options say", async () => {
    await laidOut("dice-faces");
    expect(facesOn(button(/^Triple 5/))).toEqual([5, 5, 5]);
    expect(facesOn(button(/^Double 6/))).toEqual([6, 6]);
    expect(facesOn(button(/^2 and 4/))).toEqual([2, 4]);
  });

  it("show what a face pays on one, on two and on three of them", async () => {
    await laidOut("dice-faces");
    expect(button(/^Face 4/).textContent).toBe("Face 442.13%Once×22 times×33 times×13");
    expect(facesOn(button(/^Face 4/))).toEqual([4, 4, 4, 4, 4, 4, 4]);
  });

  it("are in sections with headings", async () => {
    await laidOut("dice-pair");
    const doubles = screen.getByRole("region", { name: "Doubles" });
    expect(within(doubles).getAllByRole("button")).toHaveLength(7);
    expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(3);
  });
});

describe("an unknown kind", () => {
  it("is shown by the names of its options, and its draws by their sum", async () => {
    const { tiles } = await laidOut(NEWER, [], oddsOf("dice-pair"));
    expect(tiles).toHaveLength(oddsOf("dice-pair").length);
    expect(button(/^Double 3/)).toBeTruthy();
    expect(wordsOf(NEWER, [1, 2, 3, 4])).toEqual({ sum: 10, marks: [] });
    expect(diceIn(NEWER)).toBe(1);
  });

  it("shows every rate of an option that pays by its number of hits", async () => {
    await laidOut(NEWER, [], oddsOf("dice-faces"));
    expect(button(/^Face 4/).textContent).toBe("Face 442.13%Once×22 times×33 times×13");
  });

  it("writes rates of a thousand and more as its language does", async () => {
    const odds = oddsOf("dice-pair").map((item) => ({ ...item, proportion: "1250.64", pays: ["1250.64"] }));
    await laidOut(NEWER, [], odds);
    expect(button(/^Double 3/).textContent).toContain(shownRate("1250.64"));
    expect(shownRate("1250.64")).toBe("×1,250.64");
  });
});

describe("a board without odds yet", () => {
  it("shows a placeholder of its shape", () => {
    show(
      <OptionBoard
        kind={KINDS[0]!}
        odds={undefined}
        chosen={[]}
        isCovered={false}
        marks={new Map()}
        onToggle={() => undefined}
      />,
    );
    expect(document.querySelector("[aria-busy]")).not.toBeNull();
    expect(screen.queryByRole("button")).toBeNull();
  });
});
