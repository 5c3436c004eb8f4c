import { describe, expect, it } from "vitest";
import { FINDERS, PARTS, WAYS, type Cheat } from "./cheat.ts";
import { ATTACKED, CHEATS } from "./table.ts";

const idsOf = (cheats: Cheat[]) => cheats.map(({ id }) => id);
const from = (source: Cheat["from"]) => CHEATS.filter((cheat) => cheat.from === source);
const foundThen = (answer: "yes" | "no" | "later") =>
  CHEATS.filter((cheat) => cheat.from !== "added" && cheat.audit === answer);

describe("the table of cheats", () => {
  it("names each cheat once, by what is done", () => {
    const ids = idsOf(CHEATS);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+(-[a-z]+)+$/.test(id))).toEqual([]);
    expect(new Set(CHEATS.map(({ house }) => house)).size).toBe(CHEATS.length);
  });

  it("says of each what is done, how it is tried, who finds it, and by which parts of the plan", () => {
    const isWhole = ({ house, by, found, parts, lacks }: Cheat) =>
      /^[a-z].*[^.\s]$/.test(house) &&
      by in WAYS &&
      Object.keys(found).length > 0 &&
      Object.values(found).every((says) => says.trim().length > 0) &&
      parts.length > 0 &&
      parts.every((part, i) => part in PARTS && parts.indexOf(part) === i) &&
      (lacks === undefined || /^[A-Z].*\.$/.test(lacks));
    expect(idsOf(CHEATS.filter((cheat) => !isWhole(cheat)))).toEqual([]);
  });

  it("has a finder that there is, or says why nobody can find it", () => {
    const isRight = ({ found }: Cheat) =>
      "nobody" in found
        ? Object.keys(found).length === 1 && /^[A-Z].{30,}\.$/.test(found.nobody)
        : Object.keys(found).every((finder) => finder in FINDERS);
    expect(idsOf(CHEATS.filter((cheat) => !isRight(cheat)))).toEqual([]);
  });

  it("has all that were tried and thought through, and at least twenty more", () => {
    expect([from("trial").length, from("analysis").length]).toEqual([48, 6]);
    expect(from("added").length).toBeGreaterThanOrEqual(20);
    expect(ATTACKED.filter(({ cheats }) => cheats.length === 0)).toEqual([]);
  });

  it("keeps what the audit found when they were tried", () => {
    expect([foundThen("yes").length, foundThen("later").length, foundThen("no").length]).toEqual([11, 1, 42]);
  });

  it("is found by the audit today only where the audit is to find it", () => {
    expect(idsOf(CHEATS.filter(({ auditNow, found }) => auditNow && !("audit" in found)))).toEqual([]);
  });

  it("has every finder, every way and every part at work", () => {
    const finders = new Set(CHEATS.flatMap(({ found }) => Object.keys(found)));
    expect([...finders].sort()).toEqual([...Object.keys(FINDERS), "nobody"].sort());
    expect(new Set(CHEATS.map(({ by }) => by)).size).toBe(Object.keys(WAYS).length);
    expect(new Set(CHEATS.flatMap(({ parts }) => parts)).size).toBe(Object.keys(PARTS).length);
  });

  it("fits a table's cells", () => {
    const cells = ({ house, found, lacks = "" }: Cheat) => [house, ...Object.values(found), lacks];
    expect(idsOf(CHEATS.filter((cheat) => cells(cheat).some((cell) => /[|\n]/.test(cell))))).toEqual([]);
  });
});
