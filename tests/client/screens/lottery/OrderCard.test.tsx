// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { OrderCard, type Order } from "#client/screens/lottery/OrderCard.tsx";
import { setStage, show, whereNow } from "../../../support/Stage.tsx";

setStage();

const option = (type: string, proportion: string, win: string | null) => ({
  expect: "20260302-0007",
  type,
  money: "10.00",
  proportion,
  win,
});
const WON: Order = {
  id: "bet_1",
  number: "B-1",
  odds: "0dd5".repeat(16),
  key: "k3-1m",
  kind: "dice-sum",
  ico: "/icons/k3.svg",
  name: "One minute",
  status: 1,
  status_text: "Won",
  opencode: [6, 5, 4],
  one: "A",
  two: "C",
  money: "11.00",
  win: "19.50",
  create_time: 1_772_409_600,
  update_time: 1_772_409_660,
  data: [option("7", "13.68", "0.00"), option("A", "1.95", "19.50")],
};
const LOST: Order = { ...WON, status: 2, status_text: "Not won", win: "0.00", data: [option("7", "13.68", "0.00")] };
const WAITING: Order = {
  ...WON,
  status: 0,
  status_text: "Waiting for the draw",
  opencode: null,
  one: null,
  two: null,
  win: null,
  data: [option("7", "13.68", null)],
};

const factsOf = () => screen.getAllByRole("term").map(({ textContent }) => textContent);

describe("an order", () => {
  it("that has won says so in green, with its dice and its win", () => {
    show(<OrderCard order={WON} />);
    expect(screen.getByText("Won").className).toContain("text-jade");
    expect(screen.getByRole("img", { name: "Dice 6, 5, 4, sum 15" })).toBeTruthy();
    expect(screen.getByText("+8.50").className).toContain("text-jade");
    expect(factsOf()).toEqual(["Stake", "Paid out", "Net", "Placed", "Settled", "Number"]);
    expect(screen.getByText("Round 20260302-0007")).toBeTruthy();
  });

  it("that got back no more than its stake is no win, in word or colour", () => {
    show(<OrderCard order={{ ...WON, money: "20.00", status_text: "Settled" }} />);
    expect(screen.getByText("-0.50")).toBeTruthy();
    expect(document.body.innerHTML).not.toMatch(/text-jade|Won|\+/);
  });

  it("that has not won is shown plainly", () => {
    show(<OrderCard order={LOST} />);
    expect(screen.getByText("Not won").className).not.toContain("text-jade");
    expect(screen.getAllByText("0").every(({ className }) => !className.includes("text-jade"))).toBe(true);
  });

  it("names the options of its kind, and the rate paid for a face", () => {
    const data = [option("5", "3", "30.00"), option("2-5", "6.84", "68.40"), option("double", "5.7", "0.00")];
    show(<OrderCard order={{ ...WON, kind: "dice-faces", opencode: [5, 2, 5], one: null, two: null, data }} />);
    const rows = within(screen.getByRole("group")).getAllByRole("listitem");
    expect(rows[0]!.textContent).toContain("Face 5pays ×3");
    expect(rows[1]!.textContent).toContain("2 and 5pays ×6.84");
    // Of an unknown kind, as an outdated page shows it.
    expect(rows[2]!.textContent).toContain("double");
    expect(screen.getByText("Double 5")).toBeTruthy();
  });

  it("shows no rate for a face that did not win, for it has several", () => {
    const data = [option("5", "3", "30.00"), option("1", "2", "0.00"), option("2-5", "6.84", "0.00")];
    const { change } = show(<OrderCard order={{ ...WON, kind: "dice-faces", opencode: [5, 2, 5], data }} />);
    const options = () => [...document.querySelectorAll("details li")].map(({ textContent }) => textContent);
    expect(options()).toEqual([
      "Face 5pays ×3Stake 10Paid out 30",
      "Face 1pays more the more times it showsStake 10Paid out 0",
      "2 and 5pays ×6.84Stake 10Paid out 0",
    ]);
    change(<OrderCard order={{ ...WAITING, kind: "dice-faces", data: [option("1", "2", null)] }} />);
    expect(options()).toEqual(["Face 1pays more the more times it showsStake 10"]);
  });

  it("that waits tumbles as many dice as its kind has", () => {
    show(<OrderCard order={{ ...WAITING, kind: "dice-pair" }} />);
    expect(screen.getByRole("img", { name: /not been drawn/ }).children).toHaveLength(2);
  });

  it("that waits shows tumbling dice, and nothing of a result", () => {
    show(<OrderCard order={WAITING} />);
    expect(screen.getByRole("img", { name: "The dice have not been drawn yet" })).toBeTruthy();
    expect(factsOf()).toEqual(["Stake", "Placed", "Number"]);
    expect(screen.queryByRole("link", { name: /Check this draw/ })).toBeNull();
    expect(screen.getByRole("link", { name: /Proof of this bet/ }).getAttribute("href")).toBe("/Proof?order=bet_1");
  });

  it("expands to its options, each with its odds and its win", async () => {
    const { user } = show(<OrderCard order={WON} />);
    const details = screen.getByText("Options").closest("details")!;
    expect(details.open).toBe(false);
    await user.click(screen.getByText("Options"));
    expect(details.open).toBe(true);
    const rows = within(details).getAllByRole("listitem");
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      "Sum 7pays ×13.68Stake 10Paid out 0",
      "Bigpays ×1.95Stake 10Paid out 19.50",
    ]);
  });

  it("leads to the check of its draw", async () => {
    const { user } = show(<OrderCard order={WON} />);
    await user.click(screen.getByRole("link", { name: /Check this draw/ }));
    expect(whereNow()).toBe("/Fair?key=k3-1m&expect=20260302-0007");
  });

  it("lets its dice roll for a member who saw it wait, and for no other", () => {
    const isRolling = () => screen.getByRole("img", { name: /^Dice 6/ }).innerHTML.includes("animate-roll");
    const { change, unmount } = show(<OrderCard order={WAITING} />);
    change(<OrderCard order={WON} />);
    expect(isRolling()).toBe(true);
    unmount();
    show(<OrderCard order={WON} />);
    expect(isRolling()).toBe(false);
  });
});
