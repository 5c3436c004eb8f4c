import { defineConfig } from "drizzle-kit";

const postgres = process.env.DATABASE_URL?.startsWith("postgres");

export default defineConfig({
  dialect: postgres ? "postgresql" : "sqlite",
  schema: "./db/schema/index.ts",
  out: postgres ? "./db/migrations/postgres" : "./db/migrations/sqlite",
  casing: "snake_case",
});
