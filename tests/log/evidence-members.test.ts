import { describe, expect, it } from "vitest";
import type { EvidenceLog } from "#shared/log/evidence/file.ts";
import { toIso } from "#shared/time.ts";
import { House, MEMBER } from "../client/watch/house.ts";
import { restored } from "../client/watch/restored.ts";
import { idsOf, logOf, sentencesOf, unsigned, type Written } from "./evidence-file.ts";

const OTHER = "cd".repeat(32);

/** A house that has said so many things about the member, the last as its device keeps it. */
function said(lines: number) {
  const house = new House();
  for (let i = 1; i <= lines; i++)
    house.own<"credit">({ kind: "credit", code: "credit", cause: `c-${i}`, amount: 500, unit: "point" });
  const log = logOf(house);
  const { head, leaves } = house.mine();
  const owns = leaves.map(({ place, ...own }) => {
    const told = place && { head: head!, ...place };
    return { member: MEMBER, origin: log.origin, ...own, told };
  });
  return { house, log, owns, kept: owns.at(-1)! };
}
/** The note of the end of a chain as a device keeps it. */
const noted = (house: House, number: number, more: Parameters<House["chainNote"]>[0] = {}) => ({
  number,
  note: house.chainNote({ number, ...more }),
});

describe("a line about the member that is another one", () => {
  const found = (evidence: object): Written => ({ kind: "chain", subject: "leaf 2", member: MEMBER, evidence });
  const lines = () => {
    const { house, log, owns, kept } = said(2);
    const note = house.chainNote({ hash: OTHER });
    return { house, log, owns, kept, note, judge: (evidence: object) => idsOf(found(evidence), log) };
  };

  it("in a signed head and in a signed note convicts", () => {
    const { log, kept, note } = lines();
    expect(sentencesOf(found({ log, note, kept }), log)).toEqual([
      `Line 2 about the member is ${kept.hash} in a signed head, and ${OTHER} in a signed note.`,
      `A signed head holds line 2 about the member: ${kept.content}`,
      "A signed note of 1970-01-01T00:00:01.002Z counts 2 lines about the member.",
    ]);
  });

  it("is claimed where it was shown without a note, or not kept in a head", () => {
    const { log, kept, note, judge } = lines();
    expect(judge({ log, kept })).toEqual(["signed line", "claimed line"]);
    expect(judge({ log, note })).toEqual(["signed lines", "claimed line"]);
    expect(judge({ log, note: unsigned(note), kept: { ...kept, told: null } })).toEqual(["claimed line"]);
    expect(judge({ log })).toEqual(["claimed line"]);
  });

  it("by a note of a time that no clock shows is claimed, and the rest of the file is read", () => {
    const { house, log, judge } = lines();
    expect(judge({ log, note: house.chainNote({ time: Number.MAX_SAFE_INTEGER }) })).toEqual(["claimed line"]);
  });

  it("of another member is no fact about this one", () => {
    const { house, log, judge } = lines();
    expect(judge({ log, note: house.chainNote({ member: "8" }) })).toEqual(["claimed line"]);
  });

  it("is the same where both hashes are", () => {
    const { house, log, kept, judge } = lines();
    expect(judge({ log, note: house.chainNote(), kept })).toEqual(["broken same"]);
  });

  it("is to be of this log, member and number", () => {
    const { house, log, owns, kept, note, judge } = lines();
    expect(judge({ log: logOf(new House("other")), note, kept })).toEqual(["broken log"]);
    expect(judge({ log: { ...log, newest: unsigned(log.newest) }, note, kept })).toEqual(["broken log"]);
    for (const other of [
      unsigned(note),
      house.chainNote({ hash: OTHER, member: "8" }),
      house.chainNote({ hash: OTHER, number: 3 }),
    ])
      expect(judge({ log, note: other, kept })).toEqual(["broken note"]);
    const first = house.chainNote({ number: 1, hash: OTHER });
    expect(judge({ log, note: first, kept: owns[0] })).toEqual(["broken subject"]);
  });

  it.each<[string, (kept: ReturnType<typeof said>["kept"]) => object]>([
    ["has another member's name", () => ({ member: "mem_8" })],
    ["is of another log", () => ({ origin: "other" })],
    ["has another number", () => ({ number: 3 })],
    ["has another hash", () => ({ hash: OTHER })],
    ["has another salt", () => ({ salt: OTHER })],
    ["has no salt", () => ({ salt: "salt" })],
    ["says something else", ({ content }) => ({ content: content.replace("500", "501") })],
    ["says nothing", () => ({ content: "content" })],
    ["stands in an unsigned head", ({ told }) => ({ told: { ...told, head: unsigned(told!.head) } })],
    ["stands elsewhere", ({ told }) => ({ told: { ...told, index: told!.index - 1 } })],
  ])("is none where what was kept %s", (_, spoil) => {
    const { log, kept, note, judge } = lines();
    expect(judge({ log, note, kept: { ...kept, ...spoil(kept) } })).toEqual(["broken line"]);
  });
});

describe("lines about the member that are gone", () => {
  const { house, log } = said(0);
  const before = noted(house, 2, { time: 5_000 });
  const now = house.chainNote({ number: 1, time: 15_001 });
  const found = (evidence: object, subject = "chain 2"): Written => ({
    kind: "chainGap",
    subject,
    member: MEMBER,
    evidence: { log, note: now, ...evidence },
  });
  const judge = (evidence: object, subject?: string) => idsOf(found(evidence, subject), log);

  it.each(["kept", "promised"])("convict where a later note counts fewer than one that was %s", (name) => {
    expect(sentencesOf(found({ [name]: before }), log)).toEqual([
      `A signed note of ${toIso(5_000)} counts 2 lines about the member, and one of ${toIso(15_001)} counts 1: a line is gone.`,
      `A signed note of ${toIso(5_000)} counts 2 lines about the member.`,
      `A signed note of ${toIso(15_001)} counts 1 lines about the member.`,
    ]);
  });

  it("are not gone where the notes may have been answered in another order, or count as many", () => {
    const early = house.chainNote({ number: 1, time: 15_000 });
    expect(judge({ kept: before, note: early })).toEqual(["broken same"]);
    const same = house.chainNote({ number: 2, time: 15_001 });
    expect(judge({ kept: before, note: same })).toEqual(["broken same"]);
  });

  it("are claimed where the device has no note of them", () => {
    const gap = (number: number) =>
      `The house did not answer a line that it had signed. It owes it to its member: /api/fair/mine?from=${number}.`;
    const counted = `A signed note of ${toIso(15_001)} counts 1 lines about the member.`;
    for (const kept of [
      { ...before, note: "none" },
      { ...before, note: house.chainNote({ number: 3 }) },
    ])
      expect(sentencesOf(found({ kept }), log)).toEqual([counted, gap(2)]);
    expect(sentencesOf(found({ promised: before }, "leaf 7"), log)).toEqual([counted, gap(7)]);
  });

  it("are to be of this log and member, and what the finding names", () => {
    expect(judge({ kept: before, log: logOf(new House("other")) })).toEqual(["broken log"]);
    expect(judge({})).toEqual(["broken note"]);
    expect(judge({ kept: before, note: unsigned(now) })).toEqual(["broken note"]);
    expect(judge({ kept: before, note: house.chainNote({ number: 1, member: "8" }) })).toEqual(["broken note"]);
    expect(judge({ kept: before }, "chain 3")).toEqual(["broken subject"]);
    expect(judge({ kept: noted(house, 2, { member: "8", time: 5_000 }) })).toEqual(["broken member"]);
  });
});

describe("lines that a restored house has lost", () => {
  const lost = () => {
    const { house, log: before, owns, kept } = said(3);
    const next = restored(house);
    const log = logOf(next);
    const evidence = { lost: owns.slice(1), note: next.chainNote({ number: 1 }), log };
    const judge = (more: object, ...logs: EvidenceLog[]) => {
      const finding = {
        kind: "chainLost",
        origin: log.origin,
        member: MEMBER,
        evidence: { ...evidence, ...more },
      } as const;
      return sentencesOf(finding, log, ...logs);
    };
    return { house, next, before, owns, kept, judge };
  };
  const counts = "A signed note of 1970-01-01T00:00:01.000Z counts 1 lines about the member.";
  const claims = "After a loss, 2 lines that an earlier log held are no longer answered.";

  it("are told as the log before holds them, where the file has that", () => {
    const { before, owns, judge } = lost();
    const held = owns.slice(1).map((own) => `A signed head holds line ${own.number} about the member: ${own.content}`);
    expect(judge({}, before)).toEqual([...held, counts, claims]);
    expect(judge({})).toEqual([counts, claims]);
    const spoilt = owns.slice(1).map((own) => ({ ...own, hash: OTHER }));
    expect(judge({ lost: spoilt }, before)).toEqual([counts, claims]);
  });

  it("are to be gone by a note of the log of now, about the member", () => {
    const { house, next, before, judge } = lost();
    const broken = expect.stringContaining("A note in this finding is not signed by the log's key");
    expect(judge({ note: house.chainNote() }, before)).toEqual([broken]);
    expect(judge({ note: next.chainNote({ member: "8" }) }, before)).toEqual([broken]);
    expect(judge({ log: before }, before)).toEqual([expect.stringContaining("The log in this finding is another one")]);
  });
});

describe("a balance", () => {
  const { house, log } = said(0);
  const kept = (version: number, balance: number, from = house) => ({
    version,
    balance,
    note: from.balance(version, balance).note,
  });
  const found = (evidence: object, more: Partial<Written> = {}): Written => ({
    kind: "balance",
    subject: "change 2",
    member: MEMBER,
    evidence,
    ...more,
  });
  const judge = (evidence: object, more?: Partial<Written>) => idsOf(found(evidence, more), log);
  const two = { before: kept(2, 300), now: house.balance(2, 400).note, log };

  it("that the house signed in two ways convicts", () => {
    expect(sentencesOf(found(two), log)).toEqual([
      "Two signed notes name different balances after change 2: 3.00 and 4.00.",
      "A signed note names the balance 3.00 after change 2.",
      "A signed note names the balance 4.00 after change 2.",
    ]);
  });

  it("is the same where both notes say the same, and another one after another change", () => {
    expect(judge({ ...two, now: two.before.note })).toEqual(["broken same"]);
    expect(judge({ ...two, now: house.balance(3, 400).note })).toEqual(["broken same"]);
  });

  it("is to be of this log, member and change, as it was kept", () => {
    const another = new House("other");
    expect(judge({ ...two, log: logOf(another) })).toEqual(["broken log"]);
    expect(judge(two, { member: "mem_8" })).toEqual(["broken note"]);
    expect(judge({ ...two, before: kept(2, 300, another) })).toEqual(["broken note"]);
    expect(judge({ ...two, now: another.balance(2, 400).note })).toEqual(["broken note"]);
    expect(judge({ ...two, before: { ...two.before, balance: 301 } })).toEqual(["broken note"]);
    expect(judge({ ...two, before: { ...two.before, version: 3 } })).toEqual(["broken note"]);
    expect(judge(two, { subject: "change 3" })).toEqual(["broken subject"]);
  });

  it("that was shown otherwise is claimed, beside the note", () => {
    expect(judge({ shown: { note: two.now }, log })).toEqual(["signed balance", "claimed balance"]);
    expect(judge({ shown: { note: unsigned(two.now) }, log })).toEqual(["claimed balance"]);
    expect(judge({ shown: { note: two.now }, log }, { member: "mem_8" })).toEqual(["claimed balance"]);
    expect(judge({ shown: { note: two.now }, log: logOf(new House("other")) })).toEqual(["broken log"]);
  });

  it("that another device was told is claimed, beside this one's note", () => {
    expect(judge({ ours: two.before })).toEqual(["signed balance", "claimed other-device"]);
    expect(judge({ ours: two.before }, { member: "mem_8" })).toEqual(["broken note"]);
  });
});
