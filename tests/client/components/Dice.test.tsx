// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Dice, TumblingDice } from "#client/components/Dice.tsx";
import { showLanguage } from "#client/text/i18n.ts";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

const faces = () => [...screen.getByRole("img").querySelectorAll("svg")];
const pips = (svg: Element) => [...svg.querySelectorAll("circle")];

describe("dice", () => {
  it("are read out by their faces and their sum", () => {
    show(<Dice dice={[2, 6, 6]} />);
    expect(screen.getByRole("img", { name: "Dice 2, 6, 6, sum 14" })).toBeTruthy();
  });

  it("are read out as a list of the language", async () => {
    await showLanguage("ja_ja");
    show(<Dice dice={[2, 6, 6]} />);
    expect(screen.getByRole("img").getAttribute("aria-label")).toContain("2、6、6");
    await showLanguage("en_us");
  });

  it("show as many pips as their face says", () => {
    show(<Dice dice={[1, 2, 3, 4, 5, 6]} />);
    expect(faces().map((face) => pips(face).length)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("have every pip in its own place, inside the die", () => {
    show(<Dice dice={[1, 2, 3, 4, 5, 6]} />);
    for (const face of faces()) {
      const places = pips(face).map((pip) => [Number(pip.getAttribute("cx")), Number(pip.getAttribute("cy"))]);
      expect(new Set(places.map(String)).size).toBe(places.length);
      expect(places.flat().every((place) => place > 10 && place < 90)).toBe(true);
    }
  });

  it("have red pips on one and four alone", () => {
    show(<Dice dice={[1, 2, 3, 4, 5, 6]} />);
    const red = faces().map((face) => pips(face).every((pip) => pip.getAttribute("class") === "fill-pip-red"));
    expect(red).toEqual([true, false, false, true, false, false]);
  });

  it("roll when they are drawn, and lie still otherwise", () => {
    const { change } = show(<Dice dice={[1, 2, 3]} />);
    const rolling = () => faces().filter((face) => face.classList.contains("animate-roll")).length;
    expect(rolling()).toBe(0);
    change(<Dice dice={[1, 2, 3]} isRolling />);
    expect(rolling()).toBe(3);
  });

  it("have the given size", () => {
    show(<Dice dice={[5]} size={52} />);
    expect(faces()[0]!.getAttribute("width")).toBe("52");
  });
});

describe("dice that are not drawn yet", () => {
  it("say so, tumble, and show no result", () => {
    const { change } = show(<TumblingDice count={3} />);
    const waiting = screen.getByRole("img", { name: "The dice have not been drawn yet" });
    expect(waiting.textContent).toBe("");
    expect(faces().map((face) => face.classList.contains("animate-tumble"))).toEqual([true, true, true]);
    change(<TumblingDice count={2} />);
    expect(faces()).toHaveLength(2);
  });
});
