// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { withDraw, type OwnRound } from "#client/machines/own-round.ts";
import { RoundBets } from "#client/screens/lottery/RoundBets.tsx";
import { KIND, WAITING as waiting } from "../../../support/own-round.ts";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

const refunded: OwnRound = {
  ...waiting,
  win: "30.00",
  options: waiting.options.map((option) => ({ ...option, win: option.money })),
};

/** Each row as it is read, and the look of the last one. */
function rowsOf(own: OwnRound) {
  show(<RoundBets kind={KIND} own={own} />);
  const [, ...rows] = within(screen.getByRole("table")).getAllByRole("row");
  const warm = rows.at(-1)!.querySelector(".text-jade") !== null;
  return { rows: rows.map((row) => [...row.children].map(({ textContent }) => textContent)), warm };
}

describe("the bets of a round", () => {
  it("half won: one option came up, the other did not, and the net is above zero", () => {
    expect(rowsOf(withDraw(waiting, KIND, [6, 5, 4], "39.00"))).toEqual({
      rows: [
        ["Came upBig", "20", "39"],
        ["Did not come upSum 7", "10", "0"],
        ["Total", "30", "39"],
        ["Net", "+9"],
      ],
      warm: true,
    });
  });

  it("lost: what was staked is the net, in neutral words and colours", () => {
    expect(rowsOf(withDraw(waiting, KIND, [1, 1, 1], "0.00"))).toEqual({
      rows: [
        ["Did not come upBig", "20", "0"],
        ["Did not come upSum 7", "10", "0"],
        ["Total", "30", "0"],
        ["Net", "-30"],
      ],
      warm: false,
    });
    expect(document.querySelector(".bg-jade")).toBeNull();
  });

  it("a win that returns less than was staked is neutral too", () => {
    const own = withDraw({ ...waiting, money: "60.00" }, KIND, [6, 5, 4], "39.00");
    const { rows, warm } = rowsOf(own);
    expect([rows.at(-1), warm]).toEqual([["Net", "-21"], false]);
    expect(screen.getByText("Came up")).toBeTruthy();
    expect(document.querySelector(".bg-jade")).toBeNull();
  });

  it("refunded: the stakes came back, and no option is said to have come up or not", () => {
    expect(rowsOf(refunded)).toEqual({
      rows: [
        ["Big", "20", "20"],
        ["Sum 7", "10", "10"],
        ["Total", "30", "30"],
        ["Net", "0"],
      ],
      warm: false,
    });
    expect(screen.getByText("Your stakes were returned: this round will not be drawn.")).toBeTruthy();
  });

  it("waiting: what each can pay", () => {
    expect(rowsOf(waiting).rows).toEqual([
      ["Big", "20", "39"],
      ["Sum 7", "10", "136.80"],
    ]);
  });
});
