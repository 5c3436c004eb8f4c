import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMPTY_CART, ordersOf, problemOf, toggle, totalOf, typedStake, type Cart } from "#client/machines/cart.ts";
import { fromUnits, MAX_UNITS } from "#shared/money.ts";

const option = fc.constantFrom("3", "10", "18", "A", "B", "C", "D");
const options = fc.uniqueArray(option);
const cart = fc.record({ options, stake: fc.nat(MAX_UNITS).map(String) });

describe("toggling an option", () => {
  it("twice changes nothing but the order, and never the stake", () => {
    fc.assert(
      fc.property(cart, option, (before, one) => {
        const once = toggle(before, one);
        expect(once.options.includes(one)).toBe(!before.options.includes(one));
        const twice = toggle(once, one);
        expect([...twice.options].sort()).toEqual([...before.options].sort());
        expect([once.stake, twice.stake]).toEqual([before.stake, before.stake]);
      }),
    );
  });

  it("keeps each option once, in the order of choice", () => {
    fc.assert(
      fc.property(fc.array(option), (taps) => {
        const { options } = taps.reduce<Cart>(toggle, EMPTY_CART);
        const odd = taps.filter((one) => taps.filter((other) => other === one).length % 2 === 1);
        expect(options).toEqual([...new Set(odd.reverse())].reverse());
      }),
    );
  });
});

describe("a typed stake", () => {
  it.each([
    ["", ""],
    ["abc", ""],
    ["0", "0"],
    ["007", "7"],
    ["1 000", "1000"],
    ["-5", "5"],
    ["1.50", "150"],
    ["１２０", "120"],
    ["2000000000", "2000000000"],
    ["2000000001", "2000000000"],
    ["9".repeat(400), "2000000000"],
  ])("%j becomes %j", (typed, stake) => {
    expect(typedStake(typed)).toBe(stake);
  });

  it("is always a valid amount, or none, and typing it again changes nothing", () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const stake = typedStake(typed);
        expect(stake).toMatch(/^(|0|[1-9]\d{0,9})$/);
        expect(Number(stake)).toBeLessThanOrEqual(MAX_UNITS);
        expect(typedStake(stake)).toBe(stake);
      }),
    );
  });
});

describe("the cost of a cart", () => {
  it("is its stake on each of its options", () => {
    fc.assert(
      fc.property(cart, (one) => {
        expect(totalOf(one)).toBe(Number(one.stake) * 100 * one.options.length);
      }),
    );
    expect(totalOf({ options: ["A"], stake: "" })).toBe(0);
  });

  it("prevents placing it exactly when the balance does not cover it", () => {
    const filled = fc.record({
      options: fc.uniqueArray(option, { minLength: 1 }),
      stake: fc.integer({ min: 1, max: 1_000 }).map(String),
    });
    fc.assert(
      fc.property(filled, fc.nat(fromUnits(7_000)), (one, balance) => {
        expect(problemOf(one, balance)).toBe(totalOf(one) > balance ? "insufficient" : null);
        expect(problemOf(one, totalOf(one))).toBeNull();
        expect(problemOf(one, totalOf(one) - 1)).toBe("insufficient");
      }),
    );
  });

  it("is the same as that of its orders, which have each option once", () => {
    const each = fc.record({ options, stake: fc.nat(99).map(String), stakes: fc.dictionary(option, fc.constant("7")) });
    fc.assert(
      fc.property(each, (one) => {
        const orders = ordersOf(one);
        expect(orders.reduce((sum, order) => sum + totalOf(order), 0)).toBe(totalOf(one));
        expect(orders.flatMap((order) => order.options).toSorted()).toEqual([...one.options].toSorted());
        expect(new Set(orders.map(({ stake }) => stake)).size).toBe(orders.length);
      }),
    );
  });

  it("does not matter without an option or a stake", () => {
    expect(problemOf(EMPTY_CART, 0)).toBe("empty");
    expect(problemOf({ options: [], stake: "5" }, 0)).toBe("empty");
    for (const stake of ["", "0"]) expect(problemOf({ options: ["A"], stake }, 0)).toBe("amount");
  });
});
