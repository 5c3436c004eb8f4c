import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaf, logGround, NEWEST, WORKED } from "./audit-log-ground.ts";

let ground: Awaited<ReturnType<typeof logGround>>;
beforeAll(async () => {
  ground = await logGround();
});
afterAll(() => ground.close());

const OTHER = "ab".repeat(32);
/** Those of the problems that the audit does not name in a changed copy. */
async function unnamed(sql: string, ...problems: RegExp[]): Promise<unknown[]> {
  const { problems: found } = await ground.after(sql);
  const missing = problems.filter((one) => !found.some((said) => one.test(said)));
  return missing.length > 0 ? [...missing, ...found] : [];
}

describe.concurrent("the audit of the log", () => {
  it("finds nothing in an untouched one, and names the head that it reached", async () => {
    const { problems, ...rest } = await ground.after("select 1");
    expect(problems).toEqual([]);
    expect(rest).toMatchObject({ leaves: expect.any(Number), root: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it("notes a head that nobody has signed, where the server was stopped", async () => {
    const sql = `update log_heads set note = null, announced_at = null where size = ${NEWEST}`;
    const { problems, notes } = await ground.after(sql);
    expect([problems, notes.at(-1)]).toEqual([
      [],
      expect.stringMatching(/^the log's head of \d+ leaves is not signed yet$/),
    ]);
  });

  it("says where there is no log that rounds can be compared with", async () => {
    const { problems } = await ground.after("delete from log_leaves where number = 300; update bets set stake = stake");
    expect(problems).toEqual(["the log lacks its leaf 300"]);
  });
});

describe.concurrent("the tree of the log: the audit names", () => {
  it.each<[string, string, ...RegExp[]]>([
    [
      "an edited leaf",
      `update log_leaves set text = replace(text, '"bets":2', '"bets":3') where ${leaf("close", "0305-0001")}`,
      /^the log's head of \d+ leaves has another root than its leaves$/,
      /^the log's close of round k3-1m 20260305-0001: bets is 3, the rows give 2$/,
      /^the log's tile 0\/1 does not hold the hashes of its leaves$/,
    ],
    ["a bundle that is none", "update log_bundles set data = 'x'", /^the log's bundle 0 cannot be read$/],
    ["a bundle that is gone", "delete from log_bundles", /^the log lacks its leaf 0$/],
    [
      "a text beside a bundle",
      "update log_leaves set text = '{}' where number = 3",
      /, leaf 3, has a text beside its bundle$/,
    ],
    [
      "an edited tile",
      "update log_tiles set hashes = '00' || substr(hashes, 3) where level = 0",
      /^the log's tile 0\/0 /,
    ],
    [
      "a lost tile",
      "delete from log_tiles where level = 1",
      /^the log's tile 1\/0 /,
      /^the log has 2 tiles, and its leaves make 3$/,
    ],
    [
      "an edited root",
      `update log_heads set root = '${OTHER}' where size = ${NEWEST}`,
      /^the log's head of \d+ leaves has another root than its leaves$/,
      /^the log's head of \d+ leaves: its signed note says something else$/,
    ],
    [
      "an edited time of a head",
      `update log_heads set at = at + 1 where size = ${NEWEST}`,
      / leaves does not end in its time$/,
    ],
    [
      "heads whose times go back",
      `update log_heads set at = at + 1000000000 where size = (select min(size) from log_heads)`,
      / leaves is not younger than the one before$/,
    ],
    [
      "a signature of another head",
      `update log_heads set note = (select max(note) from log_heads where size < 100) where size = ${NEWEST}`,
      /: its signed note says something else$/,
    ],
    [
      "a spoilt note",
      `update log_heads set note = note || 'x' where size = ${NEWEST}`,
      / is not signed by the key that its leaves name last$/,
    ],
    [
      "a head that was signed and not announced",
      "update log_heads set announced_at = null",
      / is signed, and was not announced$/,
    ],
    [
      "a head that was announced and not signed",
      "update log_heads set note = null",
      / was announced without a signature$/,
    ],
    [
      "a head that waits for its signature",
      `update log_heads set note = null, announced_at = null; ${WORKED}`,
      /^the log's head of \d+ leaves is not signed: a server worked on for \d+ s$/,
    ],
    [
      "a lost head",
      `delete from log_heads where size = ${NEWEST}`,
      /^the log's leaf \d+ is a time that ends no head$/,
      /^the log's leaves from \d+ on are in no head$/,
    ],
    [
      "a head beyond the leaves",
      `insert into log_heads select log, size + 5, root, at + 1, null, null from log_heads where size = ${NEWEST}`,
      /^the log's head of \d+ leaves has more than the log$/,
    ],
    [
      "a signature of a witness that is none",
      "update log_cosignatures set line = replace(line, 'A', 'B')",
      /^the log's head of \d+ leaves: what stands as the signature of witness\.example\/w\+\S+ is none$/,
    ],
    [
      "another time of it",
      "update log_cosignatures set signed_at = signed_at + 1",
      /^the log's head of \d+ leaves: the signature of witness\.example\/w\S+ names another time than its row$/,
    ],
    [
      "another key",
      `update log_keys set public_key = '${OTHER}'`,
      /^the log's key 1 is not the one that its origin names$/,
    ],
    ["a lost key", "delete from log_keys", /^the log 1 has heads and no key$/],
    [
      "a row under another key",
      "update log_leaves set key = 'x' where number = 290",
      /, leaf 290, has no row under its own key$/,
    ],
    [
      "a leaf with two numbers",
      `drop index log_leaves_key; insert into log_leaves (log, key, text, number)
         select log, key, text, ${NEWEST} from log_leaves where ${leaf("draw", "0305-0001")}`,
      /^the log states the draw of round k3-1m 20260305-0001 twice, as leaf \d+ and as leaf \d+$/,
    ],
    [
      "two draws of one round",
      `drop index log_leaves_key; insert into log_leaves (log, key, text, number)
         select log, key, replace(text, '"dice":[', '"dice":[9,'), ${NEWEST} from log_leaves where ${leaf("draw", "0305-0001")}`,
      /^the log states the draw of round k3-1m 20260305-0001 twice, as leaf \d+ and as leaf \d+$/,
    ],
    [
      "a false sum of payouts",
      `update log_leaves set text = replace(text, '"payout":', '"payout":9') where ${leaf("settle", "0305-0001")}`,
      /^the log's settle of round k3-1m 20260305-0001: payout is 9\d+, the rows give \d+$/,
    ],
    [
      "a number too many",
      "insert into log_leaves (log, key, text, number) values (1, 'zz', null, 5)",
      /^the log has (\d+) leaves, and \d+ rows with a number$/,
    ],
    [
      "a leaf of no form",
      `update log_leaves set text = '{"kind":"x"}' where ${leaf("draw", "0305-0001")}`,
      /^the log's leaf \d+ has no form that the log knows$/,
    ],
    [
      "a leaf of plays that no hour has",
      `update log_leaves set text = '{"hash":"${OTHER}","kind":"plays"}' where ${leaf("draw", "0305-0001")}`,
      /^the log's leaf \d+ states plays that no hour has$/,
    ],
    [
      "a leaf of a member that no chain has",
      `update log_leaves set text = '{"hash":"${OTHER}","kind":"spin"}' where ${leaf("draw", "0305-0001")}`,
      /^the log's leaf \d+ states a spin that no member's chain has$/,
    ],
    [
      "a leaf that waits for its number",
      `insert into log_leaves (log, key, text) values (1, 'zz', '{"at":1,"from":"20260305-0009","game":"k3-1m","kind":"resume"}'); ${WORKED}`,
      /^the log's resume of k3-1m from 20260305-0009 waits for its number: a server worked on for \d+ s$/,
      /^the log's resume of k3-1m from 20260305-0009 has no row$/,
    ],
    [
      "a waiting leaf of no form",
      "insert into log_leaves (log, key, text) values (1, 'zz', 'x')",
      /^a leaf of the log without a number has no form that the log knows: x$/,
    ],
    [
      "a time without a number",
      `insert into log_leaves (log, key, text) values (1, 'zz', '{"kind":"time","time":5}')`,
      /^the log's time 5 has no number$/,
    ],
  ])("%s", async (_, sql, ...problems) => {
    expect(await unnamed(sql, ...problems)).toEqual([]);
  });
});

const round = (kind: string, says: string) => new RegExp(`^the log's ${kind} of round k3-1m 20260305-0001: ${says}$`);
const HASHES = "[0-9a-f]{64}, the rows give [0-9a-f]{64}";
const NEW_ROUND = `insert into rounds (game_id, day, number, "commit", odds_id, opened_at, closes_at, draws_at, from_bet)
  select game_id, day, 9, "commit", odds_id, opened_at, closes_at, draws_at, from_bet from rounds where id = 8`;
const SEAL = `insert into seals (id, house_to, transfers_to, root, seal, created_at)
  select 9, house_to, transfers_to, root, seal, created_at from seals where id = 1`;
const GAP = "insert into gaps (game_id, from_day, from_number, to_day, to_number, reason, created_at)";
const PAUSE = "insert into pauses (game_id, from_day, from_number, paused, announced_at)";
const UNDRAWN = "seed = null, dice = null, drawn_at = null";

it("names each of many signatures under heads that there are not, once", async () => {
  // At the end of a page stands the only signature of a head, and in it the first of several.
  const { problems } = await ground.after(`insert into log_cosignatures (log, size, witness, line, signed_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 888)
    select 1, case when i <= 498 then 10000000 + i else 10001000 + i / 3 end, 'w' || i, '', 0 from n`);
  const says = /^a witness signed the log's head of 1000\d+ leaves, which is not announced$/;
  expect(problems.filter((one) => says.test(one))).toHaveLength(888);
});

describe.concurrent("rounds against the log: the audit names", () => {
  it.each<[string, ...RegExp[]]>([
    [`update rounds set "commit" = '${OTHER}' where id = 6`, round("open", `commit is ${HASHES}`)],
    [
      "update rounds set odds_id = 8 where id = 6",
      round("open", "odds is 1, the rows give 8"),
      round("open", "odds_hash is .*"),
    ],
    [
      "update rounds set closes_at = closes_at + 1 where id = 6",
      round("open", String.raw`closes is \d+, the rows give \d+`),
    ],
    [
      "update rounds set draws_at = draws_at + 1 where id = 6",
      round("open", "draws is .*"),
      round("draw", "due is .*"),
    ],
    [
      "update rounds set beacon_rule = 'drand:x:1' where id = 6",
      round("open", "beacon_rule is none, the rows give drand:x:1"),
    ],
    ["update games set kind = 'dice-faces'", round("open", "rules is dice-sum, the rows give dice-faces")],
    [
      "update games set period_s = 120",
      round("open", "period is 60, the rows give 120"),
      /^the log's open of round k3-1m 20260305-0003: opens is /,
    ],
    [
      `insert into settings (name, value) values ('unit', '"USD"')`,
      /^the odds 1 of k3-1m are in point, and the ledger is in USD$/,
    ],
    ["update rounds set closed_at = closed_at + 1 where id = 6", round("close", "closed is .*")],
    ["update bets set stake = stake + 1 where id = 1", round("close", `bets_root is ${HASHES}`)],
    ["update bets set total = total + 1 where id = 1", round("close", "stake is 700, the rows give 701")],
    ["update bets set mask = 2 where id = 1", round("close", `bets_root is ${HASHES}`)],
    ["update bets set member_id = 2 where id = 1", round("close", `bets_root is ${HASHES}`)],
    ["update bets set created_at = created_at - 1 where id = 1", round("close", `bets_root is ${HASHES}`)],
    ["delete from bets where id = 1", round("close", "bets is 2, the rows give 1")],
    [
      `insert into bets (id, member_id, round_id, odds_id, mask, stake, total, balance_after, version, created_at)
         select 99, member_id, 6, odds_id, mask, stake, total, balance_after, version, created_at from bets where id = 1;
       update rounds set to_bet = 99 where id = 6`,
      round("close", "bets is 2, the rows give 3"),
    ],
    ["delete from member_salts where member_id = 1", round("close", `bets_root is ${HASHES}`)],
    [`update rounds set seed = '${OTHER}' where id = 6`, round("draw", `seed is ${HASHES}`)],
    ["update rounds set beacon = 'ab' where id = 6", round("draw", "beacon is , the rows give ab")],
    [
      "update rounds set dice = '[1,1,1]' where id = 6",
      round("draw", String.raw`dice is \[.*\], the rows give \[1,1,1\]`),
    ],
    ["update rounds set drawn_at = draws_at where id = 6", round("draw", String.raw`drawn is \d+, the rows give \d+`)],
    [
      "update payouts set amount = amount + 1 where round_id = 6",
      round("settle", "payout is .*"),
      round("settle", `payouts_root is ${HASHES}`),
    ],
    ["delete from payouts where round_id = 6", round("settle", "payouts is .*, the rows give 0")],
    ["update rounds set settled_at = settled_at + 1 where id = 6", round("settle", "settled is .*")],
    [
      `delete from payouts where round_id = 6; delete from bets where round_id = 6; delete from rounds where id = 6;
       ${GAP} values (1, 20517, 1, 20517, 1, 'paused', 1772668861000)`,
      /^the log has the open of round k3-1m 20260305-0001, and the tables have no such round$/,
      /^the log has the draw of round k3-1m 20260305-0001, and the tables have no such round$/,
      /^the log lacks the gap of k3-1m from 20260305-0001$/,
    ],
    [
      `delete from bets where round_id = 8; delete from rounds where id = 8; delete from log_rounds;
       ${GAP} values (1, 20517, 3, 20517, 3, 'down', 1772668981000)`,
      /^the log has the open of round k3-1m 20260305-0003, and the tables have no such round$/,
    ],
    [
      `update rounds set ${UNDRAWN} where id = 6`,
      /^the log has the draw of round k3-1m 20260305-0001, which was not drawn in the tables$/,
    ],
    [
      "update rounds set closed_at = null where id = 6",
      /^the log has the close of .*, which was not closed in the tables$/,
    ],
    [
      "update rounds set settled_at = null where id = 6",
      /^the log has the settle of .*, which was not paid in the tables$/,
    ],
    [NEW_ROUND, /^the log lacks the open of round k3-1m 20260305-0009$/],
    [
      "update rounds set closed_at = closes_at, drawn_at = draws_at, seed = '', dice = '[1,2,3]' where id = 8",
      /^the log lacks the close of round k3-1m 20260305-0003$/,
      /^the log lacks the draw of round k3-1m 20260305-0003$/,
    ],
    [
      "update rounds set closed_at = opened_at, opened_at = opened_at + 300000 where id = 8",
      /^the log lacks the close of round k3-1m 20260305-0003$/,
    ],
    [
      "update rounds set settled_at = opened_at, opened_at = opened_at + 300000 where id = 8",
      /^the log lacks the settle of round k3-1m 20260305-0003$/,
    ],
    ["delete from log_rounds", /^the log has forgotten that round k3-1m 20260305-0003 is not stated to its end$/],
    ["update log_rounds set bets = 5", /^the log keeps other bets of round k3-1m 20260305-0003 than it states$/],
  ])("%s", async (sql, ...problems) => {
    expect(await unnamed(sql, ...problems)).toEqual([]);
  });
});

describe.concurrent("other rows against the log: the audit names", () => {
  it.each<[string, ...RegExp[]]>([
    [
      `update anchors set anchor = '${OTHER}' where day = 20520`,
      new RegExp(`^the log's anchor of k3-1m 20260308: anchor is ${HASHES}$`),
    ],
    ["delete from anchors where day = 20520", /^the log's anchor of k3-1m 20260308 has no row$/],
    [
      "insert into anchors select game_id, 20999, anchor, created_at from anchors where day = 20520",
      /^the log lacks the anchor of k3-1m 20270630$/,
    ],
    [
      "update odds set milli = '[1]'",
      /^the log's odds 1 of k3-1m: rates is .*, the rows give \[1\]$/,
      /^the log's odds 1 of k3-1m: hash is /,
    ],
    ["update odds set created_at = created_at - 1", /^the log's odds 1 of k3-1m: from is /],
    ["update games set close_s = 5", /^the log's odds 1 of k3-1m: close is 3, the rows give 5$/],
    ["update odds set game_id = 9", /^the log's odds 1 of k3-1m has no row$/],
    [
      `update log_leaves set text = replace(text, '"odds":"1"', '"odds":"8"') where ${leaf("open", "0305-0001")}`,
      /^the log lacks the odds 8, with which it says that rounds were opened$/,
    ],
    [
      "update gaps set reason = 'late' where reason = 'paused'",
      /^the log's gap of k3-1m from 20260304-0263: reason is paused, the rows give late$/,
    ],
    [
      "update gaps set to_number = to_number - 1 where id = 3",
      /^the log's gap of k3-1m from 20260304-0263: to is 20260304-0266, the rows give 20260304-0265$/,
    ],
    ["update gaps set created_at = created_at + 1 where id = 3", /^the log's gap of k3-1m from 20260304-0263: at is /],
    ["delete from gaps where id = 3", /^the log's gap of k3-1m from 20260304-0263 has no row$/],
    [
      `${GAP} values (1, 20517, 5, 20517, 6, 'down', 1772668861000)`,
      /^the log lacks the gap of k3-1m from 20260305-0005$/,
    ],
    [
      `update pauses set reason = '{"en_us":"No"}' where id = 1`,
      /^the log's pause of k3-1m from 20260304-0263: reason is .*"Repairs".*, the rows give .*"No"/,
    ],
    [
      "update pauses set from_number = 264 where id = 1",
      /^the log's pause of k3-1m from 20260304-0263: from is 20260304-0263, the rows give 20260304-0264$/,
    ],
    [
      "update pauses set from_number = 268 where id = 2",
      /^the log's resume of k3-1m from 20260304-0267: from is .*, the rows give 20260304-0268$/,
    ],
    ["delete from pauses where id = 1", /^the log's pause of k3-1m from 20260304-0263 has no row$/],
    [
      `${PAUSE} select game_id, 20519, 1, paused, announced_at + 1 from pauses where id = 1`,
      /^the log lacks the pause of k3-1m from 20260307-0001$/,
    ],
    [
      `${PAUSE} select game_id, 20519, 1, paused, announced_at + 1 from pauses where id = 2`,
      /^the log lacks the resume of k3-1m from 20260307-0001$/,
    ],
    [`update seals set root = '${OTHER}' where id = 1`, new RegExp(`^the log's seal 1: root is ${HASHES}$`)],
    [`update seals set seal = '${OTHER}' where id = 1`, new RegExp(`^the log's seal 1: seal is ${HASHES}$`)],
    ["delete from seals where id = 1", /^the log's seal 1 has no row$/],
    [`${SEAL}; ${WORKED}`, /^the log lacks the seal 9$/],
    [
      `update anchors set anchor = '${OTHER}' where day = 20514`,
      /^the log's skipped of k3-1m from 20260302-0002: its seed does not lead to the day's anchor$/,
    ],
    [
      "update gaps set from_number = 3 where id = 1",
      /^the log's skipped of k3-1m from 20260302-0002 is in no gap of the tables$/,
    ],
    [
      `update shown_places set seed = '${OTHER}' where day = 20516; update shown_places set number = 1000 where day = 20516`,
      /^the log lacks the seed that was shown of k3-1m 20260304-1000, in a gap$/,
    ],
  ])("%s", async (sql, ...problems) => {
    expect(await unnamed(sql, ...problems)).toEqual([]);
  });
});
