import { describe, expect, it } from "vitest";
import { LogCheck } from "#shared/log/check-log.ts";
import { drandCheck } from "#shared/log/check/drand-check.ts";
import { outcomeOf, type Finding } from "#shared/log/check/finding.ts";
import { drandMode, QUICKNET, ruleOf } from "#shared/lottery/beacon.ts";
import { KEY, MINUTES, ORIGIN, verdictOf } from "./honest-log.ts";
import { serverHash } from "./world.ts";

describe("an honest log", () => {
  it("of an hour has no note but that it is new", () => {
    const { problems, notes } = verdictOf({ hours: 1, games: [MINUTES] });
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
