// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { HeartPicker } from "#client/components/HeartPicker.tsx";
import { Hearts } from "#client/components/Hearts.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

const widths = (container: Element) =>
  [...container.querySelectorAll<HTMLElement>("[style*=width]")].map(({ style }) => style.width);

describe("hearts", () => {
  it("are six, filled to their average, and read out as a number", () => {
    const { container } = show(<Hearts value={2.5} />);
    const hearts = screen.getByRole("img", { name: "2.5 of 6 hearts" });
    expect(hearts.children).toHaveLength(6);
    expect(widths(container)).toEqual(["100%", "100%", "50%"]);
  });

  it("can all be empty, and all be full", () => {
    const { container, change } = show(<Hearts value={0} />);
    expect(widths(container)).toEqual([]);
    change(<Hearts value={6} />);
    expect(widths(container)).toEqual(Array(6).fill("100%"));
  });
});

function Picking() {
  const [hearts, pick] = useState(0);
  return (
    <>
      <HeartPicker value={hearts} onPick={pick} />
      <output>{hearts}</output>
    </>
  );
}
const heart = (hearts: number) => screen.getByRole<HTMLInputElement>("radio", { name: `${hearts} of 6 hearts` });

describe("giving hearts", () => {
  it("begins with none", () => {
    show(<Picking />);
    expect(screen.getAllByRole<HTMLInputElement>("radio").map(({ checked }) => checked)).toEqual(Array(6).fill(false));
  });

  it("is a tap on the last one, and can be changed", async () => {
    const { user, container } = show(<Picking />);
    await user.click(heart(4));
    expect(screen.getByRole("status").textContent).toBe("4");
    expect(container.querySelectorAll(".fill-brand")).toHaveLength(4);
    await user.click(heart(2));
    expect([heart(2).checked, heart(4).checked]).toEqual([true, false]);
    expect(container.querySelectorAll(".fill-brand")).toHaveLength(2);
  });
});
