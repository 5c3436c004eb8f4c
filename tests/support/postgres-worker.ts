import { inject } from "vitest";

// This runs first: the schema is built for one engine when it is imported (db/columns.ts).
process.env.DATABASE_URL = inject("postgres");
