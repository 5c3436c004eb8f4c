import { describe, expect, it } from "vitest";
import { fallen, mostPaid, netOf, payingOfCart, withDraw } from "#client/machines/own-round.ts";
import { oddsOf } from "../../support/odds-of.ts";
import { KIND, WAITING as own } from "../../support/own-round.ts";

describe("the most that one draw pays", () => {
  it("counts options that can fall together, and no others", () => {
    const paying = (...types: string[]) => types.map((type) => ({ type, pays: [100] }));
    expect(mostPaid(KIND, paying("A", "B"))).toBe(100);
    expect(mostPaid(KIND, paying("A", "C"))).toBe(200);
    expect(mostPaid(KIND, paying("A", "C", "7", "11"))).toBe(300);
    expect(mostPaid(KIND, [])).toBe(0);
  });

  it("takes an option that falls several times at the rate of that count", () => {
    const five = { type: "5", pays: [20, 30, 130] };
    expect(mostPaid("dice-faces", [five])).toBe(130);
    expect(mostPaid("dice-faces", [five, { type: "1", pays: [20, 30, 130] }])).toBe(130);
  });

  it("is unknown for a kind that is newer than this page", () => {
    expect(mostPaid("a-kind-of-tomorrow", [])).toBeNull();
    expect(fallen("a-kind-of-tomorrow", [1]).size).toBe(0);
  });
});

describe("a cart", () => {
  it("pays its stake at the rates of the board, each rounded down to what the unit can pay", () => {
    const cart = { options: ["A", "7"], stake: "1" };
    expect(payingOfCart(cart, oddsOf(KIND), 1)).toEqual([
      { type: "7", pays: [1_368] },
      { type: "A", pays: [195] },
    ]);
    expect(payingOfCart(cart, oddsOf(KIND), 100).map(({ pays }) => pays)).toEqual([[1_300], [100]]);
    expect(payingOfCart({ ...cart, stake: "" }, oddsOf(KIND), 1).map(({ pays }) => pays)).toEqual([[0], [0]]);
  });
});

describe("a round's result", () => {
  it("is known by option from its draw, with the net of the whole", () => {
    expect(netOf(own)).toBeNull();
    const drawn = withDraw(own, KIND, [6, 5, 4], "39.00");
    expect(drawn).toMatchObject({ opencode: [6, 5, 4], win: "39.00", options: [{ win: "39.00" }, { win: "0.00" }] });
    expect(netOf(drawn)).toBe(900);
    expect(netOf(withDraw(own, KIND, [1, 1, 1], "0.00"))).toBe(-3_000);
  });
});
