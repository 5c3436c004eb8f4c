import { defineConfig } from "drizzle-kit";
import { chooseDialect, isPostgres } from "#db/dialect.ts";

// drizzle-kit loads the schema after this file.
const url = process.env.DATABASE_URL ?? "";
chooseDialect(url);
const postgres = isPostgres(url);

export default defineConfig({
  dialect: postgres ? "postgresql" : "sqlite",
  schema: "./db/schema/index.ts",
  out: postgres ? "./db/migrations/postgres" : "./db/migrations/sqlite",
  casing: "snake_case",
});
