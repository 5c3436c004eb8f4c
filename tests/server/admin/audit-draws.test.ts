import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Copies } from "../../support/copies.ts";
import { ENGINE } from "../../support/databases.ts";
import { world, type World } from "../../support/world.ts";
import { besideTheLog } from "./audit-ground.ts";
import { operate } from "./operate.ts";

let w: World;
let copies: Copies;

/** Three rounds with bets are drawn, the fourth is open. */
beforeAll(async () => {
  w = await world({ env: { MASTER_KEY: "5eed".repeat(16) } });
  await w.game();
  await w.game({ key: "other-1m", name: "Other", periodS: 60, closeS: 3 });
  const mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  for (let round = 1; round <= 3; round++) {
    const bet = { item: "A,B", money: "10", lid: "lot_1", mid: "", expect: `20260302-000${round}` };
    await mia.call("/game/placeOrder", bet);
    await w.live(60_000);
  }
  await w.site.housekeeping.seal();
  copies = await Copies.of(w);
});
afterAll(async () => {
  await copies.close();
  await w.close();
});

interface Found {
  problems: string[];
  notes: string[];
}

async function foundAfter(sql: string): Promise<Found> {
  const { out } = await operate(await copies.tampered(sql), "audit", "--json");
  return JSON.parse(out) as Found;
}

const problemsAfter = async (sql: string) => (await foundAfter(sql)).problems;

const [TRUE, FALSE] = ENGINE === "sqlite" ? ["1", "0"] : ["true", "false"];
const FORGET =
  "delete from payouts where round_id = 3; delete from bets where round_id = 3; delete from rounds where id = 5;";
const GAP = "insert into gaps (game_id, from_day, from_number, to_day, to_number, reason, created_at)";

describe.concurrent("the audit of draws finds", () => {
  it("nothing in untouched data", async () => {
    const { exit, out } = await operate(w, "audit", "--json");
    expect([exit, JSON.parse(out)]).toMatchObject([0, { orders: 3, problems: [] }]);
  });

  it("lower odds that were put under a bet after it was placed", async () => {
    const problems = await problemsAfter(
      `insert into odds (id, game_id, milli, created_at) select 99, 1, milli, created_at from odds where id = 1;
       update bets set odds_id = 99 where id = 2`,
    );
    expect(problems).toContain("bet 2 has the odds 99, its round has 1");
  });

  it("a round with the odds of another game", async () => {
    const problems = await problemsAfter("update rounds set odds_id = 2 where id = 1");
    expect(problems).toContain("round 1: its odds 2 were not those of its game when it opened");
  });

  it("a draw that was held back for an hour while later rounds opened, and notes it", async () => {
    const { notes } = await foundAfter("update rounds set drawn_at = draws_at + 3600000 where id = 1");
    expect(notes).toContain(
      "round k3-1m 20260302-0001 was drawn 3600 s after it was due, though the next round had opened",
    );
  });

  it("a drawn round that was turned into a gap, though nobody paused", async () => {
    const problems = await problemsAfter(
      `${FORGET} ${GAP} select 1, day, 3, day, 3, 'paused', 1 from rounds where id = 1`,
    );
    expect(problems).toContain("k3-1m: the gap 20260302-0003 to 20260302-0003 says paused, but no pause covers it");
  });

  it("a draw that never comes, though later rounds opened", async () => {
    const problems = await problemsAfter(
      "update rounds set drawn_at = null, seed = null, dice = null, settled_at = null where id = 1",
    );
    expect(problems).toContainEqual(
      expect.stringMatching(/^round k3-1m 20260302-0001 is not drawn: a server worked on for \d+ s after it was due$/),
    );
  });

  const PAUSE = "insert into pauses (game_id, from_day, from_number, paused, announced_at)";
  it.each([
    ["less than two rounds ahead", "announced_at_ms", "was announced less than two rounds ahead"],
    ["never, though others were", "null", "was not announced"],
  ])("a pause that was announced %s", async (_, at, says) => {
    const when = at === "null" ? "null" : "opened_at";
    const early = `${PAUSE} select 1, day, 1, ${TRUE}, opened_at - 120000 from rounds where id = 1`;
    const late = `${PAUSE} select 1, day, 2, ${FALSE}, ${when} from rounds where id = 1`;
    expect(besideTheLog(await problemsAfter(`${early}; ${late}`))).toEqual([
      `k3-1m: the end of a pause from 20260302-0002 ${says}`,
    ]);
  });

  it("a round at a place that had been shown, and a highest place that was lowered", async () => {
    const swap = (from: number, to: number) =>
      `update rounds set number = ${to} where game_id = 2 and number = ${from}`;
    expect(await problemsAfter([swap(1, 9), swap(2, 1), swap(9, 2)].join(";"))).toContain(
      "round other-1m 20260302-0001 was opened at a place that had been shown",
    );
    expect(await problemsAfter("update shown_places set number = 2 where game_id = 1")).toEqual(
      [3, 4].map(
        (number) => `round k3-1m 20260302-000${number} is above the highest place that is kept as shown of its day`,
      ),
    );
  });

  it("an invented seed at the end of a gap", async () => {
    const invented = `update shown_places set number = 9, seed = '${"ab".repeat(32)}' where game_id = 1`;
    expect(await problemsAfter(invented)).toEqual([
      "k3-1m: the seed shown for 20260302-0009, in a gap, does not lead to the day's anchor",
    ]);
  });
});
