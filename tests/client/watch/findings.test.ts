import { expect, it } from "vitest";
import type { Finding } from "#shared/log/evidence/finding.ts";
import { House, MEMBER } from "./house.ts";
import { Phone } from "./phone.ts";

const MOST = 200;
const finding = (i: number, more: Partial<Finding> = {}): Finding => {
  return { kind: "payout", subject: `bet_${i}`, origin: "log", member: MEMBER, at: i, evidence: {}, ...more };
};

it("what is found in every round is kept and told two hundred times, and what is of another kind still once", async () => {
  const { kept } = new Phone(new House());
  for (let i = 0; i < MOST; i++) expect(await kept.keepFinding(finding(i))).toBe(true);
  for (let i = 0; i < 3; i++) expect(await kept.keepFinding(finding(MOST + i))).toBe(false);
  expect(await kept.keepFinding(finding(MOST, { kind: "terms" }))).toBe(true);
  for (const subject of [`bet_${MOST}`, "bet_9"])
    expect(await kept.keepFinding(finding(MOST, { kind: "terms", subject }))).toBe(false);
  expect(await kept.findings(MEMBER)).toHaveLength(MOST + 1);
});

it("what concerns everybody, and what is another member's, has room of its own", async () => {
  const { kept } = new Phone(new House());
  for (let i = 0; i < MOST; i++) await kept.keepFinding(finding(i));
  expect(await kept.keepFinding(finding(MOST, { member: "" }))).toBe(true);
  expect(await kept.keepFinding(finding(MOST, { member: "mem_8" }))).toBe(true);
});
