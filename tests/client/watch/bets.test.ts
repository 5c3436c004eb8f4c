import { verdictOfText } from "#client/screens/log/judge-evidence.ts";
import { evidenceOf, shownOf } from "#client/watch/evidence-of.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { describe, expect, it } from "vitest";
import type { PublishedOdds, ShownOdds } from "#shared/lottery/shown-odds.ts";
import { allDraws } from "#shared/lottery/dice.ts";
import { chanceOf } from "#shared/lottery/odds.ts";
import { type PlacedBet } from "#client/watch/check-bet.ts";
import { toDecimal } from "#shared/money.ts";
import { oddsRecord } from "#shared/lottery/odds-record.ts";
import { GAME, House, MEMBER, ODDS, roundAt } from "./house.ts";
import { restored } from "./restored.ts";
import { Phone } from "./phone.ts";
import { betting, drawn, winOf } from "./betting.ts";

describe("a receipt", () => {
  it("that says what was shown is kept", async () => {
    const { phone, take, bet } = await betting();
    expect(await take()).toBe("right");
    expect(await phone.kept.newestReceipt(MEMBER, "bet_1")).toMatchObject({ receipt: bet.receipt, state: "taken" });
    expect(phone.told).toContainEqual({ to: "receiptKept" });
    expect(await phone.found()).toEqual([]);
  });

  it("that comes again is the same one", async () => {
    const { phone, take } = await betting();
    await take();
    expect(await take()).toBe("right");
    expect(await phone.kept.receipts(MEMBER)).toHaveLength(1);
  });

  it.each<[string, Partial<PlacedBet>]>([
    ["another order", { order: "bet_9" }],
    ["another member", { member: "mem_8" }],
    ["another game", { game: "k3-5m" }],
    ["another round", { round: roundAt(2) }],
    ["another option", { options: ["B", "7"] }],
    ["fewer options", { options: ["A"] }],
    ["another stake", { stake: 100 }],
    ["another unit", { unit: "JPY" }],
  ])("of %s is wrong, and kept as evidence", async (_, other) => {
    const { phone, take } = await betting();
    expect(await take(other)).toBe("wrong");
    const [finding] = await phone.kept.findings(other.member ?? MEMBER);
    expect(finding).toMatchObject({ kind: "receipt", evidence: { shown: other } });
  });

  it("with another commit than the round showed is wrong", async () => {
    const { phone, take } = await betting({ commit: "cd".repeat(32) });
    expect(await take()).toBe("wrong");
    expect(await phone.found()).toEqual(["receipt"]);
  });

  it("under a beacon's rule that this app cannot check is wrong", async () => {
    const { take } = await betting({ rule: `drand:${"ab".repeat(32)}:7` });
    expect(await take()).toBe("wrong");
  });

  it("under another mode than the board showed is wrong", async () => {
    for (const [beacon, taken] of [
      ["drand", "wrong"],
      ["none", "right"],
    ] as const) {
      const { take } = await betting();
      expect(await take({ beacon })).toBe(taken);
    }
  });

  it("of another house is wrong", async () => {
    const { take } = await betting();
    expect(await take({}, new House("other").bet("bet_1", 1).receipt)).toBe("wrong");
  });

  it("that is no receipt is wrong", async () => {
    const { take } = await betting();
    expect(await take({}, "no-receipt")).toBe("wrong");
  });

  it("that differs from the one before is wrong, and the first one stays", async () => {
    const { house, phone, take, bet } = await betting();
    await take();
    expect(await take({}, house.bet("bet_1", 1).receipt)).toBe("wrong");
    expect((await phone.kept.newestReceipt(MEMBER, "bet_1"))!.receipt).toBe(bet.receipt);
    expect(await phone.found()).toEqual(["receipt"]);
  });

  it("of a restored house may have the name of one that was lost, and both are kept", async () => {
    const { house, phone, take } = await betting();
    await take();
    const next = restored(house);
    phone.house = next;
    await phone.hear({ type: "head", head: next.note() }, next.open(2));
    await phone.wait();
    const later = next.bet("bet_1", 2);
    expect(await phone.watcher.answer("take", later)).toBe("right");
    expect(await phone.found()).toEqual(["restored"]);
    expect(await phone.kept.receipts(MEMBER)).toHaveLength(2);
    expect(await phone.watcher.answer("order", { member: MEMBER, order: "bet_1", origin: null })).toMatchObject({
      receipt: { receipt: later.receipt },
    });
  });

  it("is not judged while the log cannot be reached", async () => {
    const phone = new Phone(new House());
    phone.instead.head = () => {
      throw new Error("no answer");
    };
    const { placed, receipt } = phone.house.bet("bet_1", 1);
    expect(await phone.watcher.answer("take", { placed, receipt })).toBe("unknown");
  });
});

describe("after the result", () => {
  it("a bet is found among those of the told closing, and its payout is right", async () => {
    const { phone, told, settle, state, win } = await drawn();
    await phone.hears(told);
    await settle();
    await phone.wait();
    expect(await state()).toBe("counted");
    expect(await phone.report()).toMatchObject({
      bets: { counted: 1, waiting: 0, untold: 0, dropped: 0 },
      findings: [],
    });
    expect((await phone.kept.newestReceipt(MEMBER, "bet_1"))!.payout).toEqual({ win, isRight: true, credit: "there" });
  });

  it.each<[string, (one: ShownOdds) => Partial<ShownOdds>, string[]]>([
    ["as they are", () => ({}), []],
    ["better than they are taken", () => ({ pays: ["9.9"] }), ["odds"]],
    ["with a return that they do not give", ({ rtp }) => ({ rtp: rtp + 0.02 }), ["return"]],
    ["of an option that there is not", () => ({ type: "Z" }), ["odds", "return"]],
  ])("the odds that the board showed %s", async (_, change, faults) => {
    const one = await betting();
    const rules = rulesOf("dice-sum");
    const odds = ODDS.options
      .filter(({ type }) => one.bet.placed.options.includes(type))
      .map(({ type, pays, milli }) => {
        const option = rules.options.find((own) => own.type === type)!;
        const shown = { type, pays, rtp: chanceOf(option, milli, allDraws(rules.dice)).rtp };
        return { ...shown, ...change(shown) };
      });
    expect(await one.take({ odds })).toBe("right");
    const told = one.house.close(1);
    const win = winOf(one.house, one.bet.receipt);
    await one.phone.hears(told);
    const orders = [{ member: MEMBER, order: "bet_1", win }];
    await one.phone.hear(one.house.result(1), { type: "settled", orders });
    await one.phone.wait();
    const found = await one.phone.kept.findings(MEMBER);
    expect(found.flatMap(({ evidence }) => (evidence as { faults: string[] }).faults)).toEqual(faults);
  });

  it.each<[string, (one: PublishedOdds) => Partial<PublishedOdds>, number]>([
    ["as they follow from its odds", () => ({}), 0],
    ["with a higher return", ({ rtp }) => ({ rtp: rtp + 0.001 }), 1],
    ["with a higher chance", ({ probability }) => ({ probability: probability + 0.001 }), 1],
    ["with a rate too many", ({ pays }) => ({ pays: [...pays, "2"] }), 0],
    ["with no rate", () => ({ pays: [] }), 1],
    ["of an option that is not known here", () => ({ type: "Z", rtp: 9 }), 0],
  ])("a board that shows chances and returns %s is judged before a bet", async (_, change, found) => {
    const phone = new Phone(new House());
    const rules = rulesOf("dice-sum");
    const odds = ODDS.options.map(({ type, pays, milli }, place) => {
      const shown = { type, pays, ...chanceOf(rules.options[place]!, milli, allDraws(rules.dice)) };
      return place === 1 ? { ...shown, ...change(shown) } : shown;
    });
    await phone.hear({ type: "board", game: GAME, kind: "dice-sum", odds });
    await phone.hear({ type: "board", game: GAME, kind: "a newer kind", odds: [{ ...odds[0]!, rtp: 9 }] });
    expect(await phone.found()).toEqual(Array.from({ length: found }, () => "odds"));
  });

  it("a bet without a told closing is counted apart", async () => {
    const { phone, settle, state } = await drawn();
    await settle();
    await phone.wait();
    expect(await state()).toBe("untold");
    expect((await phone.report()).bets).toEqual({ counted: 0, waiting: 0, untold: 1, dropped: 0 });
  });

  it("a bet whose result this phone missed is checked at the next visit", async () => {
    const { phone, told, state } = await drawn();
    await phone.hears(told);
    phone.now += 120_000;
    await phone.hear({ type: "member", member: MEMBER });
    await phone.wait();
    expect(await state()).toBe("counted");
  });

  it("a bet that the house does not answer for waits", async () => {
    const { phone, told, settle, state } = await drawn();
    await phone.hears(told);
    await settle();
    phone.instead.proof = () => {
      throw new Error("no answer");
    };
    await expect(phone.wait()).rejects.toThrow("no answer");
    expect([await state(), await phone.found()]).toEqual(["taken", []]);
  });

  it("a bet that the house says it does not know is evidence", async () => {
    const { phone, told, settle } = await drawn();
    await phone.hears(told);
    await settle();
    phone.instead.proof = () => null;
    await phone.wait();
    expect(await phone.found()).toEqual(["notCounted"]);
  });

  const other = "cd".repeat(32);
  it.each<[string, (house: House) => object]>([
    ["shows another bet", (house) => ({ ...house.proof("bet_2"), index: 1 })],
    ["shows another salt", () => ({ salt: other })],
    ["leads elsewhere", () => ({ path: [other, other] })],
    ["is no path", () => ({ path: ["short"] })],
    ["leads from another place", () => ({ index: 2 })],
    ["leads to another root", () => ({ bets_root: other })],
    ["counts other bets", () => ({ count: 4 })],
  ])("a proof that %s is evidence", async (_, spoil) => {
    const { house, phone, told, settle, state } = await drawn();
    await phone.hears(told);
    await settle();
    phone.instead.proof = ({ id }) => ({ ...house.proof(id), ...spoil(house) });
    await phone.wait();
    expect([await phone.found(), await state()]).toEqual([["notCounted"], "wrong"]);
  });

  it("a bet of a log before the one of today is no evidence", async () => {
    const { phone, told, settle, state } = await drawn();
    await phone.hears(told);
    await settle();
    phone.house = new House("next");
    await phone.hear({ type: "head", head: phone.house.note() });
    phone.instead.proof = () => null;
    await phone.wait();
    expect([await phone.found(), await state()]).toEqual([["otherLog"], "taken"]);
  });

  it("another log that answers before it was met is told as such, and accuses nobody", async () => {
    const { phone, told, settle, state } = await drawn();
    await phone.hears(told);
    await settle();
    const next = new House("next");
    next.bet("bet_1", 1, { stake: 500 });
    phone.house = next;
    await phone.wait();
    expect([await phone.found(), await state()]).toEqual([["otherLog"], "taken"]);
  });

  it("a receipt of another log that was not met yet is judged by that one", async () => {
    const { phone } = await betting();
    phone.house = new House("next");
    expect(await phone.watcher.answer("take", phone.house.bet("bet_1", 2))).toBe("right");
    expect(await phone.found()).toEqual(["otherLog"]);
  });

  it.each([
    ["no bets", { bets: 0 }],
    ["as many others", { bets: 1 }],
  ])("a bet that was left out of a closing of %s is evidence", async (_, more) => {
    const { house, phone, bet, take } = await betting();
    await take();
    await phone.hears(house.close(1, { ...more, bets_root: other }));
    await phone.hear(house.result(1), {
      type: "settled",
      orders: [{ member: MEMBER, order: bet.placed.order, win: "0.00" }],
    });
    await phone.wait();
    expect(await phone.found()).toEqual(["notCounted"]);
  });

  it("a payout that is too low is evidence", async () => {
    const { phone, told, settle, win } = await drawn();
    await phone.hears(told);
    await settle(toDecimal(Number(win.replace(".", "")) + 1));
    await phone.wait();
    expect(await phone.found()).toEqual(["payout"]);
    expect((await phone.report()).findings[0]).toMatchObject({ member: MEMBER, subject: "bet_1" });
  });

  it.each<[string, (house: House) => object]>([
    [
      "other odds than the receipt names",
      () => ({ odds: oddsRecord(rulesOf("dice-sum"), rulesOf("dice-sum").odds, { ...ODDS, period: 30 }) }),
    ],
    ["odds with a false hash", (house) => ({ odds: { ...house.fairRound(roundAt(1)).odds!, hash: other } })],
    ["no odds", () => ({ odds: null })],
  ])("a payout at %s is evidence", async (_, spoil) => {
    const { house, phone, told, settle } = await drawn();
    await phone.hears(told);
    await settle();
    phone.instead.round = ({ expect: round }) => ({ ...house.fairRound(round), ...spoil(house) });
    await phone.wait();
    expect(await phone.found()).toEqual(["payout"]);
  });

  it("a payout that is too low brings what the log says that the round paid", async () => {
    const { house, phone, told, settle, win } = await drawn();
    await phone.hears(told);
    const { leaf } = house.stateSettle(1, 1);
    await settle(toDecimal(Number(win.replace(".", "")) + 1));
    await phone.wait();
    const [finding] = await phone.kept.findings(MEMBER);
    expect(finding).toMatchObject({ kind: "payout", evidence: { settled: { leaf } } });
  });

  it("the dice for the payout follow from the checked seed, whatever the house shows later", async () => {
    const { house, phone, told, settle } = await drawn();
    await phone.hears(told);
    await settle();
    await phone.round(2);
    phone.instead.round = ({ expect: round }) => ({ ...house.fairRound(round), opencode: [1, 1, 1] });
    await phone.wait();
    expect(await phone.found()).toEqual([]);
  });
});

describe("what is a member's own", () => {
  it("is shown to nobody else, and forgotten when they ask", async () => {
    const { phone, take } = await betting();
    await take();
    await take({}, "no-receipt");
    const reportFor = (member: string) =>
      phone.watcher.answer("report", { member, page: "https://house.example/Proof" });
    expect((await reportFor("mem_8")).findings).toEqual([]);
    expect((await reportFor("mem_8")).bets).toEqual({ counted: 0, waiting: 0, untold: 0, dropped: 0 });
    expect((await reportFor(MEMBER)).findings).toHaveLength(1);
    expect(await phone.watcher.answer("order", { member: "mem_8", order: "bet_1", origin: null })).toBeNull();
    expect(await phone.watcher.answer("order", { member: MEMBER, order: "bet_1", origin: null })).toMatchObject({
      closing: null,
    });
    await phone.watcher.answer("forget", { member: MEMBER });
    expect((await reportFor(MEMBER)).findings).toEqual([]);
    expect(await phone.kept.receipts(MEMBER)).toEqual([]);
    expect((await phone.report()).log).not.toBeNull();
  });

  it("is dropped after 30 days only once it was checked", async () => {
    const { phone, house, told, settle } = await drawn();
    await phone.hears(told);
    await settle();
    await phone.wait();
    const waiting = house.bet("bet_8", 2);
    await phone.watcher.answer("take", waiting);
    phone.now += 31 * 86_400_000;
    await phone.watcher.begin(null);
    expect((await phone.kept.receipts(MEMBER)).map(({ order }) => order)).toEqual(["bet_8"]);
    expect((await phone.report()).bets).toEqual({ counted: 1, waiting: 1, untold: 0, dropped: 0 });
    expect(await phone.kept.closing(house.signer.key.name, GAME, roundAt(1))).toBeUndefined();
  });

  it("that a closing leaves out is shown with what the file proves by itself", async () => {
    const { house, phone, take } = await betting();
    await take();
    await phone.hears(house.close(1, { bets: 0, bets_root: "cd".repeat(32) }));
    phone.instead.proof = () => null;
    await phone.hear(house.result(1), { type: "settled", orders: [{ member: MEMBER, order: "bet_1", win: "0.00" }] });
    await phone.wait();
    const shown = (await phone.watcher.answer("order", { member: MEMBER, order: "bet_1", origin: null }))!;
    expect(shown).toMatchObject({ receipt: { state: "taken" }, findings: [{ kind: "notCounted" }] });
    expect(verdictOfText(evidenceOf(shownOf(shown), "https://house.example", 0))).toBe("convicts");
  });
});
