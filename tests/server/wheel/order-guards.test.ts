import { mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { differencesOf, isKeptBack, keepNext, keepSent } from "#client/screens/wheel/kept-pairs.ts";
import { checkPair, commitOfSeed, prizeOf } from "#shared/wheel.ts";
import { ENGINE } from "../../support/databases.ts";
import { unguard } from "../../support/copies.ts";
import { set } from "../../support/operator.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { copyDatabase, dropDatabase } from "../../support/postgres-databases.ts";
import { runMigration } from "../../support/run-migration.ts";
import { ROOT } from "../../support/source-files.ts";
import { problemsOf } from "../lottery/failing-world.ts";
import type { Player, World } from "../../support/world.ts";
import { besideTheLog } from "../admin/audit-ground.ts";
import { beginPair } from "#server/domains/wheel/pairs.ts";
import { readTable } from "#server/domains/wheel/prize-table.ts";
import { WheelSeeds } from "#server/domains/wheel/seeds.ts";
import {
  begin,
  changeWords,
  closeAudited,
  offerUntold,
  pairOf,
  points,
  prize,
  seedOf,
  spin,
  wheelWorld,
} from "./wheel-world.ts";

let w: World;
let mia: Player;
let connection: OwnConnection;

/** A public pair, an open one with a spin, and the next: pairs 1, 2 and 3. */
async function open(): Promise<void> {
  w = await wheelWorld(prize("none", { weight: 3 }), points("some", 100));
  await set(w, "spin_daily", "1000");
  mia = await w.player("mia_1");
  await changeWords(mia, "first");
  await spin(mia);
  await changeWords(mia, "second");
  await spin(mia);
  connection = await openConnection(w.config.database);
}

const HASH = "ab".repeat(32);
const [BEGINS, FIXED] = [/a seed pair begins as the next number/, /what a seed pair says is never changed/];
const row = (over: Record<string, string | number>) => {
  const all = { member_id: mia.memberId, number: 3, '"commit"': `'${HASH}'`, nonce: 0, created_at: 0, ...over };
  return `insert into wheel_pairs (${Object.keys(all).join()}) values (${Object.values(all).join()})`;
};

/** What is refused leaves nothing: one world for all of it. */
describe("the database refuses", () => {
  beforeAll(open);
  afterAll(async () => {
    await connection.close();
    await closeAudited(w);
  });

  it.each([
    ["with a number that was ground", { number: 104_972 }],
    ["with the number of another", { number: 2 }],
    ["as a member's first with another number than 0", { member_id: 99, number: 1 }],
    ["with words", { words: "'x'", words_by: "'member'", table_id: 1, table_hash: `'${HASH}'` }],
    ["with words alone", { words: "'x'" }],
    ["with spins", { nonce: 1 }],
    ["that is over", { revealed_at: 1 }],
  ])("a new pair %s", async (_, over) => {
    await expect(connection.run(row(over))).rejects.toThrow(BEGINS);
  });

  it("a second pair that waits for words", async () => {
    await expect(connection.run(row({}))).rejects.toThrow(/unique/i);
  });

  it("words for the next pair while another is open", async () => {
    const words = "words = 'x', words_by = 'member', table_id = 1";
    await expect(
      connection.run(`update wheel_pairs set ${words}, table_hash = '${HASH}' where id = 3`),
    ).rejects.toThrow(/unique/i);
  });

  it.each([
    ["another number", "number = 7 where id = 3"],
    ["another commit", `"commit" = '${HASH}' where id = 3`],
    ["another member", "member_id = 99 where id = 3"],
    ["another beginning", "created_at = 1 where id = 3"],
    ["words without a table", "words = 'x', words_by = 'member' where id = 3"],
    ["a table without words", `table_id = 1, table_hash = '${HASH}' where id = 3`],
    ["a spin before there are words", "nonce = 1 where id = 3"],
    ["an end before there are words", "revealed_at = 1 where id = 3"],
    ["other words", "words = 'x' where id = 2"],
    ["no words", "words = null, words_by = null, table_id = null, table_hash = null where id = 2"],
    ["words of the house", "words_by = 'house' where id = 2"],
    ["another table", "table_id = null where id = 2"],
    ["another hash of the table", `table_hash = '${HASH}' where id = 2`],
    ["two spins at once", "nonce = nonce + 2 where id = 2"],
    ["a spin less", "nonce = nonce - 1 where id = 2"],
    ["a spin of a public seed", "nonce = nonce + 1 where id = 1"],
    ["an end that is taken back", "revealed_at = null where id = 1"],
    ["another end", "revealed_at = revealed_at + 1 where id = 1"],
  ])("%s", async (_, change) => {
    await expect(connection.run(`update wheel_pairs set ${change}`)).rejects.toThrow(FIXED);
  });

  it("that a pair goes", async () => {
    await expect(connection.run("delete from wheel_pairs where id = 3")).rejects.toThrow(/never deleted/);
  });
});

describe("a house that removes every guard", () => {
  beforeEach(open);
  afterEach(async () => {
    await connection.close();
    await w.close();
  });

  it("and takes a number whose seed loses is named by the audit, and by the app that kept the commit", async () => {
    keepNext(await pairOf(mia));
    await unguard(connection);
    const losing = (number: number) => {
      const seed = seedOf(w, mia, number);
      const prizes = [
        { id: "none", weight: 3 },
        { id: "some", weight: 1 },
      ];
      return Array.from({ length: 4 }, (_, nonce) => prizeOf(seed, "third", nonce, prizes)).every(
        (id) => id === "none",
      );
    };
    let ground = 2;
    while (!losing(ground)) ground++;
    if (ground === 2) ground = 2_000;
    const commit = commitOfSeed(seedOf(w, mia, ground));
    await connection.run(`update wheel_pairs set number = ${ground}, "commit" = '${commit}' where id = 3`);
    expect(await problemsOf(w)).toContain(`member ${mia.memberId}: their pairs are not numbered in a row`);
    await connection.run("update wheel_pairs set number = 2 where id = 3");
    expect(differencesOf(await pairOf(mia))).toEqual(["otherCommit"]);
  });

  it("and takes words for a table that no head holds is named by the audit", async () => {
    const { deps } = w;
    const { next_commit: commit } = await pairOf(mia);
    await offerUntold(w, points("some", 100));
    // The patched server: it begins the pair without asking the log.
    await deps.db.transact(async (tx) => {
      const table = (await readTable(tx))!;
      const begun = { words: "third", wordsBy: "member" as const, table };
      await beginPair(tx, deps, new WheelSeeds(deps), mia.memberId, begun);
    });
    for (const nonce of [0, 1]) expect((await spin(mia, undefined, { commit })).data.nonce).toBe(nonce);
    await deps.publicLog.advance();
    expect(await problemsOf(w)).toEqual([
      expect.stringMatching(/^the log's spin, leaf \d+ of member 1: no head before held the table of its words$/),
    ]);
  });

  it("and chooses its secret after it has heard the words convicts itself: the commit was shown before", async () => {
    const before = await pairOf(mia);
    const kept = before.next_commit;
    keepNext(before);
    keepSent(before, "third", before.table!.hash);

    // The patched server: it hears the words, and takes a secret with which the first spins win nothing.
    const chances = before.table!.prizes;
    const isBad = (seed: Uint8Array) => [0, 1, 2].every((nonce) => prizeOf(seed, "third", nonce, chances) === "none");
    let evil = new Uint8Array(32);
    for (let i = 1; !isBad(evil); i++) evil = new Uint8Array(32).fill(i % 256, 0, 1 + (i % 32));
    const { find } = WheelSeeds.prototype;
    onTestFinished(() => void (WheelSeeds.prototype.find = find));
    WheelSeeds.prototype.find = function (pair) {
      return pair.number === 2 ? evil : find.call(this, pair);
    };
    expect((await begin(mia, "third", kept)).code).toBe(200);
    for (let i = 0; i < 3; i++) expect((await spin(mia, undefined, { commit: kept })).data.id).toBe("none");

    // It may leave the commit as it was shown, and fail the check of the public seed…
    await changeWords(mia, "fourth");
    const { previous } = await pairOf(mia);
    const { seed, commit, client_seed: clientSeed, words_by: wordsBy, table, spins } = previous!;
    expect(commit).toBe(kept);
    expect(checkPair({ seed, commit, clientSeed, wordsBy, table, spins })).toMatchObject({ commit: false, wrong: [] });
    expect(await problemsOf(w)).toContain("pair 3: its seed is not the committed one");

    WheelSeeds.prototype.find = find;
    // …or show the secret's own commit: that is not the one that this device kept.
    await unguard(connection);
    await connection.run(`update wheel_pairs set "commit" = '${commitOfSeed(evil)}' where id = 3`);
    expect(differencesOf(await pairOf(mia))).toEqual(["otherCommit"]);
    expect(await problemsOf(w)).toEqual([
      expect.stringMatching(/^the log's pair, leaf \d+ of member 1, differs from its pair$/),
      "pair 3: its commit does not follow from the master key",
    ]);
  });
});

describe("a pair from the time when words came first", () => {
  beforeEach(open);
  const LEGACY = "words_by = null, table_id = null, table_hash = null, revealed_at = 1";
  afterEach(async () => {
    await connection.close();
    await w.close();
  });

  it("that a migration ended is told with the member's next pair, and stays checkable", async () => {
    const seed = seedOf(w, mia, 1).toString("hex");
    await unguard(connection);
    await connection.run("delete from wheel_pairs where id = 3");
    await connection.run(`update wheel_pairs set ${LEGACY} where id = 2`);
    await connection.run("insert into wheel_tables (prizes, created_at) select prizes, created_at from wheel_tables");
    await connection.run(
      `update wheel_tables set prizes = '[{"id":"none","weight":3},{"id":"some","weight":1}]' where id = 1`,
    );
    await connection.run(`update wheel_pairs set ${LEGACY} where id = 1`);
    expect(besideTheLog(await problemsOf(w))).toEqual([]);
    const shown = await pairOf(mia);
    expect(shown).toMatchObject({ commit: null, number: null, next_number: 2 });
    expect(shown.previous).toMatchObject({ seed, client_seed: "second", words_by: null, table: null });
    localStorage.clear();
    expect([differencesOf(shown), isKeptBack(shown)]).toEqual([[], false]);
    const { commit, client_seed: clientSeed, spins } = shown.previous!;
    const checks = checkPair({ seed, commit, clientSeed, wordsBy: null, table: null, spins });
    expect(checks).toEqual({ commit: true, complete: true, table: true, wrong: [] });
    expect((await mia.call("/member/messages")).data).toHaveLength(2);
    expect(besideTheLog(await problemsOf(w))).toEqual([]);
    await spin(mia, undefined, { client_seed: "third", commit: shown.next_commit });
    expect(besideTheLog(await problemsOf(w))).toEqual([]);
    await connection.run("delete from messages where id = (select max(id) from messages)");
    expect(await problemsOf(w)).toContain("pair 2: its seed is not the committed one");
  });
});

describe("the migration of a database from before", () => {
  beforeEach(open);
  let old: OwnConnection;
  let url: string;
  afterEach(async () => {
    await old.close();
    await connection.close();
    if (ENGINE === "postgres") await dropDatabase(inject("postgres"), url);
    await closeAudited(w);
  });

  it("ends every open pair, binds none, and writes a table that says what can be won", async () => {
    const inFolder = join(mkdtempSync(join(w.folder, "old-")), "old.db");
    url = ENGINE === "sqlite" ? inFolder : await copyDatabase(inject("postgres"), "template0");
    old = await openConnection(url);
    const names = readdirSync(join(ROOT, "db/migrations", ENGINE)).filter((name) => name.endsWith(".sql"));
    const before = names
      .map((name) => name.replace(".sql", ""))
      .sort()
      .filter((name) => name < "0014");
    for (const name of before) await runMigration(old, name);
    const prizeRow = (id: string, kind: string, amount: number, stock: string, position: number) =>
      old.run(`insert into prizes (id, title, memo, image, kind, amount, weight, stock, position, offered)
        values ('${id}', '"The ${id}"', '"memo"', '/${id}.svg', '${kind}', ${amount}, 5, ${stock}, ${position}, true)`);
    await prizeRow("days", "days", 3, "null", 1);
    await prizeRow("some", "points", 1_000, "7", 0);
    await prizeRow("gone", "points", 1, "0", 2);
    await old.run(`insert into wheel_tables (prizes, created_at) values ('[{"id":"some","weight":5}]', 1)`);
    if (ENGINE === "sqlite") await old.run("pragma foreign_keys = off");
    else await old.run("alter table wheel_pairs drop constraint wheel_pairs_member_id_members_id_fk");
    const pair = `insert into wheel_pairs (member_id, number, "commit", client_seed, nonce, created_at, revealed_at)`;
    await old.run(`${pair} values (1, 0, 'c0', 'a', 2, 1, 5)`);
    await old.run(`${pair} values (1, 1, 'c1', 'b', 1, 6, null)`);
    await old.run(`${pair} values (2, 0, 'd0', 'c', 0, 6, null)`);

    await runMigration(old, "0015_wheel_order");
    const pairs = await old.all<Record<string, string | number | null>>("select * from wheel_pairs order by id");
    expect(pairs.map(({ words, nonce }) => `${words} ${nonce}`)).toEqual(["a 2", "b 1", "c 0"]);
    expect(pairs.map((one) => [one.words_by, one.table_id, one.table_hash])).toEqual(
      pairs.map(() => [null, null, null]),
    );
    expect(pairs[0]!.revealed_at).toBe(5);
    expect(pairs.every(({ revealed_at }) => Number(revealed_at) > 0)).toBe(true);
    const tables = await old.all<{ prizes: unknown }>("select prizes from wheel_tables order by id");
    const newest = tables.at(-1)!.prizes;
    const parsed = (typeof newest === "string" ? JSON.parse(newest) : newest) as object[];
    expect([tables.length, parsed]).toEqual([
      2,
      [
        { id: "some", weight: 5, title: "The some", image: "/some.svg", kind: "points", amount: 1_000 },
        { id: "days", weight: 5, title: "The days", image: "/days.svg", kind: "days", amount: 3 },
      ],
    ]);
    await expect(
      old.run(`${pair.replace("client_seed", "words")} values (1, 2, 'c2', 'x', 0, 1, null)`),
    ).rejects.toThrow(BEGINS);
    await old.run(`insert into wheel_pairs (member_id, number, "commit", created_at) values (1, 2, 'c2', 1)`);
  });
});
