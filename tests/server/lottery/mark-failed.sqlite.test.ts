import { expect, it } from "vitest";
import { openSqlite } from "#db/sqlite/open.ts";
import { markFailed } from "#server/domains/lottery/settle.ts";
import { unguard } from "../../support/copies.ts";
import { withConnection } from "../../support/own-connection.ts";
import { openBookWorld } from "./book-world.sqlite.ts";

it("a round is marked as failed once, and not where it is settled", async () => {
  const w = await openBookWorld();
  const [round, other] = await w.openRounds();
  await withConnection(w.file, async (connection) => {
    await unguard(connection);
    await connection.run(`update rounds set settled_at = 5 where id = ${other}`);
  });
  const raw = openSqlite(w.file);
  const statement = raw.prepare(markFailed({ round: ":round", now: ":now", failure: ":failure" }));
  const mark = (round: number, failure: string) => statement.run({ round, now: 7, failure }).changes;
  expect([mark(other, "late"), mark(round, "first"), mark(round, "second")]).toEqual([0, 1, 0]);
  expect(raw.prepare("select id, failed_at, failure from rounds order by id").raw().all()).toEqual([
    [round, 7, "first"],
    [other, null, null],
  ]);
  raw.close();
  await w.end();
});
