import { describe, expect, it } from "vitest";
import { LogCheck } from "#shared/log/check-log.ts";
import { drandCheck } from "#shared/log/check/drand-check.ts";
import { outcomeOf, sentenceOf, type Finding } from "#shared/log/check/finding.ts";
import { drandMode, QUICKNET, ruleOf } from "#shared/lottery/beacon.ts";
import { byLength } from "../support/length.ts";
import { entryOfLeaf, honestLog, KEY, ORIGIN, type Plan } from "./honest-log.ts";
import { serverHash } from "./world.ts";

const GAMES = [
  { key: "k3-1m", kind: "dice-sum", periodS: 60 },
  { key: "pair-10m", kind: "dice-pair", periodS: 600 },
];

function verdictOf(plan: Plan) {
  const check = new LogCheck({ key: KEY, hash: serverHash });
  for (const leaf of honestLog(plan)) check.add(entryOfLeaf(leaf));
  const verdict = check.end({ origin: ORIGIN, key: KEY });
  const said = (strength: string) => verdict.findings.filter((one) => one.strength === strength).map(sentenceOf);
  return { ...verdict, problems: said("problem"), notes: said("note") };
}

describe("an honest log", () => {
  it("of ten thousand rounds, with gaps, pauses, failures and days, has no problem", () => {
    const down = [
      [30.51, 31.2],
      [70, 103.5],
      [150.3, 150.6],
    ] as const;
    const pauses = [
      [40, 44],
      [110, 137.5],
    ] as const;
    const { problems, notes, kinds } = verdictOf({ hours: byLength(250, 2_500), games: GAMES, down, pauses });
    expect(problems).toEqual([]);
    expect(kinds.get("draw")).toBeGreaterThan(10_000);
    expect([kinds.get("gap"), kinds.get("skipped")]).toEqual([10, 6]);
    expect(notes).toContain(
      "k3-1m 20260302: the anchor was logged less than seven days before the first round, because the game or the log was new. These rounds are not proven.",
    );
    expect(notes.filter((note) => note.startsWith("No head came between"))).toHaveLength(3);
    expect(notes.filter((note) => note.includes("never opened, for the reason"))).toHaveLength(kinds.get("gap")!);
  });

  it("of an hour has no note but that it is new", () => {
    const { problems, notes } = verdictOf({ hours: 1, games: [GAMES[0]!] });
    expect([problems, notes]).toEqual([[], [expect.stringContaining("the game or the log was new")]]);
  });

  it("is empty at first", () => {
    const check = new LogCheck({ key: KEY, hash: serverHash });
    expect(check.end({ origin: ORIGIN, key: KEY }).findings).toEqual([]);
  });
});

describe("the outcome of a check", () => {
  const found = (id: Finding["id"], strength: Finding["strength"] = "problem") =>
    ({ id, strength, facts: {} }) as Finding;

  it("is a contradiction, unless all that is wrong is that the log could not be read", () => {
    expect(outcomeOf([])).toBe("fine");
    expect(outcomeOf([found("missing"), found("head-form")])).toBe("unread");
    expect(outcomeOf([found("missing"), found("root")])).toBe("contradicted");
    expect(outcomeOf([found("unsigned")])).toBe("contradicted");
  });
});

describe("a beacon's time", () => {
  it("is that of its chain, where the chain is known", () => {
    const { signedAt } = drandCheck([QUICKNET]);
    expect(signedAt(ruleOf({ chain: QUICKNET.hash, round: 1_000 }))).toBe(1_692_806_364_000);
    expect(signedAt(`${drandMode({ hash: "ab".repeat(32) })}:1000`)).toBe(null);
    expect(signedAt("none")).toBe(null);
  });
});
