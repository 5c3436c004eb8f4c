import { describe, expect, it } from "vitest";
import { labelsOf } from "#client/machines/wheel-labels.ts";

/** Sectors of these widths, one after another. */
function sectors(...degrees: number[]) {
  let at = 0;
  return degrees.map((wide) => ({ from: at, to: (at += wide) }));
}

describe("a prize on the wheel", () => {
  it("is written along the radius, and is a pin on a very narrow sector", () => {
    const kinds = labelsOf(sectors(200, 60, 40, 30, 14, 10, 4, 2)).map(({ kind }) => kind);
    expect(kinds).toEqual(["along", "along", "along", "along", "along", "along", "pin", "pin"]);
  });

  it("is in the middle of its sector", () => {
    expect(labelsOf(sectors(100, 60, 200)).map(({ middle }) => middle)).toEqual([50, 130, 260]);
  });

  it("has no more lines than its sector has room for, and three at the most", () => {
    const lines = labelsOf(sectors(200, 40, 21, 12)).map((label) => label.kind === "along" && label.lines);
    expect(lines).toEqual([3, 3, 2, 1]);
    const pictures = labelsOf(sectors(14, 13)).map((label) => label.kind === "along" && label.hasPicture);
    expect(pictures).toEqual([true, false]);
  });

  it("reads along the radius without being upside down, on either side", () => {
    const flips = labelsOf(sectors(...Array.from({ length: 12 }, () => 30))).map(
      (label) => "isFlipped" in label && label.isFlipped,
    );
    expect(flips).toEqual([...Array.from({ length: 6 }, () => false), ...Array.from({ length: 6 }, () => true)]);
  });

  it("as a pin is at another depth than the pins beside it", () => {
    const depths = labelsOf(sectors(2, 2, 2, 2, 50, 2)).map((label) => (label.kind === "pin" ? label.depth : null));
    expect(depths).toEqual([0, 1, 2, 0, null, 0]);
  });
});
