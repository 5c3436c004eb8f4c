import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { logBundles, logTiles } from "#db/schema/log.ts";
import { ENGINE } from "../../support/databases.ts";
import { withConnection } from "../../support/own-connection.ts";
import { runMigration } from "../../support/run-migration.ts";
import { ROOT } from "../../support/source-files.ts";
import { world } from "../../support/world.ts";

/** By its name alone: its number is given where branches meet. */
const NAME = readdirSync(join(ROOT, "db/migrations", ENGINE))
  .find((file) => file.endsWith("_log_bytes.sql"))!
  .replace(".sql", "");

/** The two tables and their guards as they were before, without rows. */
const BEFORE = {
  sqlite: `drop trigger log_leaves_fixed; drop table log_bundles; drop table log_tiles;
    create table log_bundles (log integer not null, "index" integer not null, data text not null, primary key (log, "index"));
    create table log_tiles (log integer not null, level integer not null, "index" integer not null, hashes text not null,
      primary key (log, level, "index"));
    create trigger log_leaves_fixed before update on log_leaves begin select raise(abort, 'before'); end;`,
  postgres: `alter table log_bundles disable trigger user; alter table log_tiles disable trigger user;
    delete from log_bundles; delete from log_tiles; drop trigger log_tiles_grow on log_tiles;
    alter table log_bundles alter column data set data type text using encode(data, 'base64');
    alter table log_tiles alter column hashes set data type text using encode(hashes, 'hex');
    alter table log_bundles enable trigger user; alter table log_tiles enable trigger user;
    create trigger log_tiles_grow before update on log_tiles for each row when (new.hashes is distinct from old.hashes)
      execute function refuse_change('before');`,
};

it("bundles and tiles of before are the same bytes afterwards", async () => {
  const w = await world();
  // Base64 that ends in each of its ways, and is longer than one piece of the migration.
  const bundles = [1, 2, 3, 700, 767, 768, 769, 20_001, 40_000].map((length) => randomBytes(length));
  const tiles = [32, 64, 8_192].map((length) => randomBytes(length));
  await withConnection(w.config.database, async (connection) => {
    await connection.run(BEFORE[ENGINE]);
    for (const [i, data] of bundles.entries())
      await connection.all(`insert into log_bundles values (1, ?, ?) returning log`, i, data.toString("base64"));
    for (const [i, hashes] of tiles.entries())
      await connection.all(`insert into log_tiles values (1, 0, ?, ?) returning log`, i, hashes.toString("hex"));
    await runMigration(connection, NAME);
    await expect(connection.run(`update log_tiles set hashes = substr(hashes, 2)`)).rejects.toThrow("only grow");
    await expect(connection.run(`update log_bundles set "index" = 50`)).rejects.toThrow("never changed");
  });
  const stored = await w.deps.db.read.select().from(logBundles);
  expect(stored.map(({ data }) => Buffer.from(data).equals(bundles.shift()!))).toEqual(stored.map(() => true));
  const hashes = await w.deps.db.read.select().from(logTiles);
  expect(hashes.map((row) => Buffer.from(row.hashes).equals(tiles.shift()!))).toEqual([true, true, true]);
  expect(bundles).toEqual([]);
  await w.close();
});
