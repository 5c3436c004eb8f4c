import { afterAll, beforeAll, expect, it } from "vitest";
import { dialect } from "#db/columns.ts";
import { numberLeaves } from "#server/domains/log/number-leaves.ts";
import { readBundle } from "#server/domains/log/read-bundle.ts";
import { headOfClosing, readLeaves, readTerms } from "#server/domains/log/read-log.ts";
import { WIDTH } from "#shared/log/tiles.ts";
import { openNoting, planOf, type NotingConnection } from "../../support/asked-statements.ts";
import { databaseIn } from "../../support/databases.ts";
import { withConnection } from "../../support/own-connection.ts";
import { world, type World } from "../../support/world.ts";

/** As many as have their numbers. The newest of them are in no bundle yet: those that wait fill it. */
const NUMBERED = 100_000;
const PACKED = NUMBERED - (NUMBERED % WIDTH);
/** The tiles at the right edge of the tree, as far as they are filled; their hashes are any. */
const EDGE = [0, 1, 2].map((level) => {
  const hashes = Math.floor(NUMBERED / WIDTH ** level);
  return { level, index: Math.floor(hashes / WIDTH), width: hashes % WIDTH };
});
const LOG = 1;

/** So many zeros, as the engine spells them. */
const bytes = (size: number) => (dialect === "postgres" ? `decode(repeat('00', ${size}), 'hex')` : `zeroblob(${size})`);

let w: World;
let database: string;
let connection: NotingConnection;

beforeAll(async () => {
  w = await world();
  database = databaseIn(w);
  await withConnection(database, async ({ run }) => {
    await run(`
      delete from log_leaves;
      delete from log_heads;
      insert into log_leaves (log, key, text, number)
        with recursive n(i) as (select 0 union all select i + 1 from n where i < ${NUMBERED + 99})
        select ${LOG}, 'key-' || i, case when i < ${PACKED} then null else 'leaf' end,
          case when i < ${NUMBERED} then i end
        from n order by i;
      delete from log_tiles;
      insert into log_heads (log, size, root, at) values (${LOG}, ${NUMBERED}, '', 1);`);
    for (const { level, index, width } of EDGE)
      await run(`insert into log_tiles (log, level, "index", hashes)
        values (${LOG}, ${level}, ${index}, ${bytes(width * 32)})`);
    await run("analyze");
  });
  connection = await openNoting(database);
});
afterAll(async () => {
  await connection.close();
  await w.close();
});

const ROUND = { game: "k3-1m", round: "20260302-0001" };
const STEPS: Record<string, () => Promise<unknown>> = {
  "a bundle": () => readBundle(connection.tx, LOG, PACKED / WIDTH, 10),
  "leaves by their keys, of one log": () => readLeaves(connection.tx, ["key-99990", "key-99991"], LOG),
  "leaves by their keys, of all logs": () => readLeaves(connection.tx, ["key-99990", "key-99991"]),
  "a round's terms": () => readTerms(connection.tx, ROUND),
  "a round's head": () => headOfClosing(connection.tx, ROUND),
  numbering: async () => expect(await numberLeaves(connection.tx, LOG, 2, 0)).toBe(100),
};

/** A search by the log alone reads all of its leaves, as a scan of the table does. The leaves that wait are few. */
const READS_ALL =
  /SCAN log_leaves(?! USING INDEX log_leaves_waiting$)|Seq Scan on log_leaves|log_leaves USING (?:COVERING )?INDEX \w+ \(log=\?\)$|^Index Cond: \(log = [^()]*\)$/;

it.each(Object.keys(STEPS))("however long the log is, no step reads all of its leaves: %s", async (step) => {
  const { asked } = connection;
  asked.length = 0;
  await STEPS[step]!();
  const ofLeaves = asked.filter(({ sql }) => sql.includes("log_leaves"));
  expect(ofLeaves).not.toEqual([]);
  for (const statement of ofLeaves) {
    const plan = await planOf(database, statement);
    expect([statement.sql, plan.filter((line) => READS_ALL.test(line))]).toEqual([statement.sql, []]);
  }
});
