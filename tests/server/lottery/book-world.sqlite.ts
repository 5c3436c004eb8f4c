import { vi } from "vitest";
import { immediately, openSqlite } from "#db/sqlite/open.ts";
import { PIECE_MS, settleRound } from "#server/domains/lottery/settle.sqlite.ts";
import { fromUnits } from "#shared/money.ts";
import { openBook } from "./book-open.ts";
import { type BookWorld } from "./book-world.ts";

export type SqliteWorld = BookWorld & { file: string };

/** A bet book on this engine, with hands on its database. */
export async function openBookWorld(): Promise<SqliteWorld> {
  const opened = await openBook();
  const file = opened.w.config.database;
  return {
    ...opened.book,
    file,
    async members(count, balance = 1_000) {
      const raw = openSqlite(file);
      const member = raw.prepare("insert into members (username, avatar, created_at) values (?, '', ?)");
      const wallet = raw.prepare("insert into wallets (member_id, balance) values (?, ?)");
      const ids = immediately(raw, () =>
        Array.from({ length: count }, () => {
          const id = Number(member.run(crypto.randomUUID(), opened.w.now()).lastInsertRowid);
          wallet.run(id, fromUnits(balance));
          return id;
        }),
      );
      raw.close();
      return ids;
    },
    async settleUntil(roundId, dies) {
      const raw = openSqlite(file);
      // By this clock every check takes so long that a settlement step holds one member.
      let watch = 0;
      const clock = vi.spyOn(performance, "now").mockImplementation(() => (watch += PIECE_MS / 2));
      const work = settleRound({ raw, clock: opened.w }, roundId);
      for (let step = work.next(); !step.done && !dies(step.value); step = work.next());
      clock.mockRestore();
      raw.close();
    },
  };
}
