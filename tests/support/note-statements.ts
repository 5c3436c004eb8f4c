import { appendFileSync, readFileSync } from "node:fs";
import Sqlite from "better-sqlite3";

/** The file for the statements, for every thread of this process. */
const FILE = "NOTED_STATEMENTS";

/** From now on, this thread's connections to SQLite note what they prepare in a file that all threads share. */
export function noteStatements(file = process.env[FILE]!): void {
  process.env[FILE] = file;
  const { prepare } = Sqlite.prototype;
  Sqlite.prototype.prepare = function (this: Sqlite.Database, text: string) {
    appendFileSync(file, `${JSON.stringify(text)}\n`);
    return prepare.call(this, text);
  } as typeof prepare;
}

/** Each statement that was noted, once. */
export const readStatements = (file: string): string[] => [
  ...new Set(
    readFileSync(file, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as string),
  ),
];
