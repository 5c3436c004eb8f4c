// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { boardOf } from "#client/screens/lottery/boards.ts";
import { examplesOf } from "#client/screens/lottery/Example.tsx";
import { HowToPlay } from "#client/screens/lottery/HowToPlay.tsx";
import { oddsRows } from "#client/screens/lottery/odds-rows.ts";
import { GAME_KINDS, rulesOf } from "#shared/lottery/games.ts";
import { showLanguage } from "#client/text/i18n.ts";
import { oddsOf } from "../../../support/odds-of.ts";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

const rowsOf = (kind: string) => {
  show(<HowToPlay beacon="none" kind={kind} odds={oddsOf(kind)} isOpen onClose={() => undefined} />);
  const [, ...rows] = within(screen.getByRole("table")).getAllByRole("row");
  return rows.map((row) => [...row.children].map(({ textContent }) => textContent));
};

describe("the rules of a kind", () => {
  it("say how it is drawn, and what is the same once", () => {
    expect(rowsOf("dice-faces")).toEqual([
      ["One face", "Once×22 times×33 times×13", "42.13%", "96.3%"],
      ["Two faces", "×6.84", "13.89%", "95%"],
      ["Doubles", "×12.825", "7.41%", "95%"],
      ["Triples", "×205.2", "0.46%", "95%"],
      ["Any triple", "×34.2", "2.78%", "95%"],
      ["Three different", "×1.755", "55.56%", "97.5%"],
    ]);
    expect(screen.getByText(/^Three dice are drawn each round; their order does not matter/)).toBeTruthy();
  });

  it("name options with the same terms together, in the order of the board", () => {
    const rows = rowsOf("dice-sum");
    expect(rows[0]).toEqual(["Big, Small, Odd, Even", "×1.95", "50%", "97.5%"]);
    expect(rows[1]).toEqual(["Sum 3, Sum 18", "×205.2", "0.46%", "95%"]);
    expect(rows).toHaveLength(9);
  });

  it("join the names of options as the language does", async () => {
    await act(() => showLanguage("ja_ja"));
    expect(rowsOf("dice-sum")[0]![0]).toBe("Big、Small、Odd、Even");
    await act(() => showLanguage("en_us"));
  });

  it.each([...GAME_KINDS.keys()])("leave out no option of %s", (kind) => {
    const types = oddsRows(oddsOf(kind), []).flatMap(({ items }) => items.map(({ type }) => type));
    expect(types.sort()).toEqual(
      oddsOf(kind)
        .map(({ type }) => type)
        .sort(),
    );
  });

  it("keep options apart that have different odds", () => {
    const odds = oddsOf("dice-faces").map((item) => (item.type === "3-3" ? { ...item, pays: ["12"] } : item));
    const doubles = oddsRows(odds, []).filter(({ group }) => group === "doubles");
    expect(doubles.map(({ items }) => items.length)).toEqual([5, 1]);
  });

  it.each([
    ["KRW", true],
    ["EUR", false],
    ["point", false],
  ])("say in %s whether payouts are rounded down to whole units: %s", (unit, isSaid) => {
    show(<HowToPlay beacon="none" kind="dice-sum" odds={oddsOf("dice-sum")} isOpen onClose={() => undefined} />, {
      site: { unit },
    });
    expect(screen.queryByText(/rounded down to whole units/) !== null).toBe(isSaid);
  });

  it.each([
    ["none", /key could know a result before the draw.*picked one of many sets.*cannot change a result/, /drand/],
    [
      "drand",
      /drand signs only after the planned close of betting.*nobody can know a result.*only the house says so/,
      /could know a result before/,
    ],
  ] as const)("promise under the beacon %s what it gives, and no more", (beacon, promised, other) => {
    show(<HowToPlay beacon={beacon} kind="dice-sum" odds={oddsOf("dice-sum")} isOpen onClose={() => undefined} />);
    expect(screen.getByText(promised)).toBeTruthy();
    expect(screen.queryByText(other)).toBeNull();
  });

  it("of an unknown kind are its odds alone", () => {
    show(
      <HowToPlay beacon="none" kind="a-kind-of-tomorrow" odds={oddsOf("dice-pair")} isOpen onClose={() => undefined} />,
    );
    expect(screen.getByRole("row", { name: /^Sum 7/ })).toBeTruthy();
    expect(screen.queryByText(/A stake of 100/)).toBeNull();
  });
});

describe.each([...GAME_KINDS.keys()])("the examples of %s", (kind) => {
  const examples = examplesOf(kind, oddsOf(kind));

  it("are the likeliest option of each group, with a draw for each of its rates", () => {
    expect(examples.map(({ item }) => item.group)).toEqual(boardOf(kind).groups);
    for (const { item, draws } of examples) {
      const option = rulesOf(kind).options.find(({ type }) => type === item.type)!;
      expect(draws.map((draw) => option.times(draw))).toEqual(item.pays.map((_, place) => place + 1));
      const others = oddsOf(kind).filter(({ group }) => group === item.group);
      expect(item.probability).toBe(Math.max(...others.map(({ probability }) => probability)));
    }
  });
});

describe("an example", () => {
  it.each([
    ["point", "A stake of 100 pays 205.20, the stake included."],
    ["KRW", "A stake of ₩100 pays ₩205, the stake included."],
  ])("says in %s what is paid, the stake included, as the unit can pay it", (unit, said) => {
    const odds = oddsOf("dice-pair").map((item) => ({ ...item, pays: ["2.052"] }));
    show(<HowToPlay beacon="none" kind="dice-pair" odds={odds} isOpen onClose={() => undefined} />, { site: { unit } });
    expect(screen.getAllByText(said)).toHaveLength(boardOf("dice-pair").groups.length);
  });
});
