import type { Dialect } from "#db/dialect.ts";
import { newestMigration } from "#db/migrate.ts";

/** Why a site cannot be moved, as a sentence for the operator. */
export class Unmovable extends Error {
  override name = "Unmovable";
}

/** Refuses a database of another program version, whose tables may differ. `last`: the time of its newest migration. */
export function checkVersion(engine: Dialect, name: string, last: number | null): void {
  if (last === null) throw new Unmovable(`${name} is not the database of a site.`);
  if (last === newestMigration(engine)) return;
  throw new Unmovable(
    `${name} was last used by another version of the program. Start and stop this version's server on it, then move again.`,
  );
}
