import type Sqlite from "better-sqlite3";
import { isDatabaseAway } from "#db/away.ts";
import type { OutboxReader } from "#db/db.ts";

/** How often the reader checks whether another process has committed. */
const POLL_EVERY_MS = 50;

interface Row {
  id: number;
  topic: string;
  payload: string;
}

/**
 * Reads the outbox of a SQLite file. Rows come in the order of their numbers, since there is one writer at a time.
 * `version` changes with every commit. After a failing disk it polls on; any other failure is fatal.
 */
export function openOutboxReader(
  raw: Sqlite.Database,
  version: () => unknown,
  wake: () => void,
  onFatal: (error: Error) => void,
): OutboxReader {
  let last = raw.prepare("select coalesce(max(id), 0) from outbox").pluck().get() as number;
  // With the plus it is planned once (`placeholder` in db/columns.sqlite.ts).
  const read = raw.prepare("select id, topic, payload from outbox where id > +? order by id");
  let seen: unknown;
  const look = () => {
    try {
      const stamp = version();
      if (stamp !== seen) wake();
      seen = stamp;
    } catch (error) {
      if (isDatabaseAway(error)) return;
      clearInterval(timer);
      onFatal(error as Error);
    }
  };
  const timer = setInterval(look, POLL_EVERY_MS);
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
