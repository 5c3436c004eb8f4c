import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { placeholder } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import { games } from "#db/schema/lottery.ts";
import { Refusal } from "#shared/refusal.ts";

export type Game = typeof games.$inferSelect;

/** All games in the order they were added. There are few, and they change rarely. */
export function listGames(read: Tx): Promise<Game[]> {
  return all(read).execute();
}

const all = prepared((read) => read.select().from(games).orderBy(games.id).prepare());
const byKey = prepared((read) =>
  read
    .select()
    .from(games)
    .where(eq(games.key, placeholder("key")))
    .prepare(),
);

export async function findGame(read: Tx, key: string): Promise<Game> {
  const [game] = await byKey(read).execute({ key });
  if (!game) throw new Refusal("object.unknown");
  return game;
}

/** The wire's id of a game. */
export const gameWireId = (game: Pick<Game, "id">): string => `lot_${game.id}`;

export async function findGameByWireId(read: Tx, id: string): Promise<Game> {
  const number = /^lot_(\d{1,9})$/.exec(id)?.[1];
  const [game] = number
    ? await read
        .select()
        .from(games)
        .where(eq(games.id, Number(number)))
    : [];
  if (!game) throw new Refusal("object.unknown");
  return game;
}
