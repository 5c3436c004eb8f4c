// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { recomputeDraw, type Recomputed } from "#client/machines/recompute-draw.ts";
import { DrawSteps } from "#client/screens/lottery/DrawSteps.tsx";
import { DrawVerdict } from "#client/screens/lottery/DrawVerdict.tsx";
import { bytesToHex } from "@noble/hashes/utils.js";
import { rulesOf } from "#shared/lottery/games.ts";
import { chainOfDay, commitOf, drawOf, seedOf, type DrawnRound } from "#shared/lottery/fairness.ts";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

const chain = chainOfDay(new Uint8Array(32).fill(7), 3);
const hex = (index: number) => bytesToHex(seedOf(chain, index));
const genuine: DrawnRound = {
  gameKey: "k3-1m",
  kind: "dice-sum",
  round: "20260302-0003",
  index: 3,
  commit: commitOf(seedOf(chain, 3)),
  seed: hex(3),
  beacon: "",
  dice: drawOf(rulesOf("dice-sum"), seedOf(chain, 3), { gameKey: "k3-1m", round: "20260302-0003", beacon: "" }),
  anchor: hex(0),
};

/** The round as the server sends it. */
function roundOf({ gameKey, round, index, commit, seed, beacon, dice, anchor }: DrawnRound, isDrawn = true) {
  const opencode = isDrawn ? [...dice] : null;
  return {
    key: gameKey,
    kind: "dice-sum",
    expect: round,
    index,
    commit,
    seed: isDrawn ? seed : null,
    beacon,
    opencode,
    anchor,
  };
}

function checked(drawn: DrawnRound, recomputed: Recomputed | undefined) {
  show(
    <>
      <DrawVerdict round={roundOf(drawn)} recomputed={recomputed} />
      <DrawSteps round={roundOf(drawn)} drawn={drawn} recomputed={recomputed} />
    </>,
  );
  const steps = screen.getAllByRole("heading", { level: 2 }).map((title) => title.closest("li")!);
  const marks = steps.map((step) => /Matches|Does not match|Checking/.exec(step.textContent)?.[0]);
  return { steps, marks, verdict: screen.getByRole("status").textContent };
}

describe("the steps of a check", () => {
  it("all match for a genuine draw, and the verdict says so", async () => {
    const { marks, verdict } = checked(genuine, await recomputeDraw(genuine, async () => {}));
    expect(marks).toEqual(["Matches", "Matches", "Matches", "Matches"]);
    expect(verdict).toBe("This draw is genuine");
  });

  it("show which of them fails, and so does the verdict", async () => {
    const forged = { ...genuine, anchor: hex(1) };
    const { marks, verdict } = checked(forged, await recomputeDraw(forged, async () => {}));
    expect(marks).toEqual(["Matches", "Matches", "Does not match", "Matches"]);
    expect(verdict).toContain("This draw does not check out");
    expect(verdict).toContain("keep the numbers");
  });

  it("mark a broken commitment at the seed and at the commitment", async () => {
    const forged = { ...genuine, commit: hex(1) };
    const { marks } = checked(forged, await recomputeDraw(forged, async () => {}));
    expect(marks).toEqual(["Does not match", "Does not match", "Matches", "Matches"]);
  });

  it("show published values beside those computed here", async () => {
    const other = { ...genuine, dice: [1, 1, 1], anchor: hex(1), commit: hex(2) };
    const { steps } = checked(other, await recomputeDraw(other, async () => {}));
    expect(steps[1]!.textContent).toContain(genuine.commit);
    expect(steps[2]!.textContent).toContain(hex(1));
    expect(steps[2]!.textContent).toContain(hex(0));
    const dice = within(steps[3]!).getAllByRole("img");
    expect(dice.map((one) => one.getAttribute("aria-label")!.replace(/, sum.*/, ""))).toEqual([
      `Dice ${genuine.dice.join(", ")}`,
      "Dice 1, 1, 1",
    ]);
  });

  it("say that they are being checked until they are", () => {
    const { marks, verdict } = checked(genuine, undefined);
    expect(marks).toEqual(["Checking", "Checking", "Checking", "Checking"]);
    expect(verdict).toBe("Checking…");
  });
});

describe("a round that is not drawn", () => {
  it("shows its commitment and waits", () => {
    const round = roundOf(genuine, false);
    show(
      <>
        <DrawVerdict round={round} recomputed={undefined} />
        <DrawSteps round={round} drawn={null} recomputed={undefined} />
      </>,
    );
    expect(screen.getByRole("status").textContent).toContain("has not been drawn yet");
    expect(screen.getAllByRole("listitem")).toHaveLength(1);
    expect(screen.getByText(genuine.commit)).toBeTruthy();
    expect(screen.queryByText(/Matches|Checking/)).toBeNull();
  });
});
