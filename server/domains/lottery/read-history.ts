import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { rounds } from "#db/schema/lottery.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";
import type { Game } from "./read-games.ts";
import { roundView } from "./views.ts";

/** A game's drawn rounds, newest first. */
export async function readHistory(
  read: Tx,
  game: Game,
  page: { page?: number | undefined; limit?: number | undefined },
) {
  const { limit, offset } = pageOf(page);
  const drawn = await read
    .select()
    .from(rounds)
    .where(and(eq(rounds.gameId, game.id), isNotNull(rounds.drawnAt)))
    .orderBy(desc(rounds.day), desc(rounds.number))
    .limit(limit)
    .offset(offset);
  return drawn.map((round) => ({
    expect: roundText(round),
    ...roundView(game.kind, round.dice!),
    draw_time: toSeconds(round.drawsAt),
  }));
}
