import { and, eq, isNull } from "drizzle-orm";
import { connect } from "#db/connect.ts";
import type { Db } from "#db/db.ts";
import { rounds } from "#db/schema/index.ts";
import { publishAnchors } from "#server/domains/lottery/publish-anchors.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { listGames } from "#server/domains/lottery/read-games.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { advanceAll } from "../../support/advance-all.ts";
import { MINUTE_GAME, world, type World } from "../../support/world.ts";
import type { BookWorld } from "./book-world.ts";

const WRITER = new URL("../../../server/writer/sqlite-main.ts", import.meta.url);
const postgresWork = () => import("#server/writer/postgres.ts");

/** The part of a book's world that is the same on every engine. */
export async function openBook(): Promise<{ w: World; book: Omit<BookWorld, "members" | "settleUntil"> }> {
  const w = await world();
  await w.game();
  await w.game({ ...MINUTE_GAME, key: "k3-3m", periodS: 180 });
  const { db, keys } = w.deps;
  // The clock of the other processes, moved together with the server's own.
  const hand = new Float64Array(new SharedArrayBuffer(8));
  hand[0] = w.now();
  const others: Db[] = [];
  const [game, other] = await listGames(db.read);
  const seeds = new Seeds(keys);
  const undrawn = (gameId: number) => and(eq(rounds.gameId, gameId), isNull(rounds.drawnAt));
  const openRound = async (gameId: number) => (await db.read.select().from(rounds).where(undrawn(gameId)))[0]!;
  await advance();

  async function advance(): Promise<void> {
    for (const one of [game!, other!]) {
      await publishAnchors(w.deps, seeds, one);
      await advanceAll(w.deps, [one]);
    }
  }

  function pass(ms: number): void {
    w.pass(ms);
    hand[0] = w.now();
  }

  const book = {
    db,
    pass,
    now: w.now,
    book: betBookOf(db),
    async another() {
      const clock = { kind: "shared", buffer: hand.buffer } as const;
      const db = await connect(w.config.database, { writer: WRITER, postgresWork, clock, onFatal: () => {} });
      others.push(db);
      return betBookOf(db);
    },
    openRounds: async (): Promise<[number, number]> => [
      (await openRound(game!.id)).id,
      (await openRound(other!.id)).id,
    ],
    close: advance,
    async draw() {
      const { id, drawsAt } = await openRound(game!.id);
      pass(Math.max(0, drawsAt - w.now()));
      await advance();
      const [drawn] = await db.read.select().from(rounds).where(eq(rounds.id, id));
      return drawn!.dice!;
    },
    async end() {
      for (const other of others) await other.close();
      await w.close();
    },
  };
  return { w, book };
}
