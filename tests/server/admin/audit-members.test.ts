import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditGround, type Ground } from "./audit-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await auditGround();
});
afterAll(() => ground.close());

const OTHER = "ab".repeat(32);
const of = (kind: string) => `key like '${kind}:%'`;
const one = (kind: string) => `id = (select min(id) from member_leaves where ${of(kind)})`;
/** Forgets a spin as if it had never been: the chain after it does not fit any more. */
const forget = "delete from member_leaves where key like 'spin:%:1:3'";

describe.concurrent("the audit of what the log says of members: it names", () => {
  it.each<[string, string, ...RegExp[]]>([
    [
      "a credit whose transfer was raised",
      "update transfers set amount = amount + 1 where code = 'deposit'",
      /^the log's credit, leaf \d+ of member \d, differs from its transfer$/,
    ],
    [
      "a credit whose transfer was dated back",
      "update transfers set created_at = created_at - 1 where code = 'credit'",
      /^the log's credit, leaf \d+ of member \d, differs from its transfer$/,
    ],
    [
      "a reversal without its transfer",
      "delete from transfers where code = 'reversal'",
      /^the log's debit, leaf \d+ of member 2, has no transfer in the tables$/,
    ],
    [
      "a plan that gave other days",
      "update transfers set cause = replace(cause, ':1d:', ':2d:') where code = 'plan'",
      /^the log's debit, leaf \d+ of member 1, has no transfer in the tables$/,
      /^the log does not state transfer \d+ \(plan\)$/,
    ],
    [
      "a transfer that no leaf states",
      `insert into transfers (id, code, cause, debit, credit, amount, member_id, version, balance_after, created_at)
       values (9000, 'credit', 'op_x', 'house:operator', 'member:2', 5, 2, 900, 5, 1)`,
      /^the log does not state transfer 9000 \(credit\)$/,
    ],
    [
      "another holder of an account",
      "update bank_accounts set holder = 'Somebody Else'",
      /^the log's bank, leaf \d+ of member 1, differs from its bank account$/,
    ],
    [
      "another account of the same last digits",
      "update bank_accounts set sealed = replace(sealed, substr(sealed, 45, 3), 'abc')",
      /^the log's bank, leaf \d+ of member 1, differs from its bank account$/,
    ],
    [
      "an account that was taken away",
      "delete from bank_accounts",
      /^the log's bank, leaf \d+ of member 1, has no bank account in the tables$/,
    ],
    [
      "a limit that was lifted",
      "update wallets set limit_loss_week = null where member_id = 1",
      /^the log's limit, leaf \d+ of member 1, differs from the tables: loss_week is none$/,
    ],
    [
      "a limit that was raised early",
      "update wallets set limit_stake_day = 90000 where member_id = 1",
      /^the log's limit, leaf \d+ of member 1, differs from the tables: stake_day is 90000$/,
    ],
    [
      "a raise that comes early",
      "update limit_changes set due_at = due_at - 80000000",
      /^the log's limit, leaf \d+ of member 1, differs from the tables: stake_day is 50000$/,
    ],
    [
      "a withdrawal that is called paid",
      "update withdrawals set status = 'paid' where id = 2",
      /^the log says approved of withdrawal wdr_2, the tables paid$/,
      /^the log does not state withdrawal wdr_2 \(paid\)$/,
    ],
    [
      "a refused withdrawal that is called paid",
      "update withdrawals set status = 'paid' where id = 3",
      /^the log says refused of withdrawal wdr_3, the tables paid$/,
    ],
    [
      "a withdrawal of another amount",
      "update withdrawals set amount = amount + 1 where id = 1",
      /^the log's withdrawal, leaf \d+ of member 1, differs from its withdrawal$/,
    ],
    [
      "a withdrawal that vanished",
      "delete from withdrawals where id = 1",
      /^the log's withdrawal, leaf \d+ of member 1, has no withdrawal in the tables$/,
    ],
    [
      "a withdrawal that no leaf states",
      `insert into withdrawals (id, member_id, amount, status, day, created_at, updated_at)
       values (900, 1, 5, 'review', 1, 1, 1)`,
      /^the log does not state withdrawal wdr_900 \(review\)$/,
    ],
    [
      "a pair with another commit",
      `update wheel_pairs set "commit" = '${OTHER}' where number = 0`,
      /^the log's pair, leaf \d+ of member 2, differs from its pair$/,
    ],
    [
      "a pair under another number",
      "update wheel_pairs set number = 7 where number = 2",
      /^the log's pair, leaf \d+ of member 2, has no pair in the tables$/,
      /^the log does not state pair 3$/,
    ],
    [
      "words that were edited",
      "update wheel_pairs set words = 'others' where number = 1",
      /^the log's spin, leaf \d+ of member 2, differs from its spin$/,
    ],
    [
      "a spin that cost more",
      "update spins set price = price + 1 where nonce = 3",
      /^the log's spin, leaf \d+ of member 2, differs from its spin$/,
    ],
    [
      "a spin that was unmade",
      "delete from spins where nonce = 7",
      /^the log's spin, leaf \d+ of member 2, has no spin in the tables$/,
    ],
    [
      "a spin that no leaf states",
      `insert into spins (id, member_id, pair_id, nonce, table_id, prize_id, kind, amount, price, won, created_at)
       select 9000, member_id, pair_id, 99, table_id, prize_id, kind, amount, price, won, created_at from spins where id = 1`,
      /^the log does not state spin 9000$/,
    ],
    [
      "a comment whose text was edited",
      "update comments set text = 'Awful' where id = 1",
      /^the log's comment, leaf \d+ of member 1, of cmt_1 differs from its comment$/,
    ],
    [
      "a comment that was hidden in silence",
      "update comments set shown = null where id = 1",
      /^the log's comment, leaf \d+ of member 1, of cmt_1 differs from its comment$/,
    ],
    [
      "a comment that was deleted as if it had never been written",
      "delete from comments where id = 3",
      /^the log's comment, leaf \d+ of member 1, of cmt_3 has no comment in the tables$/,
    ],
    [
      "a comment that nobody wrote",
      "insert into comments (id, listing_id, member_id, text, hearts, created_at) values (9, 2, 2, 'Best', 6, 1)",
      /^the log does not state comment cmt_9$/,
    ],
    [
      "a content that was edited, with its row",
      `update withdrawals set amount = 1 where id = 1;
       update member_leaves set content = replace(content, '"amount":10000', '"amount":1') where key = 'withdrawal:wdr_1:review'`,
      /^the log's leaf \d+ of member 1: its hash is not that of its content$/,
    ],
    [
      "an edited hash",
      `update member_leaves set hash = '${OTHER}' where ${one("limit")}`,
      /^the log's leaf (\d+|without a number) states a limit that no member's chain has$/,
      /^the log's leaf \d+ of member 1: its hash is not that of its content$/,
      /^the log's leaf \d+ of member 1 does not follow leaf \d+$/,
    ],
    [
      "a leaf that was forgotten",
      forget,
      /^the log's leaf (\d+|without a number) states a spin that no member's chain has$/,
      /^the log's leaf \d+ of member 2 does not follow leaf \d+$/,
      /^the log does not state spin \d+$/,
    ],
    [
      "the last leaf, forgotten",
      `delete from member_leaves where id = (select max(id) from member_leaves where member_id = 1)`,
      /^the log's chain of member 1 ends at leaf \d+, and counts \d+$/,
    ],
    [
      "a chain that is not counted",
      "delete from member_chains where member_id = 2",
      /^the log's chain of member 2 ends at leaf \d+, and counts none$/,
    ],
    [
      "a leaf that the log does not have",
      `delete from log_leaves where number is null and text like '%"limit"%'; delete from log_leaves where text like '%"kind":"limit"}'`,
      /^the log's leaf \d+ of member 1 stands in no log$/,
    ],
    [
      "a deleted salt",
      "delete from member_salts where member_id = 2",
      /^the log's leaf \d+ of member 2: its hash is not that of its content$/,
    ],
  ])("%s", async (_, sql, ...problems) => {
    const { problems: found } = await ground.after(sql);
    const missing = problems.filter((one) => !found.some((said) => one.test(said)));
    expect(missing.length > 0 ? [...missing, ...found] : []).toEqual([]);
  });

  it("nothing in an untouched copy", async () => {
    expect((await ground.after("select 1")).problems).toEqual([]);
  });
});
