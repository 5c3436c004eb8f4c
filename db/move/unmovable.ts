import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Why a site cannot be moved, as a sentence for the operator. */
export class Unmovable extends Error {
  override name = "Unmovable";
}

type Engine = "sqlite" | "postgres";

/** Refuses a database of another program version, whose tables may differ. `last`: the time of its newest migration. */
export function checkVersion(engine: Engine, name: string, last: number | null): void {
  if (last === null) throw new Unmovable(`${name} is not the database of a site.`);
  if (last === newest(engine)) return;
  throw new Unmovable(
    `${name} was last used by another version of the program. Start and stop this version's server on it, then move again.`,
  );
}

function newest(engine: Engine): number {
  const file = join(import.meta.dirname, "..", "migrations", engine, "meta", "_journal.json");
  const { entries } = JSON.parse(readFileSync(file, "utf8")) as { entries: { when: number }[] };
  return Math.max(...entries.map(({ when }) => when));
}
