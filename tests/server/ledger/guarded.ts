import { expect } from "vitest";
import type { OwnConnection } from "../../support/own-connection.ts";
import { bet } from "../../support/ledger.ts";
import { world, type World } from "../../support/world.ts";

/** Settled, drawn and open rounds, a gap, a winner, a seal: each table has rows. */
export async function guardedWorld(): Promise<World> {
  const w = await world();
  await w.game();
  const mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  await bet(w, mia, 10, "A,B");
  await w.live(60_000);
  await w.live(5 * 60_000);
  await bet(w, mia, 10);
  await w.site.housekeeping.seal();
  return w;
}

const rowsOf = async (connection: OwnConnection, table: string) =>
  (await connection.all(`select * from ${table}`)).map((row) => JSON.stringify(row)).sort();

/** The database's answer to a statement, which must leave every row unchanged. */
export async function answerOf(
  connection: OwnConnection,
  table: string,
  statement: string,
  run = connection.run,
): Promise<string> {
  const before = await rowsOf(connection, table);
  expect(before.length).toBeGreaterThan(0);
  const answer = await run(statement).then(
    () => "done",
    (error: Error) => error.message,
  );
  expect(await rowsOf(connection, table)).toEqual(before);
  return answer;
}
