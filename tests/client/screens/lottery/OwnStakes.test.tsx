// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { sitDown } from "../../../support/SeatedTable.tsx";
import { setStage } from "../../../support/Stage.tsx";

setStage();

const ROWS = ["Big", "Small"];
const row = (name: string) => within(screen.getByRole("group", { name }));
const step = (of: string, name: string) => row(of).getByRole<HTMLButtonElement>("button", { name });
const press = (of: string, name: string) => act(async () => step(of, name).click());
const stakes = () => ROWS.map((name) => row(name).getByRole<HTMLInputElement>("textbox", { name }).value);

/** Sits down with 100, puts 20 on Big and on Small, and chooses a stake for each. */
async function stakeEach() {
  const seat = await sitDown();
  for (const option of ["A", "B"]) await seat.send({ type: "toggle", option });
  await seat.send({ type: "stake", typed: "20" });
  await seat.send({ type: "each", on: true });
  return seat;
}

describe("the steps of an option's own stake", () => {
  it.each([
    ["½ Half the stake", "10"],
    ["×2 Twice the stake", "40"],
    ["50", "50"],
    ["1,000", "1000"],
    ["Max", "80"],
  ])("%s makes 20 %s, and leaves the other's", async (name, typed) => {
    await stakeEach();
    await press("Small", name);
    expect(stakes()).toEqual(["20", typed]);
  });

  it("say which amount is the stake, and halve and double none", async () => {
    const { send } = await stakeEach();
    await press("Big", "100");
    await send({ type: "stake", option: "B", typed: "" });
    const isPressed = (of: string) => step(of, "100").getAttribute("aria-pressed");
    expect(ROWS.map(isPressed)).toEqual(["true", "false"]);
    expect(["½ Half the stake", "×2 Twice the stake"].map((name) => step("Small", name).disabled)).toEqual([
      true,
      true,
    ]);
  });

  it("are undone one option at a time", async () => {
    const { user } = await stakeEach();
    await press("Big", "×2 Twice the stake");
    await press("Small", "50");
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(stakes()).toEqual(["40", "20"]);
  });

  it("are reached by the keyboard after their field, before the way out of the cart", async () => {
    const { user } = await stakeEach();
    row("Small").getByRole("textbox").focus();
    const names: (string | null)[] = [];
    for (let stop = 0; stop < 9; stop++) {
      await user.tab();
      names.push(document.activeElement!.getAttribute("aria-label") ?? document.activeElement!.textContent);
    }
    const quick = ["10", "50", "100", "500", "1,000"];
    expect(names).toEqual(["½ Half the stake", "×2 Twice the stake", ...quick, "Max", "Remove Small"]);
  });
});
