import { chooseDialect } from "#db/dialect.ts";

// Loaded before a part (`node --import`), whose imports reach the schema.
chooseDialect(process.env.DATABASE_URL ?? "");
