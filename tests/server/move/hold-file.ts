import { openSqlite } from "#db/sqlite/open.ts";

/** Writes one message into a site's file, and has it open until it is killed. */
const [, , path] = process.argv;
const raw = openSqlite(path!);
raw.exec("insert into messages (member_id, kind, facts, created_at) values (1, 'told', '{}', 1)");
process.stdout.write("it is open\n");
setInterval(() => {}, 60_000);
