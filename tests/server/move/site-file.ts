import Sqlite from "better-sqlite3";
import { migrateDatabase } from "#db/migrate.ts";

/** A site without rounds in a SQLite file: one member with so many messages. */
export async function siteFile(file: string, { messages = 3 }: { messages?: number } = {}): Promise<string> {
  await migrateDatabase(file);
  change(
    file,
    `insert into meta values ('epoch', 'first');
     insert into master_keys (fingerprint, from_day, created_at) values ('fingerprint', 0, 1);
     insert into members (username, avatar, created_at) values ('mia_1', 'avatar/1', 1);
     insert into wallets (member_id) values (1);
     with recursive n (i) as (select 1 union all select i + 1 from n where i < ${messages})
     insert into messages (member_id, kind, facts, created_at) select 1, 'told', '{"n":"' || i || '"}', i from n;`,
  );
  return file;
}

/** Changes the data as only an owner of the file could. */
export function change(file: string, sql: string): void {
  const raw = new Sqlite(file);
  try {
    raw.exec(sql);
  } finally {
    raw.close();
  }
}
