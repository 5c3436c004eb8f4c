import { and, eq, isNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect, type Db } from "#db/connect.ts";
import { rounds, wallets } from "#db/schema/index.ts";
import { immediately, openSqlite } from "#db/sqlite/open.ts";
import { advanceGame } from "#server/domains/lottery/advance.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { placeBets } from "#server/domains/lottery/bet-book.sqlite.ts";
import { listGames } from "#server/domains/lottery/read-games.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { PIECE_MS, settleRound } from "#server/domains/lottery/settle.sqlite.ts";
import { fromUnits } from "#shared/money.ts";
import { MINUTE_GAME, world } from "../../support/world.ts";
import { describeBetBook } from "./bet-book.contract.ts";
import { orderOf, rowsOf, SURE, type BookWorld } from "./book-world.ts";

const WRITER = new URL("../../../server/writer.ts", import.meta.url);

type SqliteWorld = BookWorld & { file: string };

async function openBookWorld(): Promise<SqliteWorld> {
  const w = await world();
  await w.game();
  await w.game({ ...MINUTE_GAME, key: "k3-3m", periodS: 180 });
  const { db, keys } = w.deps;
  const file = w.config.databaseFile;
  // The clock of those beside the server, turned together with its own.
  const hand = new Float64Array(new SharedArrayBuffer(8));
  hand[0] = w.now();
  const others: Db[] = [];
  const [game, other] = await listGames(db.read);
  const seeds = new Seeds(keys);
  const undrawn = (gameId: number) => and(eq(rounds.gameId, gameId), isNull(rounds.drawnAt));
  const openRound = async (gameId: number) => (await db.read.select().from(rounds).where(undrawn(gameId)))[0]!;
  await advance();

  async function advance(): Promise<void> {
    await advanceGame(w.deps, seeds, game!);
    await advanceGame(w.deps, seeds, other!);
  }

  function pass(ms: number): void {
    w.pass(ms);
    hand[0] = w.now();
  }

  return {
    db,
    file,
    pass,
    now: w.now,
    book: betBookOf(db),
    async another() {
      const clock = { kind: "shared", buffer: hand.buffer } as const;
      const db = await connect(file, { writer: WRITER, clock, onFatal: () => {} });
      others.push(db);
      return betBookOf(db);
    },
    async members(count, balance = 1_000) {
      const raw = openSqlite(file);
      const member = raw.prepare("insert into members (username, avatar, created_at) values (?, '', ?)");
      const wallet = raw.prepare("insert into wallets (member_id, balance) values (?, ?)");
      const ids = immediately(raw, () =>
        Array.from({ length: count }, () => {
          const id = Number(member.run(crypto.randomUUID(), w.now()).lastInsertRowid);
          wallet.run(id, fromUnits(balance));
          return id;
        }),
      );
      raw.close();
      return ids;
    },
    openRounds: async () => [(await openRound(game!.id)).id, (await openRound(other!.id)).id],
    close: advance,
    async draw() {
      const { id, drawsAt } = await openRound(game!.id);
      pass(Math.max(0, drawsAt - w.now()));
      await advance();
      const [drawn] = await db.read.select().from(rounds).where(eq(rounds.id, id));
      return drawn!.dice!;
    },
    async settleUntil(roundId, dies) {
      const raw = openSqlite(file);
      // Every look at this watch takes so long that a piece of the work holds one member.
      let watch = 0;
      const clock = vi.spyOn(performance, "now").mockImplementation(() => (watch += PIECE_MS / 2));
      const work = settleRound({ raw, clock: w }, roundId);
      for (let step = work.next(); !step.done && !dies(step.value);) step = work.next();
      clock.mockRestore();
      raw.close();
    },
    async end() {
      for (const other of others) await other.close();
      await w.close();
    },
  };
}

describeBetBook("SQLite", openBookWorld);

describe("the bet book's commits on SQLite", () => {
  let w: SqliteWorld;
  let mia: number;
  let round: number;
  beforeEach(async () => {
    w = await openBookWorld();
    [mia] = (await w.members(1)) as [number];
    [round] = await w.openRounds();
  });
  afterEach(() => w.end());

  it("are one for a whole batch, with one entry of the house", async () => {
    const [tom] = await w.members(1);
    await w.book.place([mia, tom!, mia].map((memberId) => orderOf(memberId, round)));
    const { house } = await rowsOf(w);
    expect(house).toMatchObject([{ kind: "bets", amount: 6_000, fromId: 1, toId: 3 }]);
  });

  it("wait for the disk, after a write too", () => {
    const raw = openSqlite(w.file);
    placeBets({ raw, clock: w }, [orderOf(mia, round)]);
    expect(raw.pragma("synchronous", { simple: true })).toBe(2);
    expect(raw.pragma("journal_mode", { simple: true })).toBe("wal");
    raw.close();
  });

  it("take nothing of a batch that cannot be written to the end", async () => {
    const raw = openSqlite(w.file);
    raw.exec("create temp trigger full before insert on house_entries begin select raise(abort, 'disk is full'); end");
    const answers = placeBets({ raw, clock: w }, [orderOf(mia, round), orderOf(mia, round)]);
    raw.close();
    expect(answers).toEqual([{ refused: "server.fault" }, { refused: "server.fault" }]);
    expect(await rowsOf(w)).toMatchObject({ bets: [], house: [] });
    expect(await w.db.read.select().from(wallets)).toMatchObject([{ balance: fromUnits(1_000), version: 0 }]);
  });

  it("go on when another process has held the writer for longer than a piece of settlement may take", async () => {
    await w.book.place([orderOf(mia, round, SURE)]);
    await w.draw();
    const raw = openSqlite(w.file);
    raw.exec("begin immediate");
    let settled = Promise.resolve();
    await new Promise<void>((resolve) => {
      settled = w.book.settle(round, (piece) => "bettors" in piece && resolve());
    });
    await new Promise((resolve) => setTimeout(resolve, 10 * PIECE_MS));
    raw.exec("commit");
    raw.close();
    await settled;
    expect((await rowsOf(w)).payouts).toHaveLength(1);
  });
});
