import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { hashOfMigrations, LIST, type DefinitionList } from "#db/postgres/definitions.ts";
import { changedTables, difference, engines, readSnapshot, snapshotsOf, titleOf, type Engine } from "./engines.ts";

// Checks that the migrations of both engines are complete and make the tables of the schema. Writes nothing.
const RUN = "Run: npm run db:generate -- NAME";

const problems = [difference(), findStale(), ...(await Promise.all(engines.map(findDrift))), ...engines.map(findBreak)];
const found = problems.filter((problem) => problem !== null);
if (found.length > 0) console.error(found.join("\n"));
process.exitCode = found.length > 0 ? 1 : 0;

async function findDrift(engine: Engine): Promise<string | null> {
  const changed = await changedTables(engine);
  if (changed.length === 0) return null;
  return `${titleOf(engine)} has no migration for what changed in the schema: ${changed.join(", ")}. ${RUN}`;
}

/** PostgreSQL's list of definitions names the migrations that it was made from. */
function findStale(): string | null {
  const { of } = JSON.parse(readFileSync(LIST, "utf8")) as DefinitionList;
  if (of === hashOfMigrations()) return null;
  return "The list of what PostgreSQL's migrations make is of other migrations. Run: npm run db:definitions";
}

/** Two branches may have added a migration after the same one. Each snapshot names the one before it. */
function findBreak(engine: Engine): string | null {
  const files = snapshotsOf(engine);
  const before = files.map((path) => (readSnapshot(path) as { prevId: string }).prevId);
  const double = files
    .filter((_, i) => before.indexOf(before[i]!) !== before.lastIndexOf(before[i]!))
    .map((path) => basename(path));
  if (double.length === 0) return null;
  return `${titleOf(engine)}'s migrations do not follow each other: ${double.join(" and ")} follow the same one.`;
}
