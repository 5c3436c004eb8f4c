import { afterAll, beforeAll, expect, it } from "vitest";
import { findPrograms } from "#db/postgres/private-server.ts";
import { commandsOf } from "../support/pages.ts";
import { startPrivate, type PrivatePostgres } from "../support/postgres-server.ts";
import { BACKUP, failed, setUp } from "../support/set-up-by-pages.ts";
import { Terminal } from "../support/terminal.ts";

let terminal: Terminal;
let postgres: PrivatePostgres;
beforeAll(async () => {
  terminal = new Terminal();
  postgres = await startPrivate();
});
afterAll(async () => {
  await postgres.stop();
  terminal.close();
});

it("a site is moved to PostgreSQL, backed up and restored there by the page's commands", async () => {
  await setUp(terminal);
  const [backUp, , , emptyDatabase, restoreIt, sayRestored, move] = commandsOf(BACKUP);
  const { hostname, port, username } = new URL(postgres.url);
  const PATH = `${findPrograms()}:${process.env.PATH}`;
  Object.assign(terminal.env, { PATH, PGHOST: hostname, PGPORT: port, PGUSER: username });
  const address = new URL("/trio", postgres.url).href;
  const moved = await terminal.give(move!.replace("postgres://USER:PASSWORD@HOST/trio", address));
  expect([moved.given.length, failed(moved.given)]).toEqual([1, []]);
  terminal.env.DATABASE_URL = address;
  const { given, output } = await terminal.give(`set -e\n${backUp}${emptyDatabase}${restoreIt}${sayRestored}`);
  expect([given.length, failed(given), output]).toEqual([3, [], expect.stringContaining("Everything agrees.")]);
});
