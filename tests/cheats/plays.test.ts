import { describe, expect, it } from "vitest";
import type { Play } from "./play.ts";
import { PLAYS } from "./plays.ts";
import { CHEATS } from "./table.ts";
import { rowNamed, unplayed } from "./trial/try-all.ts";
import { verdictOn } from "./trial/verdict.ts";

const playsOf = (id: string): Play[] => [PLAYS[id] ?? []].flat();
const [first] = CHEATS;

describe("the plays", () => {
  it("are of rows of the table", () => {
    const ids = new Set(CHEATS.map(({ id }) => id));
    expect(Object.keys(PLAYS).filter((id) => !ids.has(id))).toEqual([]);
  });

  it("show every row that the audit finds today", () => {
    const unseen = CHEATS.filter(({ id, auditNow }) => auditNow && !playsOf(id).some(({ now }) => "audit" in now));
    expect(unseen.map(({ id }) => id)).toEqual([]);
  });

  it("are each found by somebody, and each row by one who is to find it", () => {
    const all = Object.entries(PLAYS).flatMap(([id, plays]) => [plays].flat().map((play) => ({ id, play })));
    expect(all.filter(({ play }) => Object.keys(play.now).length === 0)).toEqual([]);
    const isExpected = (id: string) => {
      const { found } = CHEATS.find((cheat) => cheat.id === id)!;
      return playsOf(id).some(({ now }) => Object.keys(now).some((finder) => finder in found));
    };
    expect(Object.keys(PLAYS).filter((id) => !isExpected(id))).toEqual([]);
  });

  it("differ in how the house goes about it", () => {
    const twice = Object.entries(PLAYS).filter(([, plays]) => {
      const ways = [plays].flat().map(({ how = "" }) => how);
      return new Set(ways).size < ways.length;
    });
    expect(twice).toEqual([]);
  });
});

describe("the command", () => {
  it("takes a row by its name and by its number, and no other", () => {
    expect([rowNamed(first!.id), rowNamed("1")]).toEqual([first, first]);
    expect(() => rowNamed("0")).toThrow(`There is no row 0: give a name of docs/cheats.md, or a number from 1 to`);
  });

  it("plays every row that somebody is to find, and names those that nobody can", () => {
    const says = unplayed(CHEATS);
    expect(says).toMatch(/^\d+ rows were played, in \d+ ways\.\n\d+ nobody can find, .*\.$/);
    expect(says).toContain("tell-a-friend-the-dice");
  });
});

describe("a verdict", () => {
  it("asks for the words, not only for a voice", () => {
    const play: Play = { now: { audit: /^the dice$/, app: /^found/ } };
    expect(verdictOn("x", play, { audit: "the dice", app: "something else" }).missed).toEqual(["app"]);
  });
});
