import type Sqlite from "better-sqlite3";
import type { News } from "#db/connect.ts";

/** How often the database is asked whether another process has committed something. */
const LOOK_EVERY_MS = 50;

interface Row {
  id: number;
  topic: string;
  payload: string;
}

/** The outbox of a SQLite file: rows come in the order of their numbers, since there is one writer at a time. */
export function openNews(raw: Sqlite.Database, version: Sqlite.Statement, wake: () => void): News {
  let last = raw.prepare("select coalesce(max(id), 0) from outbox").pluck().get() as number;
  // The plus is why it is planned once (`given` in db/columns.sqlite.ts).
  const read = raw.prepare("select id, topic, payload from outbox where id > +? order by id");
  let seen: unknown;
  const look = () => {
    const stamp = version.get();
    if (stamp !== seen) wake();
    seen = stamp;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    async read() {
      const rows = (read.all(last) as Row[]).map((row) => ({ ...row, payload: JSON.parse(row.payload) as unknown }));
      last = rows.at(-1)?.id ?? last;
      return { rows, again: false };
    },
    async stop() {
      clearInterval(timer);
    },
  };
}
