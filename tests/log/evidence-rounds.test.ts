import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import type { Result } from "#shared/contract/events.ts";
import { commitOf, drawOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { QUICKNET, ruleOf } from "#shared/lottery/beacon.ts";
import { oddsRecord } from "#shared/lottery/odds-record.ts";
import { seedAt } from "#shared/lottery/seed-at.ts";
import type { Content } from "#shared/log/salted.ts";
import { QUICKNET_1000 } from "../support/drand-relay.ts";
import { GAME, House, MEMBER, ODDS, roundAt } from "../client/watch/house.ts";
import { DAY, KIND } from "../client/watch/game.ts";
import { betOf, idsOf, keptClosing, keptReceipt, logOf, sentencesOf, unsigned, type Written } from "./evidence-file.ts";

const { signature, randomness } = QUICKNET_1000;
const BEACON = { rule: ruleOf({ chain: QUICKNET.hash, round: 1_000 }), beacon: randomness };
const OTHER = "cd".repeat(32);
const A_DAY = 86_400;

describe("the result of a round", () => {
  const house = new House();
  const closing = keptClosing(house.close(1));
  const log = logOf(house);
  const result = (house.result(1) as { result: Result }).result;
  const found = (evidence: object): Written => ({ kind: "dice", evidence: { result, closing: null, ...evidence } });
  /** What arithmetic says against it. */
  const faults = (evidence: object) => idsOf(found(evidence), log).slice(0, -1);

  it("is claimed, beside its signed closing, where nothing contradicts it", () => {
    expect(idsOf(found({}), log)).toEqual(["claimed result"]);
    expect(
      sentencesOf(found({ closing, commit: house.commit(1), from: { number: 0, seed: house.anchor } }), log),
    ).toEqual([
      `A signed head holds the closing of ${GAME} ${roundAt(1)}: 0 bets, 0.00 together.`,
      "The house told this commit or result. It is not signed; the log's own draw is: npm run verify -- log.",
    ]);
  });

  it("is claimed, too, where another opening or draw was compared", () => {
    expect(idsOf({ kind: "otherCommit", evidence: { before: OTHER, now: {} } }, log)).toEqual(["claimed result"]);
    expect(idsOf({ kind: "seed", evidence: { receipt: "receipt" } }, log)).toEqual(["claimed result"]);
  });

  it("is everybody's, and its closing is to be signed", () => {
    expect(idsOf({ ...found({}), member: MEMBER }, log)).toEqual(["broken member"]);
    expect(idsOf(found({ closing: { ...closing, head: unsigned(closing.head) } }), log)).toEqual(["broken closing"]);
  });

  it.each<[string, unknown]>([
    ["is none", null],
    ["is of a kind that is not known", { ...result, kind: "cards" }],
    ["is of no round", { ...result, expect: "20260302" }],
    ["has no dice", { ...result, opencode: null }],
  ])("is not computed where it %s", (_, one) => {
    expect(faults({ result: one, commit: OTHER })).toEqual([]);
  });

  it("contradicts its commit where that is a hash", () => {
    expect(faults({ commit: OTHER })).toEqual(["reckoned bad-commit"]);
    expect(faults({ commit: "commit" })).toEqual([]);
    expect(faults({ commit: house.commit(1) })).toEqual([]);
  });

  it("contradicts its seed where that is none", () => {
    expect(faults({ result: { ...result, seed: "seed" } })).toEqual(["reckoned bad-seed"]);
  });

  it.each<[string, { number: number; seed: string }, isLinked: boolean]>([
    ["the anchor of its day", { number: 0, seed: house.anchor }, true],
    ["its own seed", { number: 1, seed: result.seed }, true],
    ["a later seed", { number: 5, seed: house.seed(5) }, true],
    ["another anchor", { number: 0, seed: OTHER }, false],
    ["another seed of its own", { number: 1, seed: OTHER }, false],
    ["another later seed", { number: 5, seed: OTHER }, false],
    ["the same seed of an earlier round", { number: 0, seed: result.seed }, false],
    ["the same seed of a later round", { number: 2, seed: result.seed }, false],
    ["a seed that no day has", { number: Number.MAX_SAFE_INTEGER, seed: OTHER }, false],
  ])("follows or does not from %s", (_, from, isLinked) => {
    expect(faults({ from })).toEqual(isLinked ? [] : ["reckoned bad-seed"]);
  });

  it("follows from no seed that is further away than a day is long", () => {
    const seed = OTHER;
    const told = (links: number) => {
      const first = seedAt({ number: links, seed }, 0);
      const dice = drawOf(rulesOf(KIND), first, { gameKey: GAME, round: roundAt(1), rule: "none", beacon: "" });
      return { result: { ...result, seed: bytesToHex(first), opencode: dice }, from: { number: 1 + links, seed } };
    };
    expect(faults(told(A_DAY))).toEqual([]);
    expect(faults(told(A_DAY + 1))).toEqual(["reckoned bad-seed"]);
  });

  it("is not asked about what was known before where that is no seed", () => {
    for (const from of [null, { number: 1, seed: "seed" }, { number: -1, seed: OTHER }, { seed: OTHER }])
      expect(faults({ from })).toEqual([]);
  });

  it("contradicts its seed with other dice", () => {
    expect(faults({ result: { ...result, opencode: house.dice(2).map((face) => 7 - face) } })).toEqual([
      "reckoned bad-dice",
    ]);
  });

  it("is drawn with the beacon that its rule names, which the chain signed", () => {
    const drawn = { ...result, ...BEACON, beacon_signature: signature, opencode: house.dice(1, BEACON) };
    expect(faults({ result: drawn })).toEqual([]);
    const later = { ...BEACON, rule: ruleOf({ chain: QUICKNET.hash, round: 1_001 }) };
    const dice = house.dice(1, later);
    expect(faults({ result: { ...drawn, ...later, opencode: dice } })).toEqual(["reckoned bad-beacon"]);
    expect(faults({ result: { ...result, beacon_signature: signature } })).toEqual(["reckoned bad-beacon"]);
    expect(
      faults({ result: { ...drawn, beacon: OTHER, opencode: house.dice(1, { ...BEACON, beacon: OTHER }) } }),
    ).toEqual(["reckoned bad-beacon"]);
  });
});

/** A bet, its round and its seed, as a finding about its payout has them. */
function bet(more: Partial<Content<"bet">> = {}) {
  const house = new House();
  const receipt = keptReceipt(house, betOf(house, more));
  const round = house.fairRound(roundAt(1));
  const seedOf = (number: number, seed: string) => ({
    origin: house.signer.key.name,
    game: GAME,
    day: DAY,
    number,
    seed,
  });
  const shown = { receipt, round, seed: seedOf(1, house.seed(1)), win: "0.01" };
  const said = (evidence: object) => {
    const finding = { kind: "payout", subject: "bet_1", member: MEMBER, evidence: { ...shown, ...evidence } } as const;
    return sentencesOf(finding, logOf(house));
  };
  /** What the bet is computed to win. */
  const won = (evidence: object) => said(evidence).find((one) => one.startsWith("By its signed receipt")) ?? null;
  return { house, round, shown, seedOf, said, won };
}

describe("what a bet wins", () => {
  // The seed of round 1 throws a sum that pays one of the two options.
  const wins = (win: string) =>
    `By its signed receipt, its odds and the seed that its commit fixed, bet_1 wins ${win}.`;

  it("follows from its receipt, its odds and its seed, also from a later one", () => {
    const { house, round, said, won } = bet();
    const dice = house.dice(1);
    const sum = dice.reduce((all, face) => all + face, 0);
    const options = ODDS.options.filter(({ type }) => type === (sum > 10 ? "A" : "B") || type === String(sum));
    expect(options).toHaveLength(2);
    const both = bet({ options: options.map(({ type }) => type) });
    const milli = options.reduce((all, one) => all + one.milli[0]!, 0);
    const due = ((200 * milli) / 100_000).toFixed(2);
    expect(both.won({})).toBe(wins(due));
    expect(both.won({ seed: both.seedOf(9, house.seed(9)) })).toBe(wins(due));
    expect(both.won({ seed: undefined, draw: { seed: house.seed(1) } })).toBe(wins(due));
    expect(round.opencode).toEqual([...dice]);
    expect(said({})).toEqual([
      expect.stringContaining("The receipt of bet_1 is signed"),
      won({}),
      "The house paid 0.01. That is not signed here; the member's signed export says what was paid.",
    ]);
  });

  const unlike = ODDS.options.flatMap(({ milli }) => milli.map((rate) => rate + 1));
  const otherOdds = oddsRecord(rulesOf(KIND), unlike, {
    game: GAME,
    id: "1",
    period: 60,
    close: 3,
    unit: "point",
    from: 0,
  });
  it.each<[string, (one: ReturnType<typeof bet>) => object]>([
    ["no round is shown", () => ({ round: null })],
    ["no seed is shown", () => ({ seed: undefined })],
    ["the seed is none", ({ house, seedOf }) => ({ seed: seedOf(1, `${house.seed(1)}00`) })],
    ["the draw has none", () => ({ draw: { seed: "seed" } })],
    ["the seed is of a round before", ({ house, seedOf }) => ({ seed: seedOf(0, house.seed(1)) })],
    ["the seed is of no round of a day", ({ seedOf }) => ({ seed: seedOf(Number.MAX_SAFE_INTEGER, OTHER) })],
    ["the seed is not that of the commit", ({ seedOf }) => ({ seed: seedOf(1, OTHER) })],
    ["the kind of game is not known", ({ round }) => ({ round: { ...round, kind: "cards" } })],
    ["the odds are others", ({ round }) => ({ round: { ...round, odds: otherOdds } })],
    [
      "the odds have another hash than theirs",
      ({ round }) => ({ round: { ...round, odds: { ...otherOdds, hash: ODDS.hash } } }),
    ],
    ["the rule is another", ({ round }) => ({ round: { ...round, ...BEACON, beacon_signature: signature } })],
    ["a beacon stands beside the rule", ({ round }) => ({ round: { ...round, beacon: randomness } })],
  ])("is not known where %s", (_, spoil) => {
    const one = bet();
    expect(one.won(spoil(one))).toBe(null);
    expect(one.won({})).not.toBe(null);
  });

  it("is not known for an option that its game does not have", () => {
    expect(bet({ options: ["A", "none"] }).won({})).toBe(null);
  });

  it("is not known under a rule that no reader knows", () => {
    const { round, won } = bet({ rule: BEACON.rule });
    expect(won({ round: { ...round, rule: BEACON.rule } })).toBe(null);
  });

  it("takes the beacon that its rule names, where the chain signed it", () => {
    const { house, round, won } = bet({ rule: BEACON.rule });
    const drawn = { ...round, ...BEACON, beacon_signature: signature };
    const draws = drawOf(rulesOf(KIND), hexToBytes(house.seed(1)), { gameKey: GAME, round: roundAt(1), ...BEACON });
    expect(draws).not.toEqual(house.dice(1));
    expect(won({ round: drawn })).not.toBe(null);
    const later = bet({ rule: ruleOf({ chain: QUICKNET.hash, round: 1_001 }) });
    const rule = ruleOf({ chain: QUICKNET.hash, round: 1_001 });
    expect(later.won({ round: { ...drawn, rule } })).toBe(null);
  });

  it("may be nothing", () => {
    const { house, won } = bet({ options: ["18"] });
    expect(house.dice(1).join()).not.toBe("6,6,6");
    expect(won({})).toBe(wins("0.00"));
    expect(commitOf(hexToBytes(house.seed(1)))).toBe(house.commit(1));
  });

  describe("and a signed head says what its round paid in all", () => {
    const GAIN = 390;
    const sum = new House().dice(1).reduce((all, face) => all + face, 0);
    /** The first round is stated to have paid so much, in the newest head. */
    function settled(payout: number, number = 1) {
      const { house, shown, said } = bet({ options: [sum > 10 ? "A" : "B"] });
      const stated = house.stateSettle(number, payout);
      const place = { ...stated, head: house.note(), path: house.inclusion(stated.number) };
      const says = (over: object = {}) =>
        idsOf(
          { kind: "payout", subject: "bet_1", member: MEMBER, evidence: { ...shown, settled: place, ...over } },
          logOf(house),
        );
      return { house, place, said, says };
    }

    it("convicts where that is less than the bet wins", () => {
      const { place, said, says } = settled(GAIN - 1);
      const facts = ["signed receipt", "reckoned won", "claimed paid", "signed settlement"];
      expect(says()).toEqual(["proven underpaid", ...facts]);
      expect(said({ settled: place })[0]).toBe(
        `bet_1 wins 3.90 by its signed receipt, its odds and the seed that its commit fixed. A signed head says that all of ${GAME} ${roundAt(1)} together was paid 3.89.`,
      );
      expect(settled(GAIN).says()).toEqual(facts);
      expect(settled(0).says({ seed: undefined })).toEqual(facts.filter((one) => one !== "reckoned won"));
    });

    it("is not judged by what does not stand in the head, or by another round", () => {
      const { house, place, says } = settled(0);
      for (const spoilt of [
        { ...place, path: [] },
        { ...place, leaf: place.leaf.replace('"payout":0', '"payout":1') },
        { ...place, head: unsigned(place.head) },
      ])
        expect(says({ settled: spoilt })).toEqual(["broken settlement"]);
      expect(settled(0, 2).says()).toEqual(["broken settlement"]);
      const { close: other, path } = house.close(1);
      expect(says({ settled: { ...other, path, head: house.note() } })).toEqual(["broken settlement"]);
      expect(says({ settled: null })).toEqual(["signed receipt", "reckoned won", "claimed paid"]);
    });
  });

  describe("and a signed head binds what its round paid the member", () => {
    const GAIN = 390;
    const sum = new House().dice(1).reduce((all, face) => all + face, 0);
    const option = sum > 10 ? "A" : "B";
    /** The first round paid others enough, and the member so much. */
    function settled(own: number, more: Partial<Content<"payout">> = {}, all = 9_000) {
      const { house, shown, said } = bet({ options: [option] });
      house.bet("bet_1", 1);
      const stated = house.stateSettle(1, all, own, more);
      const { paid } = house.payout("bet_1");
      const evidence = { settled: { ...stated, head: house.note(), path: house.inclusion(stated.number) }, paid };
      const says = (over: object = {}, of = evidence) =>
        idsOf(
          { kind: "payout", subject: "bet_1", member: MEMBER, evidence: { ...shown, ...of, ...over } },
          logOf(house),
        );
      const again = keptReceipt(house, betOf(house, { order: "bet_2", options: [option] }), 2);
      return { house, evidence, said, says, again, paid: paid! };
    }
    const facts = ["signed receipt", "reckoned won", "claimed paid", "signed settlement"];

    it("convicts where that is less than the bet wins, whatever others were paid", () => {
      const { said, says, evidence } = settled(GAIN - 1);
      expect(says()).toEqual(["proven short-paid", ...facts, "signed payout"]);
      expect(said(evidence)[0]).toBe(
        `By their signed receipts, their odds and the seed that their commit fixed, bet_1 win 3.90 in ${GAME} ${roundAt(1)}. A signed head binds that their member was paid 3.89 there in all.`,
      );
      expect(said(evidence).at(-1)).toBe(`A signed head binds that ${GAME} ${roundAt(1)} paid the member 3.89 in all.`);
      expect(settled(GAIN).says()).toEqual([...facts, "signed payout"]);
    });

    it("convicts where it is less than all bets of the member win, of which each counts once", () => {
      const { house, says, again } = settled(2 * GAIN - 1);
      expect(says()).toEqual([...facts, "signed payout"]);
      expect(says({ others: [again, again] })).toEqual(["proven short-paid", ...facts, "signed payout"]);
      expect(settled(2 * GAIN).says({ others: [again, again] })).toEqual([...facts, "signed payout"]);
      const same = keptReceipt(house, betOf(house, { options: [option] }), 1);
      expect(says({ others: [same] })).toEqual([...facts, "signed payout"]);
    });

    it.each<[string, (house: House) => object]>([
      ["of another round", (house) => betOf(house, { order: "bet_2", round: roundAt(2) })],
      ["of another game", (house) => betOf(house, { order: "bet_2", game: "another" })],
      ["of another member", (house) => betOf(house, { order: "bet_2", member: "ab".repeat(32) })],
    ])("counts no bet %s", (_, other) => {
      const { house, says } = settled(GAIN);
      const kept = keptReceipt(house, { ...betOf(house), options: [option], ...other(house) }, 2);
      expect(says({ others: [kept] })).toEqual([...facts, "signed payout"]);
    });

    it("convicts nobody without the seed", () => {
      expect(settled(0).says({ seed: undefined })).toEqual([
        ...facts.filter((one) => one !== "reckoned won"),
        "signed payout",
      ]);
    });

    const spoil = (paid: { content: string }, from: string, to: string) => ({
      ...paid,
      content: paid.content.replace(from, to),
    });
    it.each<[string, (paid: ReturnType<typeof settled>["paid"]) => object]>([
      ["another amount", (paid) => spoil(paid, '"amount":5', '"amount":4')],
      ["another round", (paid) => spoil(paid, roundAt(1), roundAt(2))],
      ["another game", (paid) => spoil(paid, GAME, "another")],
      ["another unit", (paid) => spoil(paid, "point", "VND")],
      ["another member", (paid) => ({ ...paid, content: paid.content.replace(/[0-9a-f]{64}/, "ab".repeat(32)) })],
      ["no content", (paid) => ({ ...paid, content: "{}" })],
      ["another salt", (paid) => ({ ...paid, salt: "ab".repeat(32) })],
      ["no salt", (paid) => ({ ...paid, salt: "salt" })],
      ["another place", (paid) => ({ ...paid, index: 0 })],
      ["a shorter path", (paid) => ({ ...paid, path: paid.path.slice(1) })],
      ["no path", (paid) => ({ ...paid, path: paid.path.map(() => "hash") })],
    ])("is not judged by %s", (_, change) => {
      const { says, paid } = settled(5);
      expect(says({ paid: change(paid) })).toEqual(["broken payout"]);
    });

    it.each<[string, Partial<Content<"payout">>]>([
      ["another round", { round: roundAt(2) }],
      ["another game", { game: "another" }],
      ["another unit", { unit: "VND" }],
      ["another member", { member: "ab".repeat(32) }],
    ])("is not judged by what was paid for %s", (_, more) => {
      expect(settled(5, more).says()).toEqual(["broken payout"]);
    });

    it("convicts by the round's own sum, too, where that is less than what it is said to have paid the member", () => {
      expect(settled(GAIN, {}, GAIN - 1).says()).toEqual(["proven underpaid", ...facts, "signed payout"]);
    });

    it("is not judged where nothing was shown", () => {
      expect(settled(5).says({ paid: null })).toEqual(facts);
    });
  });

  it("is not computed for a receipt that does not hold", () => {
    const { house, shown } = bet();
    for (const kind of ["payout", "credit"] as const) {
      const evidence = { ...shown, due: "1.00", entries: [], balances: [] };
      const finding: Written = { kind, subject: "bet_2", member: MEMBER, evidence };
      expect(idsOf(finding, logOf(house))).toEqual(["broken receipt"]);
    }
  });

  it("is beside what the list of changes does not hold", () => {
    const { house, shown, won } = bet();
    const evidence = { ...shown, due: "1.00", entries: [], balances: [] };
    expect(sentencesOf({ kind: "credit", subject: "bet_1", member: MEMBER, evidence }, logOf(house))).toEqual([
      expect.stringContaining("The receipt of bet_1 is signed"),
      won({}),
      expect.stringContaining(`no payment of 1.00 or more for ${GAME} ${roundAt(1)}`),
    ]);
  });
});

describe("a board of odds", () => {
  const [option] = ODDS.options;
  const judge = (kind: string, odds: unknown) => sentencesOf({ kind: "odds", evidence: { game: GAME, kind, odds } });
  const CLAIM = `The board of ${GAME} showed this. A board is not signed; the odds in the log are.`;
  const board = [
    { type: option!.type, pays: option!.pays, rtp: 9, probability: 0.5 },
    { type: "7", pays: ["1"], rtp: 9, probability: 0.5 },
  ];

  it("whose chances do not follow from its payouts contradicts itself", () => {
    expect(judge(KIND, board)).toEqual([
      `The published chances or returns of ${option!.type} 7 do not follow from their payouts.`,
      CLAIM,
    ]);
  });

  it("is only claimed where it is none, or of a kind that is not known", () => {
    expect(judge("cards", board)).toEqual([CLAIM]);
    for (const odds of [null, [], [{ type: "7" }]]) expect(judge(KIND, odds)).toEqual([CLAIM]);
  });
});
