import { inject } from "vitest";
import { chooseDialect } from "#db/dialect.ts";

// Before the test imports the schema, whose SQL is one engine's.
process.env.DATABASE_URL = inject("postgres");
chooseDialect(inject("postgres"));
