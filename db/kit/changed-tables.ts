import { isDeepStrictEqual } from "node:util";
import { generateDrizzleJson, generateSQLiteDrizzleJson } from "drizzle-kit/api";
import { chooseDialect } from "#db/dialect.ts";
import { readSnapshot, snapshotsOf, urlOf, type Engine } from "./engines.ts";

// Run for one engine: prints as JSON which tables changed since its last migration.
type Snapshot = Record<string, Record<string, unknown> | undefined>;

/** Keys of a snapshot that do not describe the database. */
const ABOUT = new Set(["id", "prevId", "version", "dialect", "_meta", "internal"]);

const engine = process.argv[2] as Engine;
chooseDialect(urlOf(engine));
const schema = await import("#db/schema/index.ts");
const [before, now] = [readLast(), await describeSchema()];
process.stdout.write(JSON.stringify([...new Set([...namesOf(before), ...namesOf(now)])].filter(isChanged).sort()));

function readLast(): Snapshot {
  return readSnapshot(snapshotsOf(engine).at(-1)!) as Snapshot;
}

async function describeSchema(): Promise<Snapshot> {
  const made =
    engine === "postgres"
      ? generateDrizzleJson(schema, undefined, undefined, "snake_case")
      : await generateSQLiteDrizzleJson(schema, undefined, "snake_case");
  return JSON.parse(JSON.stringify(made)) as Snapshot;
}

/** Names of tables and other objects, such as `tables wallets`. */
function namesOf(snapshot: Snapshot): string[] {
  const parts = Object.keys(snapshot).filter((part) => !ABOUT.has(part));
  return parts.flatMap((part) => Object.keys(snapshot[part]!).map((name) => `${part} ${name}`));
}

function isChanged(name: string): boolean {
  const [part = "", one = ""] = name.split(" ");
  return !isDeepStrictEqual(before[part]?.[one], now[part]?.[one]);
}
