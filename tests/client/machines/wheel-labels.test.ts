import { describe, expect, it } from "vitest";
import { labelsOf } from "#client/machines/wheel-labels.ts";

/** Sectors of these widths, one after another. */
function sectors(...degrees: number[]) {
  let at = 0;
  return degrees.map((wide) => ({ from: at, to: (at += wide) }));
}

describe("a prize on the wheel", () => {
  it("is written across a wide sector, along a narrow one, and is a pin on a very narrow one", () => {
    const kinds = labelsOf(sectors(200, 60, 40, 39, 14, 5, 2)).map(({ kind }) => kind);
    expect(kinds).toEqual(["across", "across", "across", "along", "along", "pin", "pin"]);
  });

  it("is in the middle of its sector", () => {
    expect(labelsOf(sectors(100, 60, 200)).map(({ middle }) => middle)).toEqual([50, 130, 260]);
  });

  it("has no more room than its sector, and none beyond the wheel's", () => {
    const [wide, narrow, along] = labelsOf(sectors(200, 40, 30, 90));
    expect(wide).toMatchObject({ width: 104 });
    expect((narrow as { width: number }).width).toBeCloseTo(57.46, 1);
    expect(along).toMatchObject({ kind: "along", lines: 2, hasPicture: true });
    expect(labelsOf(sectors(12))[0]).toMatchObject({ lines: 1, hasPicture: false });
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
