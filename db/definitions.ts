import { dialect } from "./columns.ts";
import type { Tx } from "./db.ts";
import { hashed, type Definitions } from "./definition-hashes.ts";

const engine = () => (dialect === "postgres" ? import("./postgres/definitions.ts") : import("./sqlite/definitions.ts"));

/** The definitions of a database as it is. */
export async function readDefinitions(read: Tx): Promise<Definitions> {
  const { listDefinitions } = await engine();
  return hashed(await listDefinitions(read));
}

/** Those that the migrations make. */
export async function dueDefinitions(): Promise<Definitions> {
  const { migratedDefinitions } = await engine();
  return migratedDefinitions();
}
