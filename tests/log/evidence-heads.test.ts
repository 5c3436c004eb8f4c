import { describe, expect, it } from "vitest";
import type { EvidenceLog } from "#shared/log/evidence/file.ts";
import { House, MEMBER } from "../client/watch/house.ts";
import { restored } from "../client/watch/restored.ts";
import { fileText, idsOf, logOf, sentencesOf, unsigned, type Written } from "./evidence-file.ts";

/** A house, and one with the same key and another history. */
function two() {
  const [house, liar] = [new House(), new House()];
  house.close(1);
  liar.close(1, { stake: 700 });
  liar.close(2);
  return { house, liar, log: logOf(house) };
}

type Path = string[] | null;
const fork = (ours: string, shown: string, path: Path = null): Written => ({
  kind: "fork",
  subject: shown,
  evidence: { ours, shown, path },
});
const noProof = (ours: string, shown: string): Written => ({
  kind: "noProof",
  subject: shown,
  evidence: { ours, shown },
});
const ASKED = ["signed head", "signed head", "claimed asked"];

describe("two heads of a log", () => {
  it("of one size and two roots convict, whichever was seen first", () => {
    const { house, liar, log } = two();
    const [ours, shown] = [house.note(), liar.note(house.size)];
    for (const finding of [fork(ours, shown), fork(shown, ours), noProof(ours, shown)])
      expect(idsOf(finding, log)).toEqual(["proven two-heads", "signed head", "signed head"]);
  });

  it("of one size and one root are the same", () => {
    const { house, log } = two();
    expect(idsOf(fork(house.note(), house.note()), log)).toEqual(["broken same"]);
  });

  it("convict where the hashes between them lead to the larger root, and to another smaller one", () => {
    const { house, liar, log } = two();
    const path = liar.consistency(house.size, liar.size);
    const says = [
      `The log's key signed a head of ${house.size} leaves and one of ${liar.size}. The hashes between them lead to the root of the larger one, and show that its first ${house.size} leaves are others: two histories.`,
      `A head of ${house.size} leaves is signed by the log's key.`,
      `A head of ${liar.size} leaves is signed by the log's key.`,
    ];
    expect(sentencesOf(fork(house.note(), liar.note(), path), log)).toEqual(says);
    expect(sentencesOf(fork(liar.note(), house.note(), path), log)).toEqual(says);
    const evidence = { ours: house.note(), theirs: liar.note(), path };
    expect(sentencesOf({ kind: "fork", subject: liar.note(), evidence }, log)).toEqual(says);
  });

  it("convict nobody where the hashes join them, or lead nowhere, or are none", () => {
    const { house, liar, log } = two();
    const older = house.note();
    const honest = [house.size, (house.close(2), house.size)] as const;
    expect(idsOf(fork(older, house.note(), house.consistency(...honest)), log)).toEqual(ASKED);
    const path = liar.consistency(honest[0], liar.size);
    for (const spoilt of [null, [], ["no hash"], path.slice(1), path.map(() => "cd".repeat(32))])
      expect(idsOf(fork(older, liar.note(), spoilt), log)).toEqual(ASKED);
  });

  it("without a proof are what the house can be asked about", () => {
    const { house, liar, log } = two();
    const asks = `ask /api/fair/consistency?from=${house.size}&to=${liar.size}.`;
    expect(sentencesOf(noProof(house.note(), liar.note()), log)[2]).toContain(asks);
    expect(sentencesOf(noProof(liar.note(), house.note()), log)[2]).toContain(asks);
  });

  it.each([
    ["fork", fork],
    ["noProof", noProof],
  ])("are to be signed, and those that the finding names: %s", (_, find) => {
    const { house, liar, log } = two();
    const [ours, shown] = [house.note(), liar.note()];
    const finding = find(ours, shown);
    expect(idsOf({ ...finding, subject: ours }, log)).toEqual(["broken subject"]);
    expect(idsOf({ ...finding, member: MEMBER }, log)).toEqual(["broken subject"]);
    expect(idsOf(find(unsigned(ours), shown), log)).toEqual(["broken head"]);
    expect(idsOf(find(ours, unsigned(shown)), log)).toEqual(["broken head"]);
  });
});

describe("another log at the same address", () => {
  const logs = () => {
    const house = new House();
    const next = restored(house);
    return { before: logOf(house), now: logOf(next), sizes: [house.size, next.size] };
  };
  const found = (kind: "otherLog" | "restored", before: EvidenceLog, now: EvidenceLog): Written => ({
    kind,
    subject: now.origin,
    evidence: { before, now },
  });

  it.each([
    ["otherLog", "The house showed both logs at one address. Nothing that was signed joins them."],
    ["restored", "The house said that the second log continues the first after a loss. That is no contradiction."],
  ] as const)("is told with the newest heads of both: %s", (kind, says) => {
    const { before, now, sizes } = logs();
    const heads = sizes.map((size) => `A head of ${size} leaves is signed by the log's key.`);
    expect(sentencesOf(found(kind, before, now), before, now)).toEqual([...heads, says]);
  });

  it.each(["otherLog", "restored"] as const)("is to be another one, and both are to hold: %s", (kind) => {
    const { before, now } = logs();
    const finding = found(kind, before, now);
    expect(idsOf({ ...finding, subject: before.origin }, before, now)).toEqual(["broken subject"]);
    expect(idsOf({ ...finding, member: MEMBER }, before, now)).toEqual(["broken subject"]);
    expect(idsOf(found(kind, now, now), now)).toEqual(["broken subject"]);
    const spoil = (log: EvidenceLog) => ({ ...log, newest: unsigned(log.newest) });
    expect(idsOf(found(kind, spoil(before), now), before, now)).toEqual(["broken log"]);
    expect(idsOf(found(kind, before, spoil(now)), before, now)).toEqual(["broken log"]);
  });
});

describe("what the house did not sign", () => {
  it.each<[Written, string]>([
    [{ kind: "head", evidence: { head: "no head" } }, "The house showed this head. Its log's key did not sign it"],
    [{ kind: "key", evidence: { head: "a head", key: "a key" } }, "The house showed this head."],
    [{ kind: "closing", evidence: { told: {} } }, "The house told this closing. The hashes beside it are not signed."],
    [{ kind: "otherAnchor", evidence: {} }, "The house showed two anchors for one day."],
    [
      { kind: "export", evidence: { faults: ["head", "bet_1"], receipts: [], balances: [], hash: "ab" } },
      "An export with the SHA-256 ab contradicts what the device keeps: head, bet_1. The export itself shows it.",
    ],
  ])("is claimed, also where no log was met: $kind", (finding, says) => {
    const said = sentencesOf(finding);
    expect(said).toEqual([expect.stringContaining(says)]);
    expect(sentencesOf(finding, logOf(new House()))).toEqual(said);
  });

  it("is all that is left of a finding whose log the file does not hold", () => {
    const { house, liar } = two();
    expect(idsOf(fork(house.note(), liar.note(house.size)))).toEqual(["claimed keys"]);
  });
});

describe("a file", () => {
  it("has one finding beside the other, each judged by its own log", () => {
    const { house, liar, log } = two();
    const other = logOf(new House("other"));
    const convicts = fork(house.note(), liar.note(house.size));
    expect(idsOf({ ...convicts, origin: log.origin }, other, log)[0]).toBe("proven two-heads");
    expect(fileText([log, other], convicts, convicts)).toContain(other.origin);
  });
});
