import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setPrizes } from "#server/domains/wheel/set-prizes.ts";
import { Copies } from "../../support/copies.ts";
import { set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { operate } from "./operate.ts";

let w: World;
let copies: Copies;

const prize = (id: string, over: object) => {
  const words = { title: id, memo: id, image: `/prizes/${id}.svg` };
  return { id, ...words, kind: "points" as const, amount: 500, weight: 1, ...over };
};

const begin = async (mia: Player, words: string) => {
  const { data } = await mia.call("/fair/wheel");
  await mia.call("/fair/wheel", { client_seed: words, commit: data.next_commit });
};

/** One member has a public pair of twelve spins, ten of them bought, an open one with two, and the next commit. */
beforeAll(async () => {
  w = await world({ env: { MASTER_KEY: "5eed".repeat(16) } });
  const prizes = [prize("five", {}), prize("few", { stock: 50 }), prize("nine", { amount: 900 })];
  await w.deps.db.transact((tx) => setPrizes(tx, w.deps, prizes));
  await set(w, "spin_daily", "2");
  await set(w, "spin_price", "3");
  const mia = await w.player("mia_1", { balance: 100 });
  await begin(mia, "first");
  for (let i = 0; i < 12; i++) await mia.call("/luckdraw", {});
  await begin(mia, "words");
  for (let i = 0; i < 2; i++) await mia.call("/luckdraw", {});
  copies = await Copies.of(w);
});
afterAll(async () => {
  await copies.close();
  await w.close();
});

/** The audit's problems in a copy that was changed by hand, past every trigger. */
async function problemsAfter(sql: string): Promise<string[]> {
  const { out } = await operate(await copies.tampered(sql), "audit", "--json");
  return (JSON.parse(out) as { problems: string[] }).problems;
}

const OTHER = "(select id from prizes where id <> spins.prize_id limit 1)";

describe.concurrent("the audit of the wheel", () => {
  it("finds no problem in untouched data", async () => {
    const { exit, out } = await operate(w, "audit", "--json");
    expect([exit, JSON.parse(out)]).toMatchObject([0, { ok: true, problems: [], ledger_sum: 0 }]);
  });

  it.each([
    [
      "a prize that the seed does not give",
      `update spins set prize_id = ${OTHER} where id = 2`,
      ["spin 1 of pair 1: the seed gives another prize"],
    ],
    [
      "other words than those that were drawn with",
      "update wheel_pairs set words = 'x' where id = 1",
      [expect.stringMatching(/^spin \d of pair 1: the seed gives another prize$/)],
    ],
    [
      "another commit",
      `update wheel_pairs set "commit" = '${"ab".repeat(32)}' where id = 1`,
      ["pair 1: its seed is not the committed one"],
    ],
    ["a seed that is gone", "delete from messages", ["pair 1: its seed is not the committed one"]],
    [
      "chances that were changed",
      `update wheel_tables set prizes = '[{"id":"five","weight":1},{"id":"few","weight":1},{"id":"nine","weight":5}]'`,
      ["the wheel does not offer what is left to win", "pair 2: its table is not the one that its words were bound to"],
    ],
    [
      "a pair whose number was ground",
      "update wheel_pairs set number = 104972 where id = 3",
      ["member 1: their pairs are not numbered in a row"],
    ],
    [
      "a commit that was shown, and is gone",
      "delete from wheel_pairs where id = 3",
      ["pair 2 is open, and its commit is not the last but one"],
    ],
    [
      "words that are gone",
      `drop index wheel_pairs_next;
       update wheel_pairs set words = null, words_by = null, table_id = null, table_hash = null where id = 2`,
      ["pair 2 waits for words, and a later pair has its own", "pair 2 has no words yet, and more than its commit"],
    ],
    [
      "a spin of a commit without words",
      "update spins set pair_id = 3, nonce = 0 where id = 14",
      ["pair 3: 1 spins, it counts 0"],
    ],
    [
      "words of the house that are not the user name",
      "update wheel_pairs set words_by = 'house' where id = 1",
      ["pair 1: the house chose other words than the user name"],
    ],
    [
      "a pair that is bound to nothing",
      "update wheel_pairs set words_by = null, table_id = null, table_hash = null where id = 2",
      ["pair 2: its table is not the one that its words were bound to"],
    ],
    [
      "a pair that is bound to another table",
      `update wheel_pairs set table_hash = '${"ab".repeat(32)}' where id = 2`,
      [
        "pair 2: its table is not the one that its words were bound to",
        "spin 0 of pair 2 was not drawn from the table of its pair",
      ],
    ],
    [
      "a table that does not say what can be won",
      `insert into wheel_tables (prizes, created_at) values ('[{"id":"five","weight":1}]', 0)`,
      ["table 2 does not say what its prizes give"],
    ],
    [
      "a prize that its table does not give",
      "update spins set kind = 'days', amount = 1 where id = 13",
      ["spin 0 of pair 2 won something else than its table gives"],
    ],
    ["a spin that is gone", "delete from spins where id = 14", ["pair 2: 1 spins, it counts 2"]],
    [
      "a prize that was raised",
      "update spins set amount = amount + 100 where id = 13",
      ["spin 0 of pair 2: its transfers are not what it cost and won"],
    ],
    [
      "a price that was not paid",
      "update spins set price = 0 where id = 12",
      ["pair 1: 22 transfers, its spins have 21"],
    ],
    [
      "a win of no spin",
      "update transfers set cause = 'wheel:1:7:0' where cause = 'wheel:1:0:0'",
      ["spin 0 of pair 1: its transfers are not what it cost and won", "1 transfers of the wheel belong to no spin"],
    ],
    [
      "a prize that was not on the wheel",
      "update spins set prize_id = 'ghost' where id = 14",
      ["spin 1 of pair 2 won a prize that was not on the wheel"],
    ],
    [
      "more won than there were",
      "update prizes set stock = -1 where id = 'few'",
      ["prize few: 1 more were won than there were", "the wheel does not offer what is left to win"],
    ],
    [
      "spins that nobody was given",
      "update wheel_members set extra = -1",
      ["member 1 has had more spins than they were given"],
    ],
  ])("finds and names %s", async (_, sql, problems) => {
    expect(await problemsAfter(sql)).toEqual(expect.arrayContaining(problems));
  });
});
