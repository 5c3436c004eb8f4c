import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditSpins } from "#server/admin/audit/spins.ts";
import { partly } from "./audit-one-part.ts";
import { wheelGround } from "./audit-wheel-ground.ts";

let ground: Awaited<ReturnType<typeof wheelGround>>;
beforeAll(async () => {
  ground = await wheelGround();
});
afterAll(() => ground.close());

const problemsAfter = async (sql: string) => (await partly(ground.copies, sql, auditSpins)).problems;
type Case = [what: string, sql: string, problems: string[]];

const pair = (id: number, change: string) => `update wheel_pairs set ${change} where id = ${id};`;
const spin = (id: number, change: string) => `update spins set ${change} where id = ${id};`;
const transfer = (id: number, change: string) => `update transfers set ${change} where id = ${id};`;
const prize = (id: string, change: string) => `update prizes set ${change} where id = '${id}';`;
const BARE = "words_by = null, table_id = null, table_hash = null";
/** What a table said before it told what its prizes give. */
const old = (table: number) => `update wheel_tables set prizes = '[{"id":"one","weight":1}]' where id = ${table};`;
const NOT_OFFERED = "the wheel does not offer what is left to win";

describe("the audit finds nothing", () => {
  it.each([
    ["in an untouched wheel", "select 1"],
    ["in a table that is older than those that tell what can be won", old(1)],
    ["in such a table behind one without prizes", `update wheel_tables set prizes = '[]' where id = 1; ${old(2)}`],
    ["in spins of 1/100 unit", spin(5, "price = 1") + transfer(11, "amount = 1")],
    ["in other transfers of the same cause", transfer(1, "cause = 'wheel:1:1:5'")],
    ["in a prize of which one is left", prize("two", "stock = 1")],
    ["in a member who had no spin today", "update wheel_members set used = 0"],
    [
      "in a pair that ended without a spin",
      `delete from spins where pair_id = 2; delete from transfers where cause like 'wheel:1:1:%';${pair(2, "nonce = 0, revealed_at = 1")}`,
    ],
    [
      "in a pair from before words were bound to a table",
      old(1) + pair(2, BARE) + spin(4, "table_id = 1, prize_id = 'one'") + spin(5, "table_id = 1, prize_id = 'one'"),
    ],
    [
      "in a pair that a migration ended, whose seed is told later",
      `${old(1)}delete from wheel_pairs where id = 5;${pair(4, `revealed_at = 1, ${BARE}`)}${spin(6, "table_id = 1, prize_id = 'one'")}`,
    ],
    ["in the words of an erased member", "update members set username = 'erased 1' where id = 1; delete from messages"],
    ["in the words of the house for one", "update members set username = 'erased 3' where id = 3"],
    [
      "where nobody ever had a wheel",
      "delete from spins; delete from wheel_pairs; delete from wheel_tables; delete from prizes; delete from transfers where code in ('spin', 'prize')",
    ],
  ])("%s", async (_, sql) => {
    expect(await problemsAfter(sql)).toEqual([]);
  });
});

describe("the audit names a pair", () => {
  const commitOnly = "pair 3 has no words yet, and more than its commit";
  const unbound = "pair 2: its table is not the one that its words were bound to";
  const undrawn = (nonce: number) => `spin ${nonce} of pair 2 was not drawn from the table of its pair`;

  it.each<Case>([
    [
      "whose number leaves others out",
      pair(3, "number = 9"),
      ["member 1: their pairs are not numbered in a row", "pair 2 is open, and its commit is not the last but one"],
    ],
    [
      "that lacks a spin",
      "delete from spins where id = 5",
      ["pair 2: 1 spins, it counts 2", "pair 2: 4 transfers, its spins have 2"],
    ],
    [
      "whose spins are numbered otherwise",
      spin(5, "nonce = 7"),
      ["pair 2: 2 spins, it counts 2", "spin 7 of pair 2: its transfers are not what it cost and won"],
    ],
    ["without words that has spins", pair(3, "nonce = 1"), ["pair 3: 0 spins, it counts 1", commitOnly]],
    ["without words that is over", pair(3, "revealed_at = 1"), [commitOnly]],
    ["whose words somebody chose, and that has none", pair(3, "words_by = 'member'"), [commitOnly]],
    ["without words that has a table", pair(3, "table_id = 3"), [commitOnly]],
    ["without words that has the hash of one", pair(3, "table_hash = 'x'"), [commitOnly]],
    [
      "that waits behind another one",
      `drop index wheel_pairs_next; delete from spins where pair_id = 2; delete from transfers where cause like 'wheel:1:1:%';
        ${pair(2, `nonce = 0, words = null, ${BARE}`)}`,
      ["pair 2 waits for words, and a later pair has its own"],
    ],
    [
      "that is over and lost its words",
      `drop index wheel_pairs_next;${pair(1, "words = null")}`,
      ["pair 1 has no words yet, and more than its commit", "pair 1 waits for words, and a later pair has its own"],
    ],
    [
      "that is open without a commit after it",
      "delete from wheel_pairs where id = 3",
      ["pair 2 is open, and its commit is not the last but one"],
    ],
    [
      "with words that the house cannot have chosen",
      pair(2, "words_by = 'house'"),
      ["pair 2: the house chose other words than the user name"],
    ],
    [
      "with other words than those of the house",
      pair(6, "words = 'x'"),
      ["pair 6: the house chose other words than the user name"],
    ],
    ["that is bound to another hash", pair(2, "table_hash = 'x'"), [unbound, undrawn(0), undrawn(1)]],
    ["that is bound to another table", pair(2, "table_id = 2"), [unbound]],
    ["that is bound to a table that is gone", pair(2, "table_id = 9"), [unbound]],
    ["that is bound to nothing", pair(2, BARE), [unbound, undrawn(0), undrawn(1)]],
    [
      "of old spins and new ones that is bound to nothing",
      old(1) + pair(2, BARE) + spin(4, "table_id = 1, prize_id = 'one'"),
      [unbound, undrawn(1)],
    ],
    [
      "of old spins that has words of its member",
      `${old(1)}${pair(2, "table_id = null, table_hash = null")}update spins set table_id = 1, prize_id = 'one' where pair_id = 2`,
      [unbound],
    ],
    [
      "of old spins that has a table",
      `${old(1)}${pair(2, "words_by = null, table_hash = null")}update spins set table_id = 1, prize_id = 'one' where pair_id = 2`,
      [unbound],
    ],
  ])("%s", async (_, sql, problems) => {
    expect(await problemsAfter(sql)).toEqual(problems);
  });

  it("of more than it reads at once, once", async () => {
    const sql = `update transfers set cause = 'wheel:2:5001:0' where cause = 'wheel:2:0:0'; delete from messages;
      ${pair(5, "number = 5002")}${pair(4, "number = 5001")}delete from wheel_pairs where id in (1, 2, 3);
      delete from spins where member_id = 1; delete from transfers where cause like 'wheel:1:%';
      insert into wheel_pairs (id, member_id, number, "commit", words, words_by, table_id, table_hash, nonce, created_at, revealed_at)
        with recursive n (i) as (select 0 union all select i + 1 from n where i < 5000)
        select 10 + i, 2, i, 'x', 'x', 'member', 3, table_hash, case i when 4995 then 1 else 0 end, 1, 1
        from n, wheel_pairs where id = 4`;
    // It is the last of the first page: four are before those.
    expect(await problemsAfter(sql)).toEqual(["pair 5005: 0 spins, it counts 1"]);
  });
});

describe("the audit names a seed", () => {
  const unproven = (id: number) => `pair ${id}: its seed is not the committed one`;
  const MIGRATED = `${old(1)}${pair(4, `revealed_at = 1, ${BARE}`)}${spin(6, "table_id = 1, prize_id = 'one'")}`;

  it.each<Case>([
    ["that nobody was told", "delete from messages", [unproven(1)]],
    ["that another message tells", "update messages set kind = 'other'", [unproven(1)]],
    ["that another member was told", "update messages set member_id = 2", [unproven(1)]],
    [
      "that was told of another pair",
      `update messages set facts = '{"pair":"2","seed":"${"ab".repeat(32)}"}'`,
      [unproven(1)],
    ],
    ["that is none", `update messages set facts = '{"pair":"1","seed":"x"}'`, [unproven(1)]],
    ["of another commit", pair(1, "\"commit\" = 'x'"), [unproven(1)]],
    [
      "that gives another prize",
      spin(2, "prize_id = case prize_id when 'one' then 'two' else 'one' end"),
      ["spin 1 of pair 1: the seed gives another prize"],
    ],
    [
      "of an ended pair that nobody was told",
      `delete from wheel_pairs where id = 5;${pair(4, "revealed_at = 1")}`,
      [unproven(4)],
    ],
    ["that a migration left, and another pair came", MIGRATED, [unproven(4)]],
    [
      "that a migration left, and is told falsely",
      `${MIGRATED}delete from wheel_pairs where id = 5; update messages set member_id = 2, facts = '{"pair":"4","seed":"x"}';
        delete from spins where pair_id = 1; delete from transfers where cause like 'wheel:1:0:%';${pair(1, "nonce = 0")}`,
      [unproven(4)],
    ],
  ])("%s", async (_, sql, problems) => {
    expect(await problemsAfter(sql)).toEqual(problems);
  });
});

describe("the audit names a spin", () => {
  const moved = "spin 1 of pair 2: its transfers are not what it cost and won";
  const other = "spin 1 of pair 2 won something else than its table gives";

  it.each<Case>([
    [
      "from another table",
      spin(4, "table_id = 2, prize_id = 'one'"),
      ["spin 0 of pair 2 was not drawn from the table of its pair"],
    ],
    [
      "from a table that is gone",
      spin(4, "table_id = 9"),
      [
        "spin 0 of pair 2 was not drawn from the table of its pair",
        "spin 0 of pair 2 won a prize that was not on the wheel",
      ],
    ],
    [
      "of a public seed from a table that is gone",
      spin(1, "table_id = 9"),
      [
        "spin 0 of pair 1 was not drawn from the table of its pair",
        "spin 0 of pair 1: the seed gives another prize",
        "spin 0 of pair 1 won a prize that was not on the wheel",
      ],
    ],
    ["of no prize", spin(5, "prize_id = 'ghost'"), ["spin 1 of pair 2 won a prize that was not on the wheel"]],
    ["of another kind of prize", spin(5, "kind = 'days'"), [other, "pair 2: 4 transfers, its spins have 3"]],
    ["of a higher prize", spin(5, "amount = 501"), [other, moved]],
    ["that was free, and paid", spin(5, "price = 0"), ["pair 2: 4 transfers, its spins have 3"]],
    ["whose prize nobody got", "delete from transfers where id = 12", [moved, "pair 2: 3 transfers, its spins have 4"]],
    ["whose prize was a credit", transfer(12, "code = 'credit'"), [moved, "pair 2: 3 transfers, its spins have 4"]],
    ["that another member paid", transfer(11, "debit = 'member:2'"), [moved]],
    ["whose price went elsewhere", transfer(11, "credit = 'house:operator'"), [moved]],
    ["whose prize another one paid", transfer(12, "debit = 'house:operator'"), [moved]],
    ["whose prize went to another member", transfer(12, "credit = 'member:2'"), [moved]],
    ["that cost less", transfer(11, "amount = 299"), [moved]],
    [
      "of no pair",
      spin(7, "pair_id = 99"),
      ["pair 6: 0 spins, it counts 1", "pair 6: 1 transfers, its spins have 0", "1 spins belong to no pair"],
    ],
  ])("%s", async (_, sql, problems) => {
    expect(await problemsAfter(sql)).toEqual(problems);
  });
});

describe("the audit names", () => {
  const cause = (text: string, code = "spin") => transfer(1, `code = '${code}', cause = '${text}'`);
  const tooMany = "prize two: 2 more were won than there were";

  it.each<Case>([
    ["a transfer of a pair that no spin has", cause("wheel:1:1:"), ["pair 2: 5 transfers, its spins have 4"]],
    ["a transfer behind those of a pair", cause("wheel:1:1;"), ["1 transfers of the wheel belong to no spin"]],
    [
      "a transfer of a pair that there is not",
      cause("wheel:1:10:0", "prize"),
      ["1 transfers of the wheel belong to no spin"],
    ],
    [
      "a new table that does not say what can be won",
      `insert into wheel_tables (prizes, created_at) values ('[{"id":"one","weight":1}]', 0)`,
      ["table 4 does not say what its prizes give", NOT_OFFERED],
    ],
    ["such a table behind one that does", old(2), ["table 2 does not say what its prizes give"]],
    ["more won than there were", prize("two", "stock = -2"), [tooMany, NOT_OFFERED]],
    ["a prize on the wheel that has run out", prize("two", "stock = 0"), [NOT_OFFERED]],
    ["a prize on the wheel that is not offered", prize("one", "offered = false"), [NOT_OFFERED]],
    ["prizes in another order", prize("one", "position = 9"), [NOT_OFFERED]],
    ["other chances", prize("one", "weight = 2"), [NOT_OFFERED]],
    ["another kind of prize", prize("one", "kind = 'days'"), [NOT_OFFERED]],
    ["another amount", prize("one", "amount = 1"), [NOT_OFFERED]],
    ["another prize", prize("three", "id = 'four'"), [NOT_OFFERED]],
    [
      "more spins than a member had",
      "update wheel_members set used = -1 where member_id = 2",
      ["member 2 has had more spins than they were given"],
    ],
    [
      "more spins than a member won",
      "update wheel_members set extra = -1 where member_id = 2",
      ["member 2 has had more spins than they were given"],
    ],
  ])("%s", async (_, sql, problems) => {
    expect(await problemsAfter(sql)).toEqual(problems);
  });
});
