import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bets, payouts } from "#db/schema/bets.ts";
import { logLeaves } from "#db/schema/log.ts";
import { games, odds, rounds } from "#db/schema/lottery.ts";
import { settings } from "#db/schema/site.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { LogRounds } from "#server/admin/audit/log-rounds.ts";
import { auditPayouts } from "#server/admin/audit/payouts.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { keyOfRound, type RoundKind } from "#server/domains/log/round-keys.ts";
import { leafText, type Leaf } from "#shared/log/leaf.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { maskOf, type OddsMilli } from "#shared/lottery/rules.ts";
import { roundText, spanOf } from "#shared/lottery/schedule.ts";
import { drawn, GAME, open, type Round } from "./audit-round-rows.ts";
import { emptyRows, type Rows } from "./audit-rows.ts";

const rules = rulesOf(GAME.kind);
/** Every option pays twice its stake, but "odd" pays 1.55 times. */
const MILLI: OddsMilli = rules.odds.map((_, place) => (rules.options[place]!.type === "C" ? 1_550 : 2_000));
const SMALL = maskOf(rules, ["B"]);
const ODD = maskOf(rules, ["C"]);
const SUM = maskOf(rules, ["9"]);
const BIG = maskOf(rules, ["A"]);

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
beforeEach(async () => {
  await rows.begin();
  await rows.read.insert(games).values(GAME);
  await rows.read.insert(odds).values([
    { id: 1, gameId: 1, milli: [...MILLI], createdAt: GAME.createdAt },
    { id: 2, gameId: 1, milli: [...MILLI].fill(3_000), createdAt: open(5).openedAt },
    { id: 3, gameId: 2, milli: [...MILLI], createdAt: 1 },
  ]);
});
afterEach(() => rows.forget());
afterAll(() => rows.close());

const lay = (...some: Round[]) => rows.read.insert(rounds).values(some);
type Bet = typeof bets.$inferInsert;
const bet = (id: number, memberId: number, mask: bigint, more: Partial<Bet> = {}) => {
  const money = { stake: 100, total: 100, version: 1, balanceAfter: 1 };
  const of = { roundId: 1, oddsId: 1, createdAt: open(1).openedAt };
  return rows.read.insert(bets).values({ id, memberId, mask, ...money, ...of, ...more });
};
const payout = (roundId: number, memberId: number, amount: number) =>
  rows.read.insert(payouts).values({ roundId, memberId, amount, version: 1, balanceAfter: 1, createdAt: 1 });

async function problems(orders: number, logged: LogRounds | null = null): Promise<string[]> {
  const found = new Findings();
  await auditPayouts(rows.read, orders, logged, found);
  return found.problems;
}

/** Its dice fall 2, 3 and 4: small and odd, and the sum is 9. */
const settled = (more: Partial<Round> = {}) =>
  drawn(1, { dice: [2, 3, 4], toBet: 9, settledAt: 1, betCount: 0, staked: 0, paid: 0, ...more });

describe("the audit of odds", () => {
  const says = (round: number, id: number) =>
    `round ${round}: its odds ${id} were not those of its game when it opened`;

  it("takes those that were there when the round opened, and a game's first ones at any time", async () => {
    await lay(open(1, { openedAt: 1 }), open(2), open(5), open(6, { oddsId: 2 }), open(7, { oddsId: 2 }));
    await rows.run(`update rounds set opened_at = ${open(5).openedAt} where id = 6`);
    expect(await problems(0)).toEqual([]);
  });

  it("names those that came later, those of another game, and those that there are not", async () => {
    await lay(
      open(1, { oddsId: 2, openedAt: open(5).openedAt - 1 }),
      open(2, { oddsId: 3 }),
      open(3, { oddsId: 9 }),
      open(4),
    );
    expect(await problems(0)).toEqual([says(1, 2), says(2, 3), says(3, 9)]);
  });
});

describe("the audit of payouts", () => {
  it("finds nothing where each member got what their bets have won together", async () => {
    await lay(settled({ betCount: 5, staked: 600, paid: 755 }));
    await bet(1, 1, SMALL);
    await bet(2, 2, BIG);
    await bet(3, 1, SMALL | ODD, { total: 200 });
    await bet(4, 3, SUM);
    await bet(9, 1, BIG);
    await payout(1, 1, 555);
    await payout(1, 3, 200);
    await payout(2, 2, 70);
    expect(await problems(5)).toEqual([]);
  });

  it("names who won and was not paid, who was paid too much, and who was paid without a bet", async () => {
    await lay(settled({ betCount: 2, staked: 200, paid: 355 }));
    await bet(1, 1, SMALL);
    await bet(2, 2, ODD);
    await payout(1, 2, 156);
    await payout(1, 3, 7);
    expect(await problems(2)).toEqual([
      "round 1, member 1: won 200, was paid 0",
      "round 1, member 2: won 155, was paid 156",
      "round 1, member 3: won 0, was paid 7",
    ]);
  });

  it("asks for each bet by its own odds", async () => {
    await lay(settled({ betCount: 2, staked: 200, paid: 500 }));
    await bet(1, 1, SMALL);
    await bet(2, 1, SMALL, { oddsId: 2 });
    await payout(1, 1, 500);
    expect(await problems(2)).toEqual(["bet 2 has the odds 2, its round has 1"]);
  });

  it("rounds each win down to what the unit can pay", async () => {
    await rows.read.insert(settings).values({ name: "unit", value: "JPY" });
    await lay(settled({ betCount: 1, staked: 100, paid: 100 }));
    await bet(1, 1, ODD);
    await payout(1, 1, 100);
    expect(await problems(1)).toEqual([]);
  });

  it("asks a half-settled round only for members up to where it stands", async () => {
    await lay(settled({ settledAt: null }));
    await rows.run(
      "insert into settle_ranges (round_id, from_id, to_id, settled_to, indexed_to) values (1, 1, 9, 2, 0)",
    );
    for (const member of [1, 2, 3]) await bet(member, member, SMALL);
    await payout(1, 1, 200);
    expect(await problems(3)).toEqual(["round 1, member 2: won 200, was paid 0"]);
  });

  it("asks no wins of a round that is not drawn, and the stakes of one that returned them", async () => {
    await lay(open(1, { settledAt: 1, betCount: 2, staked: 300 }));
    await bet(1, 1, SMALL);
    await bet(2, 2, SMALL | BIG, { total: 200 });
    expect(await problems(2)).toEqual([]);
    await rows.run("update rounds set refunded_at = 1, paid = 300, dice = '[2,3,4]'");
    await payout(1, 1, 100);
    expect(await problems(2)).toEqual(["round 1, member 2: won 200, was paid 0"]);
  });

  it("names dice that are no draw, and what a round counts otherwise than its bets", async () => {
    await lay(
      settled({ dice: [7, 1, 1], betCount: 1, staked: 100, paid: 1 }),
      open(2, { betCount: 1, staked: 2, paid: 3 }),
    );
    expect(await problems(0)).toEqual([
      "round 1: 7,1,1 is no draw of its kind",
      "round 1: bets, stakes and payouts are 0,0,0, the round has 1,100,1",
      "round 2: bets, stakes and payouts are 0,0,0, the round has 1,2,3",
    ]);
  });
});

describe("the audit of a round's bets", () => {
  it("names one that was taken too late, one at other odds, and one on what its game does not have", async () => {
    const { closesAt } = open(1);
    await lay(settled({ settledAt: null }));
    await bet(1, 1, BIG, { createdAt: closesAt - 1 });
    await bet(2, 1, BIG, { createdAt: closesAt });
    await bet(3, 1, BIG, { oddsId: 2 });
    await bet(4, 1, 1n << 40n);
    expect(await problems(4)).toEqual([
      "bet 2 was taken after its round had closed",
      "bet 3 has the odds 2, its round has 1",
      "bet 4 is on an option that its game does not have",
    ]);
  });

  it("finds them between the round's numbers alone, which an open round has no end of", async () => {
    await lay(open(1, { fromBet: 2, toBet: 3 }), open(2, { fromBet: 3 }));
    for (const id of [1, 2, 3, 4]) await bet(id, 1, BIG);
    for (const id of [5, 6]) await bet(id, 1, BIG, { roundId: 2 });
    expect(await problems(6)).toEqual(["2 bets lie outside the numbers of their rounds"]);
    await rows.run("update rounds set from_bet = 1, to_bet = 4 where id = 1");
    expect(await problems(6)).toEqual([]);
  });

  it("reads all of more bets, and of more rounds, than are read at once", async () => {
    const many = 5_001;
    const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${many})`;
    const { openedAt, closesAt, drawsAt } = open(1);
    await rows.run(`insert into bets (id, member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
        ${numbers} select i, i, ${many}, 1, 1, 1, 1, 1, 1, ${openedAt} from n;
      insert into rounds (id, game_id, day, number, "commit", odds_id, opened_at, closes_at, draws_at, from_bet, bet_count)
        ${numbers} select i, 1, i, 1, '', 1, ${openedAt}, ${closesAt}, ${drawsAt},
          case when i < ${many} then ${many} + 1 else 1 end, case when i < 5000 then 0 else 1 end from n`);
    const counts = (id: number) => `round ${id}: bets, stakes and payouts are 0,0,0, the round has 1,0,0`;
    expect(await problems(many)).toEqual([counts(5_000), counts(5_001)]);
  });
});

describe("the audit of payouts and the log", () => {
  async function logOf(found: Findings): Promise<LogRounds> {
    const signs = await SignsOfLife.read(rows.read, 0);
    return LogRounds.read(rows.read, 1, { began: 0, firstRound: 0, games: [GAME], signs }, found);
  }

  async function logged(orders: number): Promise<string[]> {
    const found = new Findings();
    await auditPayouts(rows.read, orders, await logOf(found), found);
    return found.problems;
  }

  it("asks the log for every round, however many there are", async () => {
    await lay(...Array.from({ length: 251 }, (_, i) => open(i + 1)));
    expect(await logged(0)).toEqual(
      Array.from(
        { length: 251 },
        (_, i) => `the log lacks the open of round k3-1m 20260302-${String(i + 1).padStart(4, "0")}`,
      ),
    );
  });

  it("hands the log each round's bets and payouts", async () => {
    const round = settled({ betCount: 1, staked: 100, paid: 200, closedAt: open(1).closesAt });
    const of = { game: GAME.key, round: roundText(round) };
    const none = "ab".repeat(32);
    const state = async (leaf: Leaf<RoundKind>) => {
      await rows.read.insert(logLeaves).values({ log: 1, key: keyOfRound(leaf.kind, leaf), text: leafText(leaf) });
    };
    const { commit, closesAt: closes, drawsAt: draws } = round;
    const terms = { rules: GAME.kind, period: 60, unit: "point", odds: "1", odds_hash: none, beacon_rule: "none" };
    await state({ kind: "open", ...of, ...terms, commit, opens: spanOf(GAME, round).opensAt, closes, draws });
    await state({ kind: "close", ...of, bets: 0, stake: 0, bets_root: none, closed: round.closedAt! });
    const payoutsOf = { payouts: 0, payout: 0, payouts_root: none };
    await state({ kind: "settle", ...of, ...payoutsOf, settled: 1 });
    await lay(round);
    await bet(1, 1, SMALL);
    await payout(1, 1, 200);
    const fields = (await logged(1)).map((one) => one.replaceAll(/[0-9a-f]{64}/g, "HASH"));
    const name = "of round k3-1m 20260302-0001";
    expect(fields).toEqual([
      `the log's open ${name}: odds_hash is HASH, the rows give HASH`,
      `the log lacks the draw ${name}`,
      `the log's close ${name}: bets is 0, the rows give 1`,
      `the log's close ${name}: bets_root is HASH, the rows give HASH`,
      `the log's close ${name}: stake is 0, the rows give 100`,
      `the log's settle ${name}: payout is 0, the rows give 200`,
      `the log's settle ${name}: payouts is 0, the rows give 1`,
      `the log's settle ${name}: payouts_root is HASH, the rows give HASH`,
    ]);
  });
});
