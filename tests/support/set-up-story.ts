import { games as rows, invites } from "#db/schema/index.ts";
import type { Site } from "#server/app/site.ts";
import { addGame, type NewGame } from "#server/domains/lottery/add-game.ts";
import type { ClockSource } from "#shared/time.ts";

/** What a test gives its server: the clock, and the contents of an empty site. */
export interface Story {
  clock: ClockSource;
  games: NewGame[];
  invite: string;
}

/** In one transaction, so that a crash leaves all of it or nothing. */
export async function setUpStory({ deps }: Site, { games, invite }: Story): Promise<void> {
  const [someGame] = await deps.db.read.select({ id: rows.id }).from(rows).limit(1);
  if (someGame) return;
  await deps.db.transact(async (tx) => {
    for (const game of games) await addGame(tx, deps, game);
    await tx.insert(invites).values({ code: invite, usesLeft: null, createdAt: deps.clock.now() });
  }, "setup");
}
