import { createHash } from "node:crypto";

/** What a database is made of, by name: tables, indexes, constraints, triggers and functions, each as a short hash. */
export type Definitions = Map<string, string>;

/** A definition as the engine tells it. */
export interface Definition {
  name: string;
  text: string;
}

export const hashed = (rows: readonly Definition[]): Definitions =>
  new Map(rows.map(({ name, text }) => [name, createHash("sha256").update(text).digest("hex").slice(0, 16)]));
