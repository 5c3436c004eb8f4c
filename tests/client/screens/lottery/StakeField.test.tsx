// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { StakeField } from "#client/screens/lottery/StakeField.tsx";
import { sitDown } from "../../../support/SeatedTable.tsx";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

const chip = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const press = (name: string) => act(async () => chip(name).click());

describe("the chips of a stake", () => {
  const showWith = (stake: string, most: number | null) => {
    const onStake = vi.fn<(typed: string) => void>();
    show(<StakeField stake={stake} isLocked={false} most={most} error={null} onStake={onStake} />);
    return onStake;
  };

  it.each([
    ["½ Half the stake", "12"],
    ["×2 Twice the stake", "50"],
    ["Max", "70"],
    ["1,000", "1000"],
  ])("%s makes 25, of 70 at hand, %s", async (name, typed) => {
    const onStake = showWith("25", 70);
    await press(name);
    expect(onStake.mock.calls).toEqual([[typed]]);
  });

  it("say which amount is the stake, and offer no stake of nothing", () => {
    showWith("100", 0);
    expect(["50", "100"].map((name) => chip(name).getAttribute("aria-pressed"))).toEqual(["false", "true"]);
    expect(chip("Max").disabled).toBe(true);
  });

  it("have nothing to halve or to double without a stake", () => {
    showWith("", 70);
    expect(["½ Half the stake", "×2 Twice the stake", "Max"].map((name) => chip(name).disabled)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("a missing stake", () => {
  const MISSING = "Please enter a stake for each option";
  const isWrong = (name: string) => screen.getByRole("textbox", { name }).getAttribute("aria-invalid") === "true";

  it("says so at its field once the bet is placed, and no more once it is typed", async () => {
    const { send } = await sitDown();
    await send({ type: "toggle", option: "A" });
    expect(screen.queryByText(MISSING)).toBeNull();
    await press("Place bet");
    expect(screen.getByText(MISSING)).toBeTruthy();
    await send({ type: "stake", typed: "5" });
    expect(screen.queryByText(MISSING)).toBeNull();
  });

  it("says so at its own field where each option has one", async () => {
    const { send } = await sitDown();
    for (const option of ["A", "B"]) await send({ type: "toggle", option });
    await send({ type: "each", on: true });
    await send({ type: "stake", option: "A", typed: "5" });
    await press("Place bet");
    expect([isWrong("Big"), isWrong("Small")]).toEqual([false, true]);
  });
});
