import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { houseEntries } from "#db/schema/ledger.ts";
import { logLeaves, logRounds, memberSalts } from "#db/schema/log.ts";
import { odds } from "#db/schema/lottery.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { LogRounds } from "#server/admin/audit/log-rounds.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { MemberSalt } from "#server/domains/log/member-salt.ts";
import { oddsLeaf } from "#server/domains/log/odds-leaf.ts";
import { keyOfRound, type RoundKind } from "#server/domains/log/round-keys.ts";
import { BetLeaves, payoutLeaf, Summing } from "#server/domains/log/round-leaves.ts";
import { leafText, type Leaf } from "#shared/log/leaf.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { roundText, spanOf } from "#shared/lottery/schedule.ts";
import { drawn, GAME, open, type Game, type Round } from "./audit-round-rows.ts";
import { emptyRows, type Rows } from "./audit-rows.ts";

const ROUND = "round k3-1m 20260302-0001";
const HASH = "[0-9a-f]{64}";
const ODDS = { id: 1, gameId: 1, milli: [...rulesOf(GAME.kind).odds], unit: "point", createdAt: 1 };
const { hash: ODDS_HASH } = oddsLeaf(GAME, ODDS);
const saltOf = (memberId: number) => memberId.toString(16).padStart(64, "0");

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
beforeEach(async () => {
  await rows.begin();
  await rows.read.insert(odds).values(ODDS);
  await rows.read.insert(memberSalts).values([1, 2, 3].map((memberId) => ({ memberId, salt: saltOf(memberId) })));
});
afterEach(() => rows.forget());
afterAll(() => rows.close());

type Bet = { id: number; memberId: number; mask: bigint; stake: number; total: number; createdAt: number };
type Payout = { memberId: number; amount: number };

const bet = (id: number, memberId: number, more: Partial<Bet> = {}): Bet => ({
  id,
  memberId,
  mask: 3n,
  stake: 100,
  total: 200,
  createdAt: open(1).openedAt,
  ...more,
});
const BETS = [bet(1, 2), bet(2, 1), bet(3, 2, { mask: 1n, total: 100 })];
const PAYOUTS: Payout[] = [
  { memberId: 2, amount: 500 },
  { memberId: 1, amount: 300 },
];

const subject = (round: Round) => ({ game: GAME.key, round: roundText(round) });

function opening(round: Round): Leaf<"open"> {
  const { commit, beaconRule: beacon_rule, closesAt: closes, drawsAt: draws } = round;
  const game = { rules: "dice-sum", period: 60, unit: "point", odds: "1", odds_hash: ODDS_HASH };
  const times = { opens: spanOf(GAME, round).opensAt, closes, draws };
  return { kind: "open", ...subject(round), ...game, commit, beacon_rule, ...times };
}

function summedBets(round: Round, bets: readonly Bet[]) {
  const [leaves, summing] = [new BetLeaves(opening(round)), new Summing()];
  for (const one of bets) summing.add(leaves.leaf(one, new MemberSalt(one.memberId, saltOf(one.memberId))), one.total);
  const { count, sum, root } = summing.summed;
  return { bets: count, stake: sum, bets_root: root };
}

const closing = (round: Round, bets = BETS): Leaf<"close"> => {
  return { kind: "close", ...subject(round), ...summedBets(round, bets), closed: round.closedAt! };
};

function drawing(round: Round): Leaf<"draw"> {
  const { seed, dice, drawsAt: due, drawnAt } = round;
  const result = { seed: seed!, beacon: "", beacon_signature: "", dice: dice! };
  return { kind: "draw", ...subject(round), ...result, due, drawn: drawnAt! };
}

/** The house states payouts in the order of the members' numbers. */
function settling(round: Round, payouts: readonly (Payout & { bets: number })[]): Leaf<"settle"> {
  const summing = new Summing();
  for (const one of payouts.toSorted((a, b) => a.memberId - b.memberId)) {
    const salt = new MemberSalt(one.memberId, saltOf(one.memberId));
    summing.add(payoutLeaf(opening(round), one, round.id, salt), one.amount);
  }
  const { count, sum, root: payoutsRoot } = summing.summed;
  const summed = { payouts: count, payout: sum, payouts_root: payoutsRoot };
  return { kind: "settle", ...subject(round), ...summed, settled: round.settledAt! };
}

const SETTLED = drawn(1, { settledAt: open(1).drawsAt + 5 });
const STATED_PAYOUTS = [
  { ...PAYOUTS[0]!, bets: 2 },
  { ...PAYOUTS[1]!, bets: 1 },
];

async function state(...leaves: Leaf<RoundKind>[]): Promise<void> {
  for (const leaf of leaves)
    await rows.read.insert(logLeaves).values({ log: 1, key: keyOfRound(leaf.kind, leaf), text: leafText(leaf) });
}

/** The log says everything about the first round, which is paid. */
const stateAll = () => state(opening(SETTLED), closing(SETTLED), drawing(SETTLED), settling(SETTLED, STATED_PAYOUTS));

interface Asked {
  bets?: readonly Bet[];
  payouts?: readonly Payout[];
  /** Until when a server has worked. */
  until?: number;
  began?: number;
  firstRound?: number;
  games?: readonly Game[];
  read?: Tx;
}

async function logOf({ until = 0, began = 0, firstRound = 0, games = [GAME], read = rows.read }: Asked = {}) {
  await rows.run("delete from house_entries");
  await rows.read.insert(houseEntries).values({ kind: "bets", amount: 1, fromId: 1, toId: 1, createdAt: until });
  const found = new Findings();
  const signs = await SignsOfLife.read(rows.read, until);
  return { found, logged: await LogRounds.read(read, 1, { began, firstRound, games, signs }, found) };
}

async function problemsOf(round: Round, { bets = BETS, payouts = PAYOUTS, ...asked }: Asked = {}): Promise<string[]> {
  const { found, logged } = await logOf(asked);
  const one = (await logged.of([round])).get(round.id);
  await one?.addBets(bets);
  await one?.check(payouts);
  return found.problems;
}

const lacks = (kind: RoundKind) => `the log lacks the ${kind} of ${ROUND}`;
const other = (kind: RoundKind, says: string): unknown =>
  expect.stringMatching(new RegExp(`^the log's ${kind} of ${ROUND}: ${says}$`));
const root = (kind: RoundKind, what: string) => other(kind, `${what}_root is ${HASH}, the rows give ${HASH}`);

describe("what the log says of a paid round", () => {
  beforeEach(stateAll);

  it("agrees with the rows that it was made of, however they come", async () => {
    expect(await problemsOf(SETTLED)).toEqual([]);
    expect(await problemsOf(SETTLED, { payouts: PAYOUTS.toReversed() })).toEqual([]);
  });

  it("is asked of its own log alone", async () => {
    await rows.run("update log_leaves set log = 2");
    expect(await problemsOf(SETTLED)).toEqual([lacks("open")]);
  });

  it("is no leaf of another kind under its key", async () => {
    await rows.run(`update log_leaves set text = '${leafText(drawing(SETTLED))}' where text like '%"kind":"close"%'`);
    expect(await problemsOf(SETTLED)).toEqual([lacks("close"), root("settle", "payouts")]);
  });

  it("names a draw that differs, and asks only a whole one", async () => {
    const commit = "ab".repeat(32);
    const { seed, dice, drawsAt, drawnAt } = SETTLED;
    const changed = { seed: commit, beacon: "ab", dice: [1], drawsAt: drawsAt + 1, drawnAt: drawsAt + 2 };
    const says = (what: string, said: unknown, given: unknown) =>
      `the log's draw of ${ROUND}: ${what} is ${String(said)}, the rows give ${String(given)}`;
    expect(await problemsOf({ ...SETTLED, ...changed })).toEqual([
      `the log's open of ${ROUND}: draws is ${drawsAt}, the rows give ${drawsAt + 1}`,
      says("beacon", "", "ab"),
      says("dice", JSON.stringify(dice), "[1]"),
      says("drawn", drawnAt, drawsAt + 2),
      says("due", drawsAt, drawsAt + 1),
      says("seed", seed, commit),
    ]);
    for (const missing of [{ seed: null }, { dice: null }, { drawnAt: null }])
      expect(await problemsOf({ ...SETTLED, beacon: "ab", ...missing })).toEqual([]);
  });

  it("names a close whose time, number, sum or bets differ", async () => {
    const { closedAt } = SETTLED;
    expect(await problemsOf({ ...SETTLED, closedAt: closedAt! + 1 })).toEqual([
      `the log's close of ${ROUND}: closed is ${closedAt}, the rows give ${closedAt! + 1}`,
    ]);
    expect(await problemsOf(SETTLED, { bets: [...BETS.slice(0, 2), { ...BETS[2]!, total: 101 }] })).toEqual([
      other("close", "stake is 500, the rows give 501"),
    ]);
    expect(await problemsOf(SETTLED, { bets: [...BETS, bet(4, 3)] })).toEqual([
      other("close", "bets is 3, the rows give 4"),
      root("close", "bets"),
      other("close", "stake is 500, the rows give 700"),
    ]);
    expect(await problemsOf(SETTLED, { bets: BETS.toReversed() })).toEqual([root("close", "bets")]);
    expect(await problemsOf({ ...SETTLED, closedAt: null }, { bets: BETS.toReversed() })).toEqual([]);
  });

  it("names payouts that differ, and their time", async () => {
    const at = SETTLED.settledAt!;
    expect(await problemsOf({ ...SETTLED, settledAt: at + 1 })).toEqual([
      `the log's settle of ${ROUND}: settled is ${at}, the rows give ${at + 1}`,
    ]);
    const payouts = [{ memberId: 2, amount: 501 }];
    expect(await problemsOf(SETTLED, { payouts })).toEqual([
      other("settle", "payout is 800, the rows give 501"),
      other("settle", "payouts is 2, the rows give 1"),
      root("settle", "payouts"),
    ]);
    expect(await problemsOf({ ...SETTLED, settledAt: null }, { payouts })).toEqual([]);
  });

  it("counts the bets that a payout pays", async () => {
    const bets = BETS.map((one) => ({ ...one, memberId: 1 }));
    await rows.run(
      `update log_leaves set text = '${leafText(closing(SETTLED, bets))}' where text like '%"kind":"close"%'`,
    );
    expect(await problemsOf(SETTLED, { bets })).toEqual([root("settle", "payouts")]);
    const stated = leafText(
      settling(SETTLED, [
        { ...PAYOUTS[0]!, bets: 0 },
        { ...PAYOUTS[1]!, bets: 3 },
      ]),
    );
    await rows.run(`update log_leaves set text = '${stated}' where text like '%"kind":"settle"%'`);
    expect(await problemsOf(SETTLED, { bets })).toEqual([]);
  });

  it("names bets and payouts of members whose salt is gone", async () => {
    await rows.run("delete from member_salts where member_id = 2");
    expect(await problemsOf(SETTLED)).toEqual([root("close", "bets"), root("settle", "payouts")]);
  });

  it("lacks what a row has come to, while a server works on", async () => {
    await rows.run(`delete from log_leaves where text like '%"kind":"settle"%' or text like '%"kind":"close"%'`);
    await rows.read.insert(logRounds).values({ roundId: 1 });
    const paid = SETTLED.settledAt!;
    expect(await problemsOf(SETTLED, { until: paid + 120_000 })).toEqual([lacks("close")]);
    expect(await problemsOf(SETTLED, { until: paid + 120_001 })).toEqual([lacks("close"), lacks("settle")]);
    const closed = { ...SETTLED, drawnAt: null, settledAt: null };
    expect(await problemsOf(closed, { until: closed.closedAt! + 120_000 })).toEqual([]);
    expect(await problemsOf(closed, { until: closed.closedAt! + 120_001 })).toEqual([lacks("close")]);
    expect(await problemsOf({ ...closed, closedAt: null }, { until: paid + 300_000 })).toEqual([]);
    await rows.run(`delete from log_leaves where text like '%"kind":"draw"%'`);
    expect(await problemsOf(SETTLED)).toEqual([lacks("close"), lacks("draw")]);
  });

  it("lacks the refund of stakes that went back, and has none where they did not", async () => {
    expect(await problemsOf({ ...SETTLED, refundedAt: 1, settledAt: null })).toEqual([lacks("refund")]);
    await state({ kind: "refund", ...subject(SETTLED), ...summedBets(SETTLED, BETS), reason: "clock", at: 9 });
    expect(await problemsOf(SETTLED)).toEqual([
      `the log has the refund of ${ROUND}, which returned no stakes in the tables`,
    ]);
  });
});

describe("what the log says of an open round", () => {
  const THIRD = open(3);
  const kept = (more: Partial<typeof logRounds.$inferInsert> = {}) =>
    rows.read.insert(logRounds).values({ roundId: THIRD.id, ...more });

  it("names each field of its opening that differs", async () => {
    await state(opening(THIRD));
    await kept();
    expect(await problemsOf(THIRD)).toEqual([]);
    const { commit, closesAt, drawsAt } = THIRD;
    const changed = { commit: "ab".repeat(32), oddsId: 9, beaconRule: "drand", closesAt: 8, drawsAt: 9 };
    const fields: [string, unknown, unknown][] = [
      ["rules", "dice-sum", "dice-pair"],
      ["period", 60, 30],
      ["unit", "point", ""],
      ["commit", commit, changed.commit],
      ["odds", 1, 9],
      ["odds_hash", ODDS_HASH, ""],
      ["beacon_rule", "none", "drand"],
      ["opens", THIRD.openedAt, THIRD.openedAt - 60_000],
      ["closes", closesAt, 8],
      ["draws", drawsAt, 9],
    ];
    expect(
      await problemsOf({ ...THIRD, ...changed }, { games: [{ ...GAME, kind: "dice-pair", periodS: 30 }] }),
    ).toEqual(
      fields.map(
        ([field, said, given]) =>
          `the log's open of round k3-1m 20260302-0003: ${field} is ${String(said)}, the rows give ${String(given)}`,
      ),
    );
  });

  it("lacks the opening of a round that was opened, or still open, since there was a log", async () => {
    const began = THIRD.openedAt;
    const from = (firstRound: number, more: Partial<Round> = {}) =>
      problemsOf({ ...THIRD, ...more }, { began, firstRound });
    const lacksIt = ["the log lacks the open of round k3-1m 20260302-0003"];
    expect(await from(3, { closedAt: began - 1 })).toEqual(lacksIt);
    expect(await from(4)).toEqual([]);
    const before = { openedAt: began - 1 };
    expect(await from(3, before)).toEqual(lacksIt);
    expect(await from(3, { ...before, closedAt: began })).toEqual(lacksIt);
    expect(await from(3, { ...before, closedAt: began - 1 })).toEqual([]);
  });

  it("says nothing of a round whose game there is not", async () => {
    expect(await problemsOf({ ...THIRD, gameId: 2 })).toEqual([]);
  });

  it("is kept in mind until its end, with the bets that were stated", async () => {
    const closed = { ...THIRD, closedAt: THIRD.closesAt };
    const name = "round k3-1m 20260302-0003";
    await state(opening(THIRD));
    expect(await problemsOf(closed)).toEqual([`the log has forgotten that ${name} is not stated to its end`]);
    expect(await problemsOf({ ...closed, skippedAt: 1 })).toEqual([]);
    const { bets, stake: staked, bets_root: betsRoot } = summedBets(THIRD, BETS);
    await kept({ bets, staked, betsRoot });
    const others = [`the log keeps other bets of ${name} than it states`];
    expect(await problemsOf(closed)).toEqual(others);
    await state(closing(closed));
    expect(await problemsOf(closed)).toEqual([]);
    for (const change of ["bets = 4", "staked = 4", "bets_root = 'ab'", "bets = null"]) {
      await rows.run(`update log_rounds set bets = ${bets}, staked = ${staked}, bets_root = '${betsRoot}'`);
      await rows.run(`update log_rounds set ${change}`);
      expect(await problemsOf(closed)).toEqual(others);
    }
  });

  it("compares stakes that went back, and asks no payouts of them", async () => {
    const closed = { ...THIRD, closedAt: THIRD.closesAt };
    const returned = { ...closed, refundedAt: 9 };
    const refund = { ...subject(THIRD), ...summedBets(THIRD, BETS), reason: "clock", at: 9 };
    await state(opening(THIRD), closing(closed), { kind: "refund", ...refund });
    expect(await problemsOf({ ...returned, settledAt: 10 }, { until: 1_000_000_000_000_000 })).toEqual([]);
    const differ = (kind: RoundKind) =>
      [
        "bets is 3, the rows give 1",
        `bets_root is ${HASH}, the rows give ${HASH}`,
        "stake is 500, the rows give 200",
      ].map((says): unknown =>
        expect.stringMatching(new RegExp(`^the log's ${kind} of round k3-1m 20260302-0003: ${says}$`)),
      );
    expect(await problemsOf(returned, { bets: BETS.slice(0, 1) })).toEqual([...differ("close"), ...differ("refund")]);
    expect(await problemsOf({ ...returned, refundedAt: 8 })).toEqual([
      "the log's refund of round k3-1m 20260302-0003: at is 9, the rows give 8",
    ]);
  });
});

describe("the salts of the members", () => {
  /** How many statements have asked for salts. */
  function counting(read: Tx) {
    let asked = 0;
    const counted = new Proxy(read, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          const query: unknown = Reflect.apply(value, target, given);
          return name === "select" ? fromCounted(query as { from(table: unknown): unknown }) : query;
        };
      },
    });
    const fromCounted = (query: { from(table: unknown): unknown }) => ({
      from(table: unknown) {
        if (table === memberSalts) asked++;
        return query.from(table);
      },
    });
    return { read: counted, asked: () => asked };
  }

  it("are read once, whatever rounds their members bet in", async () => {
    const { read, asked } = counting(rows.read);
    const [one, two] = [drawn(1), drawn(2)];
    for (const round of [one, two]) await state(opening(round), closing(round), drawing(round));
    const { found, logged } = await logOf({ read });
    const said = await logged.of([one, two]);
    for (const { id } of [one, two]) {
      await said.get(id)!.addBets(BETS.slice(0, 2));
      await said.get(id)!.addBets(BETS.slice(2));
      await said.get(id)!.check([]);
    }
    expect(asked()).toBe(1);
    expect(found.problems.filter((one) => one.includes("_root"))).toEqual([]);
  });

  it("are read for more members than one statement may name", async () => {
    const many = 1_001;
    await rows.run(`delete from member_salts; insert into member_salts (member_id, salt)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${many})
      select i, '${saltOf(0)}' from n`);
    const { read, asked } = counting(rows.read);
    const round = drawn(1);
    const bets = Array.from({ length: many }, (_, i) => bet(i + 1, i + 1));
    const [leaves, summing] = [new BetLeaves(opening(round)), new Summing()];
    for (const one of bets) summing.add(leaves.leaf(one, new MemberSalt(one.memberId, saltOf(0))), one.total);
    const { count, sum, root: betsRoot } = summing.summed;
    const summed = { bets: count, stake: sum, bets_root: betsRoot };
    await state(opening(round), drawing(round), { ...closing(round), ...summed });
    await rows.read.insert(logRounds).values({ roundId: 1, bets: count, staked: sum, betsRoot });
    const { found, logged } = await logOf({ read });
    const one = (await logged.of([round])).get(1)!;
    await one.addBets(bets);
    await one.check([]);
    expect([found.problems, asked()]).toEqual([[], 2]);
  });
});
