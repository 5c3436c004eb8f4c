import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditMemberChains } from "#server/admin/audit/member-chains.ts";
import { keysOf } from "#server/config/keys.ts";
import * as withdrawal from "#server/domains/payments/decide-withdrawal.ts";
import { memberLeafSalt, NO_CHAIN, saltedKey } from "#server/domains/log/member-leaves.ts";
import { sha256 } from "#server/domains/log/sha256.ts";
import { kindOfKey } from "#server/domains/log/state-chain-ends.ts";
import { contentText, hashOfContent, type Content } from "#shared/log/salted.ts";
import { type Tampering } from "../../support/copies.ts";
import type { OwnConnection } from "../../support/own-connection.ts";
import type { World } from "../../support/world.ts";
import { asked, saver } from "../payments/purse.ts";
import { operateWith } from "./operate.ts";
import { partly } from "./audit-one-part.ts";
import { wheelGround } from "./audit-wheel-ground.ts";

/** Member 4 has an account and a paid withdrawal, and is erased; member 5 has an account. */
async function savers(w: World): Promise<void> {
  const eve = await saver(w, "eve_4", 100);
  await asked(eve, 100);
  await w.deps.db.transact((tx) => withdrawal.approveWithdrawal(tx, w.deps, 1));
  await w.deps.db.transact((tx) => withdrawal.payWithdrawal(tx, w.deps, 1));
  await saver(w, "sam_5", 100);
  const { exit, err } = await operateWith("eve_4", w, "member:erase", "eve_4", "--reason", "They asked for it");
  if (exit !== 0) throw new Error(err);
}

let ground: Awaited<ReturnType<typeof wheelGround>>;
beforeAll(async () => {
  ground = await wheelGround(savers);
});
afterAll(() => ground.close());

const KEYS = keysOf(Buffer.from("5eed".repeat(16), "hex"));
const problemsAfter = async (change: string | Tampering, keys: typeof KEYS | null = KEYS) =>
  (await partly(ground.copies, change, (read, found) => auditMemberChains(read, keys, found))).problems;

type Case = [what: string, change: string | Tampering, problems: string[]];
const leaf = (number: number, member: number) => `the log's leaf ${number} of member ${member}`;
const hashed = (number: number, member: number) => `${leaf(number, member)}: its hash is not that of its content`;
const loose = (number: number, member: number, after: number) =>
  `${leaf(number, member)} does not follow leaf ${after}`;
const ends = (member: number, at: number, counts: number | string) =>
  `the log's chain of member ${member} ends at leaf ${at}, and counts ${counts}`;
const unbound = (member: number, at: number) =>
  `the log's chain of member ${member} ends at leaf ${at}, which the log of today does not state`;
const set = (number: number, member: number, change: string) =>
  `update member_leaves set ${change} where member_id = ${member} and number = ${number};`;
const OTHER = "ab".repeat(32);

/** Writes down what hides a member's leaves, as an erasure does. */
const keepSalts = async (connection: OwnConnection, member: number) => {
  const [own] = await connection.all<{ salt: string }>("select salt from member_salts where member_id = ?", member);
  for (let number = 1; number < 20; number++) {
    const salt = memberLeafSalt(own!.salt, number).toString("hex");
    await connection.run(set(number, member, `salt = '${salt}'`));
  }
};
const kept =
  (member: number, sql: string): Tampering =>
  async (connection) => {
    await keepSalts(connection, member);
    await connection.run(sql);
  };

/** Deletes what the log has of a leaf. */
const unstated =
  (number: number, member: number): Tampering =>
  async (connection) => {
    const [row] = await connection.all<{ key: string; hash: string }>(
      "select key, hash from member_leaves where member_id = ? and number = ?",
      member,
      number,
    );
    await connection.run(`delete from log_leaves where key = '${saltedKey(kindOfKey(row!.key), row!.hash)}'`);
  };

describe("the audit of members' chains finds nothing", () => {
  it.each<[string, string | Tampering]>([
    ["in untouched ones", "select 1"],
    ["in salts that were written down", kept(2, "delete from member_salts where member_id = 2")],
    [
      "in a chain without leaves",
      `insert into member_chains (member_id, number, hash) values (99, 0, '${NO_CHAIN.hash}')`,
    ],
    [
      "in leaves that an older log states too",
      `insert into log_keys (id, log, origin, public_key, sealed_key, first_batch, created_at)
      values (50, 2, 'x', '', '', 0, 1); insert into log_leaves (log, key, text) select 2, key, text from log_leaves`,
    ],
    [
      "where nothing was ever stated",
      `delete from member_leaves; delete from member_chains; delete from erased_members; delete from log_leaves;
        update members set username = 'eve_4' where id = 4`,
    ],
  ])("%s", async (_, change) => {
    expect(await problemsAfter(change)).toEqual([]);
  });

  it("without the master key, nor in an account's number then", async () => {
    expect(await problemsAfter("select 1", null)).toEqual([]);
    const sql = `update member_leaves set content = replace(content, '"account":"', '"account":"x') where key like 'bank:5:%'`;
    expect(await problemsAfter(sql, null)).toEqual([]);
  });
});

describe("the audit of members' chains names", () => {
  it.each<Case>([
    [
      "another content",
      set(1, 2, `content = replace(content, '"amount":10000', '"amount":1')`),
      [hashed(1, 2), loose(2, 2, 0)],
    ],
    ["a content that is none", set(4, 2, "content = 'x'"), [hashed(4, 2), ends(2, 3, 4)]],
    [
      "another account's number",
      set(2, 5, `content = replace(content, '"account":"', '"account":"x')`),
      [hashed(2, 5), ends(5, 1, 2)],
    ],
    ["another hash", set(2, 2, `hash = '${OTHER}'`), [hashed(2, 2), loose(3, 2, 1), `${leaf(2, 2)} stands in no log`]],
    [
      "leaves whose salt is gone",
      "delete from member_salts where member_id = 2",
      [...[1, 2, 3, 4].map((number) => hashed(number, 2)), ends(2, 0, 4)],
    ],
    ["a salt that is none", set(4, 2, "salt = 'x'"), [hashed(4, 2), ends(2, 3, 4)]],
    ["another salt", set(4, 2, `salt = '${OTHER}'`), [hashed(4, 2), ends(2, 3, 4)]],
    ["a leaf of another member", kept(1, set(9, 1, "member_id = 2")), [hashed(9, 2), ends(1, 8, 9)]],
    ["a leaf under another number", kept(1, set(9, 1, "number = 10")), [hashed(10, 1), ends(1, 8, 9)]],
    [
      "a leaf under another key",
      kept(1, set(9, 1, "key = 'spin:1:1:9'")),
      [hashed(9, 1), ends(1, 8, 9), "the log does not state spin 5"],
    ],
    [
      "a leaf that is gone",
      "delete from member_leaves where member_id = 2 and number = 2",
      [loose(3, 2, 1), "the log does not state pair 4"],
    ],
    ["the end that is gone", "delete from member_leaves where member_id = 5 and number = 2", [ends(5, 1, 2)]],
    ["an emptied leaf of a member who is here", set(4, 2, "content = ''"), [hashed(4, 2), ends(2, 3, 4)]],
    ["an emptied leaf that named nobody", set(1, 4, "content = ''"), [hashed(1, 4), loose(2, 4, 0)]],
    ["what stands in an emptied leaf", set(2, 4, "content = 'x'"), [hashed(2, 4), loose(3, 4, 1)]],
    [
      "a chain that is longer than its leaves",
      "update member_chains set number = 5 where member_id = 2",
      [ends(2, 4, 5)],
    ],
    ["a chain of another hash", `update member_chains set hash = '${OTHER}' where member_id = 2`, [ends(2, 4, 4)]],
    [
      "chains that are not counted",
      "delete from member_chains where member_id in (2, 3)",
      [ends(2, 4, "none"), ends(3, 4, "none")],
    ],
    [
      "a chain without leaves that counts some",
      "insert into member_chains (member_id, number, hash) values (99, 3, 'x')",
      [ends(99, 0, 3)],
    ],
    ["a leaf that no log has", unstated(3, 2), [`${leaf(3, 2)} stands in no log`]],
    ["an end that no log has", unstated(4, 2), [`${leaf(4, 2)} stands in no log`, unbound(2, 4)]],
  ])("%s", async (_, change, problems) => {
    const found = await problemsAfter(change);
    // What the contents say is compared with the tables elsewhere.
    expect(found.filter((one) => !/tables$|account that no leaf/.test(one))).toEqual(problems);
  });

  it("without the master key, whatever is no account", async () => {
    const sql = set(1, 2, `content = replace(content, '"amount":10000', '"amount":1')`);
    expect(await problemsAfter(sql, null)).toEqual([hashed(1, 2), loose(2, 2, 0)]);
  });

  it("each end that the log of today does not state", async () => {
    const sql = `insert into log_keys (id, log, origin, public_key, sealed_key, first_batch, created_at)
      values (50, 2, 'x', '', '', 0, 1)`;
    expect(await problemsAfter(sql)).toEqual([
      unbound(1, 9),
      unbound(2, 4),
      unbound(3, 4),
      unbound(4, 7),
      unbound(5, 2),
    ]);
  });
});

/** Members from 101 on, each with a chain of limits that the log before today's states. */
const crowd =
  (members: number, leaves: number): Tampering =>
  async (connection) => {
    await connection.run(`begin; delete from member_leaves; delete from member_chains; delete from erased_members;
      insert into log_keys (id, log, origin, public_key, sealed_key, first_batch, created_at) values (50, 2, 'x', '', '', 0, 1)`);
    const salt = Buffer.from(OTHER, "hex");
    for (let member = 101; member <= 100 + members; member++) {
      let before = NO_CHAIN.hash;
      for (let number = 1; number <= leaves; number++) {
        const own = { member: String(member), number, before, at: 1, limit: "stake_day", value: 5, from: 1 };
        const content: Content<"limit"> = { kind: "limit", ...own };
        before = hashOfContent(salt, content, sha256);
        await connection.all(
          "insert into member_leaves (member_id, number, key, content, hash, salt) values (?, ?, ?, ?, ?, ?) returning 1",
          member,
          number,
          `limit:${member}:${number}`,
          contentText(content),
          before,
          OTHER,
        );
        const key = saltedKey("limit", before);
        await connection.all("insert into log_leaves (log, key, text) values (1, ?, 'x') returning 1", key);
      }
      await connection.run(
        `insert into member_chains (member_id, number, hash) values (${member}, ${leaves}, '${before}')`,
      );
    }
    await connection.run("commit");
  };

it("the audit of members' chains reads more than one page of leaves, and of ends, each once", async () => {
  const unstatedEnds = Array.from({ length: 501 }, (_, i) => unbound(101 + i, 10));
  expect((await problemsAfter(crowd(501, 10))).filter((one) => one.startsWith("the log's"))).toEqual(unstatedEnds);
});
