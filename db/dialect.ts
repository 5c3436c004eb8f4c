/** Which engine's SQL the schema is written in (`columns.ts`): one for a whole process. */
export type Dialect = "sqlite" | "postgres";

let chosen: Dialect = "sqlite";
let isRead = false;

export const isPostgres = (url: string): boolean => /^postgres(ql)?:\/\//.test(url);
export const dialectOf = (url: string): Dialect => (isPostgres(url) ? "postgres" : "sqlite");

/**
 * Chooses the dialect for the database that a program is about to open; without a choice it is SQLite's. A program
 * chooses before it imports the schema, so it imports the rest of itself afterwards. Throws when that is too late.
 */
export function chooseDialect(url: string): void {
  const dialect = dialectOf(url);
  if (isRead && dialect !== chosen) throw new Error(`the schema is loaded for ${chosen} already, not for ${dialect}`);
  chosen = dialect;
}

/** The dialect, which is fixed from now on. */
export function readDialect(): Dialect {
  isRead = true;
  return chosen;
}
