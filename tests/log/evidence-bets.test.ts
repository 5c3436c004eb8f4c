import { shownClosing } from "#client/watch/check-closing.ts";
import { describe, expect, it } from "vitest";
import type { EvidenceLog } from "#shared/log/evidence/file.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { receiptText, parseReceipt } from "#shared/log/receipt.ts";
import type { Content } from "#shared/log/salted.ts";
import { GAME, House, MEMBER, roundAt } from "../client/watch/house.ts";
import { restored } from "../client/watch/restored.ts";
import {
  betOf,
  idsOf,
  keptClosing,
  keptReceipt,
  logOf,
  receiptBy,
  rootOfBet,
  sentencesOf,
  unsigned,
  type Written,
} from "./evidence-file.ts";
import { drandMode, QUICKNET } from "#shared/lottery/beacon.ts";

type Kept = ReturnType<typeof keptReceipt>;

/** Other receipts than the one that a finding is about. */
const FOREIGN: [string, (house: House, kept: Kept) => Partial<Kept>][] = [
  ["is none", () => ({ receipt: "none" })],
  ["is of another order", (house) => ({ receipt: receiptBy(house.signer, betOf(house, { order: "bet_2" })) })],
  ["is kept under another order", () => ({ order: "bet_2" })],
  [
    "is of another member",
    (house) => ({ receipt: receiptBy(house.signer, betOf(house, { member: "cd".repeat(32) })) }),
  ],
  ["is kept for another member", () => ({ member: "mem_8" })],
  ["is of another game", () => ({ game: "k3-5m" })],
  ["is of another round", () => ({ round: roundAt(2) })],
  ["is said to be of another log", () => ({ origin: "other" })],
  ["is of another log", (house) => ({ receipt: receiptBy(new House("other").signer, betOf(house)) })],
  [
    "is not signed",
    (_house, kept) => ({ receipt: receiptText({ ...parseReceipt(kept.receipt)!, signature: new Uint8Array(64) }) }),
  ],
];
const SIGNED = `The receipt of bet_1 is signed: A 7 at 2.00 each, in ${GAME} ${roundAt(1)}.`;

describe("two closings of a round", () => {
  const closings = () => {
    const house = new House();
    const before = keptClosing(house.close(1));
    const told = shownClosing(house.close(1, { stake: 500 }));
    const finding: Written = { kind: "otherClosing", subject: `${GAME} ${roundAt(1)}`, evidence: { before, told } };
    return { house, before, told, finding, judge: (one: Written) => idsOf(one, logOf(house)) };
  };

  it("convict", () => {
    const { house, finding } = closings();
    expect(sentencesOf(finding, logOf(house))).toEqual([
      `${GAME} ${roundAt(1)}: two closings that differ stand in signed heads.`,
      `A signed head holds the closing of ${GAME} ${roundAt(1)}: 0 bets, 0.00 together.`,
      `A signed head holds the closing of ${GAME} ${roundAt(1)}: 0 bets, 5.00 together.`,
    ]);
  });

  it("are the same where both say the same", () => {
    const { house, before, finding, judge } = closings();
    const told = { key: GAME, expect: roundAt(1), head: before.head, close: before };
    expect(judge({ ...finding, evidence: { before, told } })).toEqual(["broken same"]);
    expect(house.size).toBeGreaterThan(before.size);
  });

  it("are to be of the round that the finding names", () => {
    const { house, before, told, finding, judge } = closings();
    expect(judge({ ...finding, subject: `${GAME} ${roundAt(2)}` })).toEqual(["broken subject"]);
    expect(judge({ ...finding, member: MEMBER })).toEqual(["broken subject"]);
    const second = keptClosing(house.close(2));
    expect(judge({ ...finding, evidence: { before: second, told } })).toEqual(["broken closing"]);
    const other = keptClosing(house.close(3, { game: "k3-5m", round: roundAt(1) }));
    expect(judge({ ...finding, evidence: { before: { ...other, game: "k3-5m" }, told } })).toEqual(["broken closing"]);
    expect(judge({ ...finding, evidence: { before: other, told } })).toEqual(["broken closing"]);
    expect(judge({ ...finding, evidence: { before, told: shownClosing(house.tell(2)) } })).toEqual(["broken subject"]);
    const named = { ...shownClosing(house.tell(2)), expect: roundAt(1) };
    expect(judge({ ...finding, evidence: { before, told: named } })).toEqual(["broken closing"]);
  });

  it("are to stand in signed heads of this log", () => {
    const { before, told, finding, judge } = closings();
    const spoils = [
      { before: { ...before, origin: "other" } },
      { before: { ...before, size: before.size + 1 } },
      { before: { ...before, head: unsigned(before.head) } },
      { before: { ...before, path: [] } },
      { told: { ...told, head: unsigned(told.head) } },
      { told: { ...told, close: { ...told.close, number: told.close.number - 1 } } },
      { told: { ...told, close: { ...told.close, leaf: "none" } } },
    ];
    for (const spoil of spoils)
      expect(judge({ ...finding, evidence: { before, told, ...spoil } })).toEqual(["broken closing"]);
  });
});

describe("a receipt that says something else", () => {
  const house = new House();
  const log = logOf(house);
  const receipt = receiptBy(house.signer, betOf(house));
  const found = (evidence: object, more: Partial<Written> = {}): Written => ({
    kind: "receipt",
    subject: "bet_1",
    member: MEMBER,
    evidence: { shown: {}, receipt, log, ...evidence },
    ...more,
  });

  it("than the screen is told as it is signed", () => {
    expect(sentencesOf(found({}), log)).toEqual([SIGNED, "The screen showed something else than the receipt says."]);
  });

  it("is no receipt of the house where no key of its log signed it, or it is of another order", () => {
    const strange = receiptBy(new House("other").signer, betOf(house));
    for (const one of ["none", strange, receiptBy(house.signer, betOf(house, { order: "bet_2" }))])
      expect(idsOf(found({ receipt: one }), log)).toEqual(["claimed not-signed"]);
  });

  it("may be that of another member", () => {
    expect(idsOf(found({}, { member: "mem_8" }), log)).toEqual(["signed receipt", "claimed shown"]);
    const strange = receiptBy(new House("other").signer, betOf(house));
    expect(idsOf(found({ receipt: strange }, { member: "mem_8" }), log)).toEqual([
      "claimed not-signed",
      "claimed shown",
    ]);
  });

  it("is to be of the log that the finding is about", () => {
    const other = logOf(new House("other"));
    expect(idsOf(found({ log: other }), log)).toEqual(["broken log"]);
    expect(idsOf(found({ log: { ...log, first: unsigned(log.first) } }), log)).toEqual(["broken log"]);
  });

  it.each<[string, Partial<Content<"bet">>, batch: number]>([
    ["of another bet in the same batch", { stake: 300 }, 1],
    ["of another bet in another batch", { stake: 300 }, 2],
    ["of the same bet in another batch", {}, 2],
  ])("than one before, %s, convicts", (_, more, batch) => {
    const before = keptReceipt(house, betOf(house, more), batch);
    expect(sentencesOf(found({ before }), log)).toEqual([
      "bet_1: two receipts that differ are signed.",
      expect.stringContaining("The receipt of bet_1 is signed"),
      SIGNED,
    ]);
  });

  it("is the same as the one before where bet and batch are", () => {
    const before = keptReceipt(house);
    expect(idsOf(found({ before }), log)).toEqual(["signed receipt", "claimed shown"]);
  });

  it.each(FOREIGN)("is not compared with one before that %s", (_, spoil) => {
    const kept = keptReceipt(house, betOf(house, { stake: 300 }));
    expect(idsOf(found({ before: { ...kept, ...spoil(house, kept) } }), log)).toEqual(["broken receipt"]);
  });

  it("than the odds of its round is told as it is signed", () => {
    const evidence = { receipt: keptReceipt(house), round: {} };
    const odds = (more: object): Written => ({
      kind: "receipt",
      subject: "bet_1 odds",
      member: MEMBER,
      evidence: { ...evidence, ...more },
    });
    expect(idsOf(odds({}), log)).toEqual(["signed receipt", "claimed shown"]);
    expect(idsOf({ ...odds({}), subject: "bet_2 odds" }, log)).toEqual(["broken receipt"]);
  });
});

/** Findings about a bet of round 1, whose closing is kept. */
function closed(more: Partial<Leaf<"close">> = {}) {
  const house = new House();
  const closing = keptClosing(house.close(1, { bets: 2, stake: 400, ...more }));
  const receipt = keptReceipt(house);
  const second = keptClosing(house.close(2));
  const judge = (kind: "notCounted" | "terms", evidence: object) =>
    idsOf({ kind, subject: "bet_1", member: MEMBER, evidence: { receipt, ...evidence } }, logOf(house));
  return { house, closing, receipt, second, judge };
}

describe("a bet that the house does not count", () => {
  it("is owed a path to the closing, where one is kept and may hold it", () => {
    const { house, receipt, closing } = closed();
    const finding = (evidence: object): Written => ({
      kind: "notCounted",
      subject: "bet_1",
      member: MEMBER,
      evidence: { receipt, ...evidence },
    });
    const owed =
      "The house showed no path from the bet to the closing. It owes one to its member: /api/fair/proof?id=bet_1.";
    expect(sentencesOf(finding({}), logOf(house))).toEqual([SIGNED, owed]);
    const counts = `A signed head holds the closing of ${GAME} ${roundAt(1)}: 2 bets, 4.00 together.`;
    expect(sentencesOf(finding({ closing }), logOf(house))).toEqual([SIGNED, counts, owed]);
  });

  const only = rootOfBet(betOf(new House()));
  it.each<[string, Partial<Leaf<"close">>, isLeftOut: boolean]>([
    ["counts two, of just its stake", { bets: 2, stake: 400 }, false],
    ["counts two, of less than its stake", { bets: 2, stake: 399 }, true],
    ["counts it alone", { bets: 1, bets_root: only }, false],
    ["counts one, which is another", { bets: 1 }, true],
    ["counts none", { bets: 0 }, true],
    ["counts none, and names it all the same", { bets: 0, bets_root: only }, true],
  ])("is left out where the closing %s: %j", (_, more, isLeftOut) => {
    const { closing, judge } = closed(more);
    const told = ["signed receipt", "signed closing"];
    expect(judge("notCounted", { closing })).toEqual(
      isLeftOut ? ["proven left-out", ...told] : [...told, "claimed not-counted"],
    );
  });

  it("is told with what the closing counts", () => {
    const { house, receipt, closing } = closed({ stake: 399 });
    const finding: Written = { kind: "notCounted", subject: "bet_1", member: MEMBER, evidence: { receipt, closing } };
    expect(sentencesOf(finding, logOf(house))[0]).toBe(
      `bet_1: the receipt is signed, and the signed closing of ${GAME} ${roundAt(1)} has no such bet: it counts 2, of 3.99 together.`,
    );
  });

  it("is not judged by the closing of another round or game", () => {
    const { house, second, judge } = closed();
    expect(judge("notCounted", { closing: second })).toEqual(["broken closing"]);
    const other = { ...keptClosing(house.close(3, { game: "k3-5m", round: roundAt(1) })), game: "k3-5m" };
    const renamed = { ...other, round: roundAt(1) };
    expect(judge("notCounted", { closing: renamed })).toEqual(["broken closing"]);
  });
});

describe("a bet on other terms than its round", () => {
  /** Round 1 as it opened, and where that stands in the newest head. */
  function opened(more: Partial<Leaf<"open">> = {}) {
    const house = new House();
    house.stateOpen(1, more);
    const told = house.close(1, { bets: 2, stake: 400 });
    const { leaf, number } = house.openingOf(1);
    const opening = { head: told.head, leaf, number, path: house.inclusion(number) };
    const judge = (evidence: object) => {
      const all = { receipt: keptReceipt(house), ...evidence };
      return { kind: "terms", subject: "bet_1", member: MEMBER, evidence: all } as const;
    };
    return { house, closing: keptClosing(told), opening, judge, log: logOf(house) };
  }

  it("convicts where a signed head holds the opening, and names each term", () => {
    for (const [name, more] of [
      ["commit", { commit: "cd".repeat(32) }],
      ["odds", { odds: "8" }],
      ["odds_hash", { odds_hash: "cd".repeat(32) }],
      ["rule", { beacon_rule: `${drandMode(QUICKNET)}:1000` }],
      ["unit", { unit: "JPY" }],
      ["odds, unit", { odds: "8", unit: "JPY" }],
    ] as const) {
      const { opening, closing, judge, log } = opened(more);
      expect(sentencesOf(judge({ opening }), log)[0]).toBe(
        `bet_1: the receipt is signed, and so is a head with the opening of ${GAME} ${roundAt(1)}. They do not agree in this: ${name}.`,
      );
      const says = ["proven other-terms", "signed receipt", "signed closing", "signed opening"];
      expect(idsOf(judge({ opening, closing }), log)).toEqual(says);
    }
  });

  it("is claimed where no opening is shown, with the closing where it is kept", () => {
    const { closing, judge, log } = opened();
    expect(idsOf(judge({}), log)).toEqual(["signed receipt", "claimed terms"]);
    expect(idsOf(judge({ opening: null }), log)).toEqual(["signed receipt", "claimed terms"]);
    expect(idsOf(judge({ closing }), log)).toEqual(["signed receipt", "signed closing", "claimed terms"]);
    expect(idsOf(judge({ closing: { ...closing, path: [] } }), log)).toEqual(["broken closing"]);
  });

  it("is none where the opening says the same", () => {
    const { opening, judge, log } = opened();
    expect(idsOf(judge({ opening }), log)).toEqual(["broken same"]);
  });

  it("is not judged by what is no opening of its round in a signed head", () => {
    const { house, opening, closing, judge, log } = opened({ odds: "8" });
    house.close(2);
    const second = house.openingOf(2);
    for (const spoilt of [
      { ...opening, path: [] },
      { ...opening, number: opening.number + 1 },
      { ...opening, leaf: opening.leaf.replace('"8"', '"9"') },
      { ...opening, head: unsigned(opening.head) },
      { head: closing.head, leaf: closing.leaf, number: closing.number, path: closing.path },
      { head: house.note(), ...second, path: house.inclusion(second.number) },
    ])
      expect(idsOf(judge({ opening: spoilt }), { ...log, newest: house.note() })).toEqual(["broken opening"]);
  });
});

describe.each(["notCounted", "terms"] as const)("%s", (kind) => {
  it.each(FOREIGN)("is not judged by a receipt that %s", (_, spoil) => {
    const { house, receipt, judge } = closed();
    expect(judge(kind, { receipt: { ...receipt, ...spoil(house, receipt) } })).toEqual(["broken receipt"]);
  });
});

describe("a bet that a restored house no longer has", () => {
  const lost = () => {
    const house = new House();
    const next = restored(house);
    const [before, log] = [logOf(house), logOf(next)];
    const receipt = keptReceipt(house);
    const subject = `bet_1 of ${before.origin}`;
    const finding = { kind: "betLost", subject, member: MEMBER, evidence: { receipt, log } } as const;
    return { house, next, before, log, receipt, finding };
  };
  const judge = (finding: Written, ...logs: EvidenceLog[]) => idsOf({ origin: logs[0]!.origin, ...finding }, ...logs);

  it("is told with its receipt from the log before", () => {
    const { before, log, finding } = lost();
    expect(sentencesOf({ ...finding, origin: log.origin }, before, log)).toEqual([
      SIGNED,
      "After a loss, the house no longer has the bet bet_1, of which it had signed this receipt.",
    ]);
  });

  it("is to be of the log before, whose keys are known, and what the finding names", () => {
    const { next, before, log, receipt, finding } = lost();
    expect(judge(finding, log)).toEqual(["claimed keys"]);
    expect(judge({ ...finding, subject: `bet_2 of ${before.origin}` }, log, before)).toEqual(["broken subject"]);
    expect(judge({ ...finding, member: "mem_8" }, log, before)).toEqual(["broken receipt"]);
    expect(judge({ ...finding, evidence: { receipt, log: before } }, log, before)).toEqual(["broken log"]);
    const own = { receipt: keptReceipt(next), log };
    expect(judge({ ...finding, evidence: own }, log, before)).toEqual(["broken receipt"]);
  });
});
