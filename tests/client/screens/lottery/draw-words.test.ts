import { expect, it } from "vitest";
import { wordsOf } from "#client/screens/lottery/boards.ts";
import { allDraws } from "#shared/lottery/dice.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";

/** The sum, if it is named, and the names without their prefixes. */
function labelsOf(kind: string, draw: number[]) {
  const { sum, marks } = wordsOf(kind, draw);
  const names = marks.map(({ key, values }) => [key.replace("option.", ""), ...Object.values(values ?? {})].join(" "));
  return [...(sum === null ? [] : [sum]), ...names];
}

it("three dice are named by their sum, its size and parity", () => {
  expect(labelsOf("dice-sum", [6, 5, 4])).toEqual([15, "big", "odd"]);
  expect(labelsOf("dice-sum", [2, 2, 2])).toEqual([6, "small", "even"]);
});

it("faces are named by how many are equal", () => {
  expect(labelsOf("dice-faces", [4, 4, 4])).toEqual(["triple 4"]);
  for (const draw of [
    [5, 5, 2],
    [5, 2, 5],
    [2, 5, 5],
  ])
    expect(labelsOf("dice-faces", draw)).toEqual(["double 5"]);
  expect(labelsOf("dice-faces", [1, 6, 3])).toEqual(["distinct"]);
});

it("two dice are named by their sum, and doubles too", () => {
  expect(labelsOf("dice-pair", [6, 5])).toEqual([11, "big", "odd"]);
  expect(labelsOf("dice-pair", [3, 4])).toEqual([7, "odd"]);
  expect(labelsOf("dice-pair", [2, 2])).toEqual([4, "small", "even", "double 2"]);
});

it("the name of a draw is what wins with it, in every draw of every kind", () => {
  for (const [kind, rules] of GAME_KINDS) {
    for (const draw of allDraws(rules.dice)) {
      const won = rules.options.filter((option) => option.times(draw) > 0).map(({ name }) => JSON.stringify(name));
      for (const { key, values } of wordsOf(kind, draw).marks) {
        expect(won, `${kind} ${draw.join()}`).toContain(JSON.stringify(values ? { key, values } : { key }));
      }
    }
  }
});
