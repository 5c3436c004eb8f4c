import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sectorsOf, stopAngle } from "#client/machines/wheel-sectors.ts";

const prize = (id: string, probability: number) => ({ id, probability });

/** The sector at the top of a wheel that was turned so far clockwise. */
const atTop = (sectors: ReturnType<typeof sectorsOf>, angle: number) => {
  const place = (360 - (angle % 360)) % 360;
  return sectors.find(({ from, to }) => from <= place && place < to)?.prize.id;
};

describe("the sectors of the wheel", () => {
  it("are as wide as their chances, one after the other from the top", () => {
    const sectors = sectorsOf([prize("a", 0.5), prize("b", 0.25), prize("c", 0.25)]);
    expect(sectors.map(({ from, to }) => [from, to])).toEqual([
      [0, 180],
      [180, 270],
      [270, 360],
    ]);
  });

  it("fill the wheel, whatever the chances add up to", () => {
    expect(sectorsOf([prize("a", 0.2), prize("b", 0.2)]).at(-1)!.to).toBeCloseTo(360);
  });
});

describe("the wheel's stop", () => {
  it("has the prize at the top, after five full turns a spin", () => {
    const weights = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(weights, fc.nat(), fc.integer({ min: 1, max: 50 }), (all, which, turns) => {
        const whole = all.reduce((sum, weight) => sum + weight, 0);
        const sectors = sectorsOf(all.map((weight, place) => prize(`p${place}`, weight / whole)));
        const id = `p${which % all.length}`;
        const angle = stopAngle(sectors, id, turns)!;
        expect(atTop(sectors, angle)).toBe(id);
        expect([Math.floor(angle / 1_800), angle >= 1_800 * turns, angle <= 1_800 * turns + 360]).toEqual([
          turns,
          true,
          true,
        ]);
      }),
    );
  });

  it("is undefined for a prize that is not on it", () => {
    expect(stopAngle(sectorsOf([prize("a", 1)]), "b", 1)).toBeNull();
  });
});
