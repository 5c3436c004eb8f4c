import { inject } from "vitest";

// Before anything reads it: the schema's words are those of one engine (db/columns.ts).
process.env.DATABASE_URL = inject("postgres");
