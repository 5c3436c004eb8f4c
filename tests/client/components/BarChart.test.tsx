// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { BarChart } from "#client/components/BarChart.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

const bars = (fill: string) =>
  [...document.querySelectorAll(`[role="img"] .${fill}`)].map((bar) =>
    ["x", "height"].map((name) => Number(bar.getAttribute(name))),
  );
const draw = (first: number[], second: number[]) =>
  show(
    <BarChart
      label="Both of them"
      columns={["Mon", "Tue", "Wed"]}
      series={[
        { name: "In", total: "30", fill: "fill-brand", values: first },
        { name: "Out", total: "12", fill: "fill-jade", values: second },
      ]}
      format={(value) => `up to ${value}`}
    />,
  );

describe("bars", () => {
  it("stand side by side on one scale, and the highest fills it", () => {
    draw([10, 0, 20], [5, 0, 7]);
    expect(bars("fill-brand").map(([, height]) => height)).toEqual([50, 100]);
    expect(bars("fill-jade").map(([, height]) => height)).toEqual([25, 35]);
    const [[left], [right]] = [bars("fill-brand")[0]!, bars("fill-jade")[0]!];
    expect(right).toBeGreaterThan(left!);
    screen.getByText("up to 20");
  });

  it("are visible however small, and absent for zero", () => {
    draw([1_000_000, 1, 0], [0, 0, 0]);
    expect(bars("fill-brand")[1]![1]).toBeGreaterThan(1);
    expect(bars("fill-brand")).toHaveLength(2);
    expect(bars("fill-jade")).toEqual([]);
  });

  it("of zeros alone are an empty scale", () => {
    draw([0, 0, 0], [0, 0, 0]);
    expect(document.querySelectorAll('[role="img"] rect')).toHaveLength(0);
    screen.getByText("up to 0");
  });

  it("have a name for screen readers, and each row of them its own", () => {
    draw([1], [2]);
    screen.getByRole("img", { name: "Both of them" });
    expect(document.querySelector("figcaption")!.textContent).toBe("In30Out12");
  });
});
