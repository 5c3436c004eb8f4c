import Sqlite from "better-sqlite3";
import { inject } from "vitest";
import { describe, expect, it } from "vitest";
import { connectPostgres, tallyPostgres } from "#db/move/postgres-client.ts";
import type { MovedTable } from "#db/move/tables.ts";
import { compareTallies } from "#db/move/tally.ts";
import { tallySqlite } from "#db/move/tally-sqlite.ts";

const MOST = Number.MAX_SAFE_INTEGER;
const TABLE: MovedTable = {
  name: "things",
  columns: [
    { name: "id", kind: "number" },
    { name: "commit", kind: "number" },
    { name: "flag", kind: "boolean" },
    { name: "words", kind: "text" },
    { name: "facts", kind: "json" },
  ],
  key: ["id"],
  where: "true",
};
const ROWS = `(1, ${MOST}, true, 'Xin chào', '{"a": 1}'), (2, ${MOST}, false, '🎲', 'null'), (3, -5, true, '', '[]'),
  (4, null, null, null, null), (5, ${-MOST}, true, 'x', '"x"'), (6, ${MOST}, true, 'x', '0')`;

describe("the sums of a table", () => {
  it("are the same on both engines, beyond what either counts exactly elsewhere", async () => {
    const raw = new Sqlite(":memory:");
    raw.exec(`create table things (id integer, "commit" integer, flag integer, words text, facts text);
      insert into things values ${ROWS}`);
    const url = inject("postgres");
    const client = await connectPostgres({ url, name: url });
    await client.query(`create temporary table things (id bigint, "commit" bigint, flag boolean, words text, facts json);
      insert into things values ${ROWS}`);
    const [here, there] = [tallySqlite(raw, TABLE), await tallyPostgres(client, TABLE)];
    await client.end();
    expect(there).toEqual(here);
    expect(here).toEqual({ rows: 6n, id: 21n, commit: 2n * BigInt(MOST) - 5n, flag: 4n, words: 11n, facts: 18n });
  });

  it("of an empty table are zero", () => {
    const raw = new Sqlite(":memory:");
    raw.exec(`create table things (id integer, "commit" integer, flag integer, words text, facts text)`);
    expect(tallySqlite(raw, TABLE)).toEqual({ rows: 0n, id: 0n, commit: 0n, flag: 0n, words: 0n, facts: 0n });
  });

  it("are named where they differ", () => {
    const [one, other] = [
      { rows: 2n, id: 3n },
      { rows: 2n, id: 4n },
    ];
    expect(compareTallies(TABLE, one, other)).toEqual(["things: id 3 there, 4 here"]);
    expect(compareTallies(TABLE, one, one)).toEqual([]);
  });
});
