// @vitest-environment happy-dom
import { cleanup, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { recomputeDraw, type Recomputed } from "#client/machines/recompute-draw.ts";
import { DrawSteps, MissedSteps } from "#client/screens/lottery/DrawSteps.tsx";
import { DrawVerdict } from "#client/screens/lottery/DrawVerdict.tsx";
import type { ComponentProps } from "react";
import { bytesToHex } from "@noble/hashes/utils.js";
import { rulesOf } from "#shared/lottery/games.ts";
import { chainOfDay, commitOf, drawOf, seedOf, type DrawnRound } from "#shared/lottery/fairness.ts";
import { oddsRecord } from "#shared/lottery/odds-record.ts";
import { drandMode, QUICKNET } from "#shared/lottery/beacon.ts";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { QUICKNET_1000 } from "../../../support/drand-relay.ts";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

const chain = chainOfDay(new Uint8Array(32).fill(7), 3);
const hex = (index: number) => bytesToHex(seedOf(chain, index));
const ODDS = oddsRecord(rulesOf("dice-sum"), rulesOf("dice-sum").odds, {
  game: "k3-1m",
  id: "1",
  period: 60,
  close: 3,
  unit: "point",
  from: 0,
});
const genuine: DrawnRound & { odds: typeof ODDS } = {
  gameKey: "k3-1m",
  kind: "dice-sum",
  round: "20260302-0003",
  index: 3,
  commit: commitOf(seedOf(chain, 3)),
  seed: hex(3),
  rule: "none",
  beacon: "",
  signature: "",
  closes: Date.UTC(2026, 2, 2, 0, 2, 57),
  due: Date.UTC(2026, 2, 2, 0, 3),
  dice: drawOf(rulesOf("dice-sum"), seedOf(chain, 3), {
    gameKey: "k3-1m",
    round: "20260302-0003",
    rule: "none",
    beacon: "",
  }),
  anchor: hex(0),
  odds: ODDS,
};

const DUE = Date.UTC(2026, 2, 2, 0, 3);

/** The round as the server sends it. */
function roundOf(drawn: typeof genuine, isDrawn = true) {
  const { gameKey, round, index, commit, seed, rule, beacon, signature, closes, dice, anchor, odds } = drawn;
  const opencode = isDrawn ? [...dice] : null;
  return {
    key: gameKey,
    kind: "dice-sum",
    expect: round,
    index,
    commit,
    seed: isDrawn ? seed : null,
    rule,
    beacon,
    beacon_signature: signature,
    closes,
    opencode,
    anchor,
    odds,
    due: DUE,
    drawn: isDrawn ? DUE + 40 : null,
    refunded: null,
    gap: null,
    logged: { open: 1, anchor: 0 },
  };
}

const LOGGED = { isPauseTold: undefined, age: "week", isOpeningProven: true } as const;

function checked(
  drawn: typeof genuine,
  recomputed: Recomputed | undefined,
  more: Partial<ComponentProps<typeof DrawVerdict>> = {},
) {
  show(
    <>
      <DrawVerdict round={roundOf(drawn)} recomputed={recomputed} {...LOGGED} {...more} />
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
    expect(marks).toEqual(["Matches", "Matches", "Matches", "Matches", "Matches"]);
    expect(verdict).toBe("This draw checks out");
  });

  it.each([
    ["young", "entered the log less than a week"],
    ["unproved", "has not found the anchor"],
  ] as const)("call no draw known for a week whose anchor is %s", async (age, says) => {
    const { verdict } = checked(genuine, await recomputeDraw(genuine, async () => {}), { age });
    expect(verdict).toContain("The numbers match");
    expect(verdict).toContain(says);
    expect(screen.getByRole("status").parentElement!.className).not.toContain("jade");
  });

  it("claim no more than that the numbers match while the log is not asked yet", async () => {
    const recomputed = await recomputeDraw(genuine, async () => {});
    for (const unknown of [{ age: undefined }, { isOpeningProven: undefined }]) {
      show(<DrawVerdict round={roundOf(genuine)} recomputed={recomputed} {...LOGGED} {...unknown} />);
      expect(screen.getByRole("status").textContent).toBe("The numbers match");
      cleanup();
    }
  });

  it("call no draw genuine whose opening the log does not show", async () => {
    const { verdict } = checked(genuine, await recomputeDraw(genuine, async () => {}), { isOpeningProven: false });
    expect(verdict).toContain("The numbers match");
    expect(verdict).toContain("has not found in the log what this round opened with");
    expect(screen.getByRole("status").parentElement!.className).not.toContain("jade");
  });

  it("show which of them fails, and so does the verdict", async () => {
    const forged = { ...genuine, anchor: hex(1) };
    const { marks, verdict } = checked(forged, await recomputeDraw(forged, async () => {}));
    expect(marks).toEqual(["Matches", "Matches", "Does not match", "Matches", "Matches"]);
    expect(verdict).toContain("This draw does not check out");
    expect(verdict).toContain("keep the numbers");
  });

  it.each([
    ["a beacon", { beacon: "chosen" }],
    ["a rule that this page does not know", { rule: "drand:quicknet:1000" }],
  ])("call no draw genuine that shows %s, and say why", async (_, shown) => {
    const forged = { ...genuine, ...shown };
    const { marks, steps, verdict } = checked(forged, await recomputeDraw(forged, async () => {}));
    expect(marks).toEqual(["Matches", "Matches", "Matches", "Does not match", "Matches"]);
    expect(verdict).toContain("This draw does not check out");
    expect(steps[3]!.textContent).toContain("This round shows a beacon that its rule does not allow.");
    expect(steps[3]!.textContent).toContain("the text “k3-1m:20260302-0003:”");
  });

  it("check the signature of drand's beacon, and name the round that it must be", async () => {
    const rule = `${drandMode(QUICKNET)}:1000`;
    const { signature, randomness: beacon, signedAt } = QUICKNET_1000;
    const times = { closes: signedAt - 4_000, due: signedAt + 36_000 };
    const place = { gameKey: "k3-1m", round: "20260302-0003", rule, beacon };
    const mixed = { ...genuine, ...times, rule, beacon, signature };
    const drawn = { ...mixed, dice: drawOf(rulesOf("dice-sum"), seedOf(chain, 3), place) };
    const { marks, steps } = checked(drawn, await recomputeDraw(drawn, async () => {}, QUICKNET_BEACONS));
    expect(marks).toEqual(["Matches", "Matches", "Matches", "Matches", "Matches"]);
    expect(steps[3]!.textContent).toContain(signature);
    expect(steps[3]!.textContent).toContain("number 1000 of drand’s chain quicknet");
    expect(steps[3]!.textContent).not.toContain("could know a result before");
    cleanup();
    const late = { ...drawn, closes: signedAt + 1, due: signedAt + 60_000 };
    expect((await recomputeDraw(late, async () => {}, QUICKNET_BEACONS)).failed).toEqual(["beacon"]);
    const unchecked = checked(drawn, await recomputeDraw(drawn, async () => {}));
    expect(unchecked.marks[3]).toBe("Does not match");
  });

  it("promise of a draw without a beacon what is so, and no more", async () => {
    const { steps } = checked(genuine, await recomputeDraw(genuine, async () => {}));
    expect(steps[3]!.textContent).toContain("could know a result before the draw");
    expect(steps[3]!.textContent).toContain("picked one of many sets");
    expect(steps[3]!.textContent).not.toContain("beacon that its rule");
  });

  it("mark a broken commitment at the seed and at the commitment", async () => {
    const forged = { ...genuine, commit: hex(1) };
    const { marks } = checked(forged, await recomputeDraw(forged, async () => {}));
    expect(marks).toEqual(["Does not match", "Does not match", "Matches", "Matches", "Matches"]);
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
    expect(marks).toEqual(["Checking", "Checking", "Checking", "Checking", "Matches"]);
    expect(verdict).toBe("Checking…");
  });
});

describe("a round that is not drawn", () => {
  it("shows its commitment and waits", () => {
    const round = roundOf(genuine, false);
    show(
      <>
        <DrawVerdict round={round} recomputed={undefined} {...LOGGED} />
        <DrawSteps round={round} drawn={null} recomputed={undefined} />
      </>,
    );
    expect(screen.getByRole("status").textContent).toContain("has not been drawn yet");
    expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(2);
    expect(screen.getByText(genuine.commit)).toBeTruthy();
    expect(screen.getAllByText(ODDS.hash)).toHaveLength(2);
    expect(screen.queryByText("Checking")).toBeNull();
  });
});

describe("the odds of a round", () => {
  it.each([
    ["another hash", { ...ODDS, hash: "ab".repeat(32) }],
    ["a lower rate under the old hash", { ...ODDS, options: lower(ODDS.options) }],
    ["a rate that differs in its two forms", { ...ODDS, options: [{ ...ODDS.options[0]!, pays: ["9"] }] }],
  ])("do not match with %s, and the draw does not check out", async (_, odds) => {
    const forged = { ...genuine, odds };
    const { marks, verdict } = checked(forged, await recomputeDraw(forged, async () => {}));
    expect(marks).toEqual(["Matches", "Matches", "Matches", "Matches", "Does not match"]);
    expect(verdict).toContain("This draw does not check out");
  });

  it("show what each option pays", () => {
    const { steps } = checked(genuine, undefined);
    expect(steps[4]!.textContent).toContain("pays ×13.68");
  });
});

function lower(options: typeof ODDS.options): typeof ODDS.options {
  return options.map((option) => (option.type === "A" ? { ...option, milli: [1_900], pays: ["1.9"] } : option));
}

describe("the times of a draw", () => {
  const told = (lateMs: number) => {
    const round = { ...roundOf(genuine), drawn: DUE + lateMs };
    show(<DrawVerdict round={round} recomputed={undefined} {...LOGGED} />);
    return screen.queryByText(/ late\.$/)?.textContent;
  };

  it("say nothing of a draw that came within a minute", () => {
    expect(told(60_000)).toBeUndefined();
    expect(screen.getByText(/Draw planned for/)).toBeTruthy();
    expect(screen.getByText(/Drawn at/)).toBeTruthy();
  });

  it("say by how much a draw was late", () => {
    expect(told(3_723_000)).toBe("The draw was 1 hour 2 minutes late.");
  });
});

describe("a round in a gap", () => {
  const { odds: _, ...missed } = genuine;
  const gap = (reason: "paused" | "down", isShown = true) => ({
    ...roundOf(genuine, false),
    odds: null,
    gap: { from: missed.round, to: missed.round, reason, opencode: isShown ? [...missed.dice] : null },
  });

  it("says why it never opened, and checks what it would have drawn", async () => {
    const recomputed = await recomputeDraw(missed, async () => {});
    show(
      <>
        <DrawVerdict round={gap("paused")} recomputed={recomputed} {...LOGGED} isPauseTold />
        <MissedSteps missed={missed} recomputed={recomputed} />
      </>,
    );
    const verdict = screen.getByRole("status").textContent;
    expect(verdict).toContain("This round was never opened");
    expect(verdict).toContain("The game was paused.");
    expect(verdict).toContain("announced at least two rounds ahead");
    expect(screen.getAllByText("Matches")).toHaveLength(2);
    expect(screen.getByText("Dice it would have drawn")).toBeTruthy();
  });

  it("does not check out with other dice than the chain gives", async () => {
    const forged = { ...missed, dice: [6, 6, 6] };
    const recomputed = await recomputeDraw(forged, async () => {});
    show(<DrawVerdict round={gap("down")} recomputed={recomputed} {...LOGGED} />);
    expect(screen.getByRole("status").textContent).toContain("This draw does not check out");
  });

  it("says so when its pause was not announced in time, and when its draw is not public yet", () => {
    show(<DrawVerdict round={gap("paused", false)} recomputed={undefined} {...LOGGED} isPauseTold={false} />);
    expect(screen.getByRole("status").textContent).toContain("No such pause was announced in time.");
    expect(screen.getByRole("status").textContent).toContain("is not public yet");
  });
});
