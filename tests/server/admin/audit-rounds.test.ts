import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { houseEntries } from "#db/schema/ledger.ts";
import { auditGround, besideTheLog, type Ground } from "./audit-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await auditGround();
});
afterAll(() => ground.close());

const NAME = "round k3-1m 20260302-000";
const OTHER = "ab".repeat(32);
/** The fourth round opened at this time, and nothing that a server writes is newer. */
const LATEST = Date.UTC(2026, 2, 2, 0, 3);

/** Those of the problems that the audit does not name in a changed copy. */
async function unnamed(sql: string, ...problems: (string | RegExp)[]): Promise<(string | RegExp)[]> {
  const { problems: found } = await ground.after(sql);
  const isNamed = (one: string | RegExp) =>
    typeof one === "string" ? found.includes(one) : found.some((said) => one.test(said));
  return problems.filter((one) => !isNamed(one));
}

describe.concurrent("the audit of odds", () => {
  const lower = `insert into odds (id, game_id, milli, created_at) select 9, game_id, milli, ${LATEST} from odds where id = 1`;

  it.each([
    [
      "under the bets of a round",
      `${lower}; update bets set odds_id = 9 where round_id = 4`,
      /^bet \d+ has the odds 9, its round has 1$/,
    ],
    [
      "under a round and its bets",
      `${lower}; update odds set created_at = created_at + 60000 where id = 9;
       update rounds set odds_id = 9 where id = 4; update bets set odds_id = 9 where round_id = 4`,
      "round 4: its odds 9 were not those of its game when it opened",
    ],
    [
      "of another game",
      `insert into games (id, key, kind, name, icon, period_s, close_s, created_at)
         select 2, 'other', kind, name, icon, period_s, close_s, created_at from games where id = 1;
       ${lower.replace("9, game_id", "9, 2")}; update odds set created_at = 1 where id = 9;
       update rounds set odds_id = 9 where id = 4`,
      "round 4: its odds 9 were not those of its game when it opened",
    ],
    ["that there are not", "update rounds set odds_id = 8 where id = 4", /^round 4: its odds 8 were not those/],
  ])("names odds %s", async (_, sql, problem) => {
    expect(await unnamed(sql, problem)).toEqual([]);
  });

  it("takes odds for right that were there when the round opened", async () => {
    const sql = `${lower}; update rounds set odds_id = 9 where id = 4; update bets set odds_id = 9 where round_id = 4`;
    expect(besideTheLog((await ground.after(sql)).problems).join()).not.toContain("odds");
  });

  it("takes a game's first odds for right, however the clock was set back", async () => {
    const { problems } = await ground.after("update odds set created_at = created_at + 86400000");
    expect(besideTheLog(problems)).toEqual([]);
  });
});

describe.concurrent("the audit of what a round counts", () => {
  it.each([
    ["stakes", "staked = staked + 1"],
    ["payouts", "paid = paid + 1"],
    ["bets", "bet_count = bet_count - 1"],
  ])("names false %s of a paid round", async (_, change) => {
    expect(
      await unnamed(
        `update rounds set ${change} where id = 1`,
        /^round 1: bets, stakes and payouts are 3,2600,\d+, the round has \d+,\d+,\d+$/,
      ),
    ).toEqual([]);
  });

  it("names sums of a round that is not paid yet", async () => {
    const sql = "update rounds set bet_count = 1, staked = 2000, paid = 1 where id = 4";
    expect(await unnamed(sql, "round 4: bets, stakes and payouts are 0,0,0, the round has 1,2000,1")).toEqual([]);
  });

  it("names how many bets lie outside the numbers of their rounds", async () => {
    expect(
      await unnamed(
        "update rounds set to_bet = to_bet - 1 where id = 1",
        "1 bets lie outside the numbers of their rounds",
      ),
    ).toEqual([]);
    expect(
      await unnamed(
        "update bets set round_id = 1 where round_id = 4",
        "1 bets lie outside the numbers of their rounds",
      ),
    ).toEqual([]);
  });

  it("names a payout to who did not win, and who won and was not paid", async () => {
    expect(
      await unnamed(
        "update payouts set member_id = 3 where member_id = 2 and round_id = 1",
        /^round 1, member 2: won \d+, was paid 0$/,
        /^round 1, member 3: won 0, was paid \d+$/,
      ),
    ).toEqual([]);
  });

  it("names a payout of a round that there is not, though its wallet, the house and the money log agree with it", async () => {
    const { problems } = await ground.after(`
      insert into payouts (round_id, member_id, amount, version, balance_after, created_at)
        select 99, member_id, 700, version + 1, balance + 700, ${LATEST} from wallets where member_id = 1;
      insert into house_entries (kind, amount, round_id, from_id, to_id, created_at)
        values ('payouts', -700, 99, 1, 1, ${LATEST});
      insert into journal_index (member_id, version, kind, row_id)
        select member_id, version + 1, 'payout', 99 from wallets where member_id = 1;
      update wallets set version = version + 1, balance = balance + 700, won_total = won_total + 700 where member_id = 1`);
    expect(problems).toContain("member 1 was paid in round 99, and there is no such round");
  });

  it("asks a half-settled round only for members up to where it stands", async () => {
    const half = `update rounds set settled_at = null, bet_count = 0, staked = 0, paid = 0 where id = 1;
      insert into settle_ranges (round_id, from_id, to_id, settled_to, indexed_to) values (1, 1, 9, 1, 0)`;
    const about = async (sql: string) =>
      (await ground.after(sql)).problems.filter((one) => one.startsWith("round 1, "));
    expect(await about(half)).toEqual([expect.stringMatching(/^round 1, member 2: won 0, was paid \d+$/)]);
    expect(await about(`${half}; delete from payouts where round_id = 1 and member_id = 2`)).toEqual([]);
    expect(await about(`${half}; delete from payouts where round_id = 1`)).toEqual([
      expect.stringMatching(/^round 1, member 1: won \d+, was paid 0$/),
    ]);
  });

  it("names house entries that are not the sum of the bets", async () => {
    expect(
      await unnamed(
        "update house_entries set amount = amount + 1 where kind = 'bets' and id = 1",
        /^house entries of bets: \d+, bets: \d+$/,
        /^house entry 1 is \d+, its bets 1 to \d+ are \d+$/,
      ),
    ).toEqual([]);
  });

  it("names a bet that no house entry covers, and an entry that covers too few or too many", async () => {
    const [entry] = await ground.w.deps.db.read.select().from(houseEntries).where(eq(houseEntries.id, 1));
    const { fromId: first, toId: last } = entry!;
    const about = (id: number) => new RegExp(`^house entry ${id} is \\d+, its bets \\d+ to \\d+ are \\d+$`);
    const without = `update house_entries set to_id = ${last} - 1 where id = 1 and kind = 'bets'`;
    expect(await unnamed(without, `bet ${last} is in no house entry`, about(1))).toEqual([]);
    const late = `update house_entries set from_id = ${first} + 1 where id = 1 and kind = 'bets'`;
    expect(await unnamed(late, `bet ${first} is in no house entry`, about(1))).toEqual([]);
    const wide = `update house_entries set to_id = to_id + 1 where id = 1 and kind = 'bets'`;
    expect(await unnamed(wide, about(1))).toEqual([]);
    expect(await unnamed("delete from bets", about(1))).toEqual([]);
  });

  it("names a bet on nothing, and one on an option that its game does not have", async () => {
    const nothing = "update bets set mask = 0, total = 0 where id = 1";
    expect(
      await unnamed(nothing, "bet 1: total is not stake times options", /^bet 1 is on an option that its game/),
    ).toEqual([]);
    expect(
      await unnamed(`update bets set mask = ${2n ** 40n} where id = 1`, /^bet 1 is on an option that its game/),
    ).toEqual([]);
  });

  it("names dice that no draw of its kind has", async () => {
    expect(
      await unnamed("update rounds set dice = '[1,2]' where id = 1", "round 1: 1,2 is no draw of its kind"),
    ).toEqual([]);
  });
});

describe.concurrent("the audit of draws", () => {
  it.each([
    ["a draw before the close", "closed_at = null", `${NAME}1 was drawn before it was closed`],
    ["a drawn round without its seed", "seed = null", `${NAME}1: of its draw, its seed and its dice one is missing`],
    ["a drawn round without its dice", "dice = null", `${NAME}1: of its draw, its seed and its dice one is missing`],
    ["dice before the draw", "drawn_at = null", `${NAME}1: of its draw, its seed and its dice one is missing`],
    ["a seed of another chain", `seed = '${OTHER}'`, `${NAME}1: its seed does not lead to the day's anchor`],
    [
      "a failed check",
      "failure = 'its seed is lost', failed_at = 1",
      /^round k3-1m 20260302-0001 failed a check .*: its seed is lost$/,
    ],
  ])("names %s", async (_, change, problem) => {
    expect(await unnamed(`update rounds set ${change} where id = 1`, problem)).toEqual([]);
  });

  it("traces the rounds behind one without a seed to the anchor", async () => {
    const { problems } = await ground.after("update rounds set seed = null, dice = null, drawn_at = null where id = 2");
    expect(problems.join()).not.toContain(`${NAME}3`);
    const forged = await ground.after(`update rounds set seed = null, dice = null, drawn_at = null where id = 2;
      update rounds set seed = '${OTHER}' where id = 3`);
    expect(forged.problems).toContain(`${NAME}3: its seed does not lead to the day's anchor`);
  });

  const gap = (from: number, to: number, back = "null") => `insert into gaps
    (game_id, from_day, from_number, to_day, to_number, reason, created_at, taken_back_at)
    select 1, day, ${from}, day, ${to}, 'down', 1, ${back} from rounds where id = 1`;
  const missing = "delete from bets; delete from rounds where id in (2, 3)";

  it("accepts a gap that names exactly the missing rounds, and no shorter, longer or retracted one", async () => {
    const about = async (sql: string) =>
      (await ground.after(`${missing}; ${sql}`)).problems.filter((one) => one.startsWith("k3-1m: "));
    expect(await about(gap(2, 3))).toEqual([]);
    const lacks = (from: number, to: number) =>
      `k3-1m: rounds 20260302-000${from} to 20260302-000${to} are missing without a gap record`;
    expect(await about(gap(2, 2))).toEqual([lacks(3, 3)]);
    expect(await about(gap(3, 3))).toEqual([lacks(2, 2)]);
    expect(await about(gap(2, 3, "1"))).toEqual([lacks(2, 3)]);
    expect(await about(gap(2, 4))).toEqual(["k3-1m: round 20260302-0004 is recorded twice, as played or as missing"]);
    expect(await about(gap(1, 3))).toContain("k3-1m: round 20260302-0001 is recorded twice, as played or as missing");
  });
});

describe.concurrent("the audit of times", () => {
  const HOUR = 3_600_000;

  it("notes a late draw and how late it was, which alone is no problem", async () => {
    const late = `update rounds set drawn_at = draws_at + ${HOUR} where id = 1`;
    const { problems, notes } = await ground.after(late);
    expect([besideTheLog(problems), notes]).toEqual([
      [],
      [`${NAME}1 was drawn 3600 s after it was due, though the next round had opened`],
    ]);
    expect((await ground.after("update rounds set drawn_at = draws_at + 60000 where id = 1")).notes).toEqual([]);
    expect((await ground.after("update rounds set drawn_at = draws_at + 61000 where id = 1")).notes).toHaveLength(1);
  });

  it("names a draw and a close before their time, unless a clock was ahead", async () => {
    expect(
      await unnamed(
        "update rounds set drawn_at = draws_at - 2000 where id = 1",
        `${NAME}1 was drawn 2 s before it was due`,
      ),
    ).toEqual([]);
    expect(
      await unnamed(
        "update rounds set closed_at = closes_at - 5000 where id = 1",
        `${NAME}1 was closed 5 s before its time`,
      ),
    ).toEqual([]);
    const ahead = "update rounds set closed_at = draws_at - 120001, drawn_at = draws_at - 120001 where id = 1";
    expect(besideTheLog((await ground.after(ahead)).problems)).toEqual([]);
  });

  /** A server has worked until the fourth round opened, 120 s after the first was due. */
  const later = `update rounds set opened_at = ${LATEST} + 1000 where id = 4`;

  it("names a round that is not drawn, or not paid, while a server worked on for two minutes", async () => {
    const open = "seed = null, dice = null, drawn_at = null, settled_at = null";
    expect(
      await unnamed(
        `update rounds set ${open} where id = 1; ${later}`,
        /^round k3-1m 20260302-0001 is not drawn: a server worked on for \d+ s after it was due$/,
      ),
    ).toEqual([]);
    expect(
      await unnamed(
        `update rounds set settled_at = null, drawn_at = draws_at where id = 1; ${later}`,
        /^round k3-1m 20260302-0001 is not paid: a server worked on for \d+ s after its draw$/,
      ),
    ).toEqual([]);
  });

  it("asks no draw of a round that failed, was skipped, or for which the time was too short", async () => {
    const about = async (sql: string) =>
      (await ground.after(`${sql}; ${later}`)).problems.filter((one) => /is not (drawn|paid)/.test(one));
    const open = "seed = null, dice = null, drawn_at = null, settled_at = null";
    expect(await about(`update rounds set ${open}, failed_at = 1 where id = 1`)).toEqual([]);
    expect(await about(`update rounds set ${open}, skipped_at = 1 where id = 1`)).toEqual([]);
    expect(await about(`update rounds set ${open} where id = 3`)).toEqual([]);
  });
});

describe.concurrent("the audit of how far the seals reach", () => {
  /** All rows that are sealed are of the same moment. */
  const old = `update transfers set created_at = ${LATEST}; update house_entries set created_at = ${LATEST}`;
  const unsealed = (kind: string, id: string, at: string) =>
    `the seals end before ${kind} ${id} of 2026-03-02T00:0${at}.000Z: a server worked on for `;

  it.each([
    ["a round that opened", `update rounds set opened_at = ${LATEST} + 120001 where id = 4`],
    [
      "a bet that was taken",
      `update house_entries set created_at = ${LATEST} + 120001 where id = (select max(id) from house_entries)`,
    ],
    ["a login", `update sessions set created_at = ${LATEST} + 120001 where id = (select max(id) from sessions)`],
    ["a spin", `update spins set created_at = ${LATEST} + 120001 where id = (select max(id) from spins)`],
  ])("names the first row without a seal, by %s two minutes later", async (_, sign) => {
    const { problems } = await ground.after(`delete from seals; ${old}; ${sign}`);
    expect(problems).toContainEqual(expect.stringMatching(unsealed("transfer", "1", "3:00")));
    expect(problems).toContainEqual(expect.stringMatching(/^the seals end before house entry 1 of /));
  });

  it("names rows behind the last seal alone", async () => {
    const sql = `update seals set transfers_to = transfers_to - 1; update rounds set opened_at = ${LATEST} + 200000 where id = 4`;
    const { problems } = await ground.after(sql);
    expect(problems.filter((one) => one.startsWith("the seals end"))).toEqual([
      expect.stringMatching(/^the seals end before transfer \d+ of .*: a server worked on for \d+ s$/),
    ]);
  });

  it("takes the newest seal for how far they reach", async () => {
    const sql = `insert into seals (id, house_to, transfers_to, root, seal, created_at)
        select 2, house_to, transfers_to, root, seal, created_at from seals;
      update seals set house_to = 0, transfers_to = 0 where id = 1;
      update rounds set opened_at = ${LATEST} + 200000 where id = 4`;
    expect((await ground.after(sql)).problems.join()).not.toContain("the seals end");
  });

  it("asks no seal for rows of the last two minutes, of a server that was down, or of a clock that was ahead", async () => {
    const of = async (sql: string) =>
      (await ground.after(`delete from seals; ${sql}`)).problems.filter((one) => one.startsWith("the seals end"));
    const sign = (ms: number) => `update rounds set opened_at = ${LATEST} + ${ms} where id = 4`;
    const back = (ms: number, reason = "down") => `insert into gaps
      (game_id, from_day, from_number, to_day, to_number, reason, created_at) values (1, 1, 1, 1, 1, '${reason}', ${LATEST} + ${ms})`;
    expect(await of(`${old}; ${sign(120_000)}`)).toEqual([]);
    expect(await of(`${old}; ${sign(120_001)}`)).toHaveLength(2);
    expect(await of(`${old}; ${sign(900_000)}; ${back(800_000)}`)).toEqual([]);
    expect(await of(`${old}; ${sign(900_000)}; ${back(800_000, "paused")}`)).toHaveLength(2);
    expect(await of(`${old}; ${sign(900_000)}; ${back(700_000)}`)).toHaveLength(2);
    expect(await of(`${old}; ${sign(1e14)}`)).toEqual([]);
    expect(await of(`${old}; ${sign(900_000)}; ${back(1e14)}`)).toHaveLength(2);
  });
});

describe.concurrent("the audit of spins", () => {
  it("names spins that belong to no pair", async () => {
    expect(await unnamed("update spins set pair_id = 9 where pair_id = 2", "8 spins belong to no pair")).toEqual([]);
  });
});
