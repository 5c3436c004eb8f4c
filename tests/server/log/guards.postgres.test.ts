import { expect, it } from "vitest";
import { openConnection } from "../../support/own-connection.ts";
import { answerOf, guardedWorld } from "../ledger/guarded.ts";
import { stateMany } from "./read-log.ts";

it("the database never empties a table of the log at one stroke", async () => {
  const w = await guardedWorld();
  await stateMany(w, 300);
  await w.live(60_000);
  const connection = await openConnection(w.config.database);
  await connection.run(
    `insert into log_cosignatures (log, size, witness, line, signed_at)
     select log, size, 'witness.example', 'line', 0 from log_heads limit 1`,
  );
  for (const table of ["log_keys", "log_leaves", "log_bundles", "log_tiles", "log_heads"])
    expect(await answerOf(connection, table, `truncate ${table}`)).toMatch(/never deleted/);
  expect(await answerOf(connection, "log_cosignatures", "truncate log_cosignatures")).toMatch(/as long as its head/);
  await connection.close();
  await w.close();
});
