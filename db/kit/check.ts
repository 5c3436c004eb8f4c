import { changedTables, difference, engines, runKit, titleOf, type Engine } from "./engines.ts";

// Checks that the migrations of both engines are complete and make the tables of the schema. Writes nothing.
const RUN = "Run: npm run db:generate -- NAME";

const problems = [difference(), ...(await Promise.all(engines.flatMap((one) => [findDrift(one), findBreak(one)])))];
const found = problems.filter((problem) => problem !== null);
if (found.length > 0) console.error(found.join("\n"));
process.exitCode = found.length > 0 ? 1 : 0;

async function findDrift(engine: Engine): Promise<string | null> {
  const changed = await changedTables(engine);
  if (changed.length === 0) return null;
  return `${titleOf(engine)} has no migration for what changed in the schema: ${changed.join(", ")}. ${RUN}`;
}

/** Two branches may have added a migration after the same one. */
async function findBreak(engine: Engine): Promise<string | null> {
  const { code, output: said } = await runKit(engine, ["check"]);
  return code === 0 ? null : `${titleOf(engine)}'s migrations do not follow each other:\n${said}`;
}
