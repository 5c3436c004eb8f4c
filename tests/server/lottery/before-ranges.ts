import { ENGINE } from "../../support/databases.ts";
import type { OwnConnection } from "../../support/own-connection.ts";

/** Undoes the migration 0050: a round has one number that says how far it is settled. */
export async function goBackBeforeRanges(connection: OwnConnection): Promise<void> {
  await connection.run("drop table settle_ranges");
  if (ENGINE === "postgres") await connection.run("drop function is_settled");
  await connection.run("alter table rounds add column settled_to bigint not null default 0");
}
