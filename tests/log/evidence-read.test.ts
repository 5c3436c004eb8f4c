import { describe, expect, it } from "vitest";
import { checkEvidence, LONGEST_EVIDENCE } from "#shared/log/evidence/check.ts";
import type { Finding } from "#shared/log/evidence/finding.ts";
import type { Judged } from "#shared/log/evidence/judge.ts";
import { said } from "#shared/log/evidence/says.ts";
import { printable, titleOf, verdictOf } from "#shared/log/evidence/verdict.ts";
import { House } from "../client/watch/house.ts";
import { fileText, logOf, type Written } from "./evidence-file.ts";
import { bytes } from "./world.ts";

const [log, other] = [logOf(new House()), logOf(new House("other"))];
const refusalOf = (content: Uint8Array) => {
  const checked = checkEvidence(content);
  return "refused" in checked ? checked.refused : null;
};

describe("the bytes of a file of evidence", () => {
  it("are judged, with several logs and findings", () => {
    const claim: Written = { kind: "otherAnchor", evidence: {} };
    const checked = checkEvidence(bytes(fileText([log, other], claim, claim)));
    expect(checked).toMatchObject({
      file: { site: "https://house.example", logs: [log, other] },
      judged: Array.from({ length: 2 }, () => ({ said: [said("claimed anchor")], isProven: false })),
    });
  });

  it("are refused beyond a length, unread", () => {
    expect(LONGEST_EVIDENCE).toBe(67_108_864);
    expect(refusalOf(new Uint8Array(LONGEST_EVIDENCE + 1))).toBe("It is longer than any file of evidence.");
    expect(refusalOf(new Uint8Array(LONGEST_EVIDENCE))).toBe("It is no JSON: it may have been cut.");
  });

  it("are refused where they are no text", () => {
    expect(refusalOf(Uint8Array.of(0xff, 0xfe))).toBe("It is no text in UTF-8.");
  });

  it("are refused where they have one log twice", () => {
    expect(refusalOf(bytes(fileText([log, other, log])))).toBe("It has one log twice.");
  });

  it("are refused where a finding cannot be read, which is named by its place", () => {
    const claim: Written = { kind: "otherAnchor", evidence: {} };
    const strange = { kind: "spoon" as never, evidence: {} };
    expect(refusalOf(bytes(fileText([log], claim, strange)))).toBe(
      "Its finding 2 is of a kind that this program does not know.",
    );
    expect(refusalOf(bytes(fileText([log], claim, claim, { kind: "fork", evidence: {} })))).toBe(
      "Its finding 3 has not what belongs to a finding “fork”.",
    );
  });
});

const finding: Finding = { kind: "balance", subject: "change 2", origin: "", member: "mem_7", at: 0, evidence: {} };
const judgedAs = (isProven: boolean, ...ids: Parameters<typeof said>[0][]): Judged => ({
  finding,
  said: ids.map((id) => said(id)),
  isProven,
});

describe("the verdict on a file", () => {
  const proven = judgedAs(true, "proven two-heads", "signed head");
  const claimed = judgedAs(false, "signed head", "claimed asked");
  const broken = judgedAs(false, "signed head", "broken same");

  it("convicts by one finding among others that only claim", () => {
    expect(verdictOf([claimed, proven])).toBe("convicts");
    expect(verdictOf([claimed, claimed])).toBe("claims");
    expect(verdictOf([])).toBe("claims");
  });

  it("is that it is broken where one part of one finding is", () => {
    expect(verdictOf([proven, broken, claimed])).toBe("broken");
  });
});

describe("the title of a finding", () => {
  it("names what it is about, whose it is and when it is said to be found", () => {
    expect(titleOf(finding)).toBe("balance change 2, of mem_7, said to be found at 1970-01-01T00:00:00.000Z");
  });

  it("leaves out a subject of many lines, and nobody's name", () => {
    const head = { ...finding, subject: "a head\nof lines", member: "" };
    expect(titleOf(head)).toBe("balance, said to be found at 1970-01-01T00:00:00.000Z");
  });

  it.each([
    [253_402_300_799_999, "9999-12-31T23:59:59.999Z"],
    [253_402_300_800_000, "?"],
    [-1, "?"],
    [0.5, "?"],
    [1e300, "?"],
  ])("names no moment that is none in a log: %f", (at, when) => {
    expect(titleOf({ ...finding, at })).toMatch(new RegExp(`found at ${when.replaceAll(/[?+.]/g, String.raw`\$&`)}$`));
  });

  it("obeys no letters that a terminal obeys, nor those that turn a line around", () => {
    expect(printable("a\u001B[2J\u202Eb\n")).toBe("a?[2J?b?");
    expect(titleOf({ ...finding, subject: "\u001B", member: "\u202E" })).toMatch(/^balance \?, of \?, said/);
  });
});
