import { closeRound } from "#server/domains/lottery/close-round.ts";
import { unguard } from "../../support/copies.ts";
import { withConnection } from "../../support/own-connection.ts";
import { MINUTE_GAME, world, type World } from "../../support/world.ts";

/** The key of the game beside the first one. */
export const OTHER_KEY = "k3-b";

/** A site with two games of one-minute rounds. Their first rounds, 1 and 2, open with the first jobs that run. */
export async function twoGames(options: Parameters<typeof world>[0] = {}): Promise<World> {
  const w = await world(options);
  await w.game();
  await w.game({ ...MINUTE_GAME, key: OTHER_KEY });
  return w;
}

/** Closes a round as a server does. */
export const closeOf = ({ deps }: World, id: number): Promise<boolean> =>
  deps.db.transact((tx) => closeRound(tx, deps, id), "fence");

/** Changes a round's row by hand: nothing guards rounds from then on. */
export const setRound = (w: World, id: number, text: string): Promise<void> =>
  withConnection(w.config.database, async (connection) => {
    await unguard(connection);
    await connection.run(`update rounds set ${text} where id = ${id}`);
  });
