import type { Deps } from "#server/app/deps.ts";
import { advanceGames, type Advancing } from "#server/domains/lottery/advance.ts";
import { wasDown } from "#server/domains/lottery/gaps.ts";
import { listGames, type Game } from "#server/domains/lottery/read-games.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { NO_BEACON } from "#shared/lottery/beacon.ts";

/** A clock that goes right, in a process that tries each step once and settles nothing. */
const ALL_AT_ONCE: Advancing = {
  attempt: (_name, work) => work(),
  signatureFor: (rule) => (rule === NO_BEACON ? "" : null),
  onWaiting: () => {},
  mayOpen: () => true,
  onDrawn: () => {},
  onOpening: () => {},
  reasonsOf: (_game, missed) => wasDown(missed),
  anchor: async () => {},
};

/** Closes, draws and opens the rounds that are due, of all games or of some, and settles none. */
export async function advanceAll(deps: Deps, games?: readonly Game[]): Promise<void> {
  await advanceGames(deps, new Seeds(deps.keys), games ?? (await listGames(deps.db.read)), ALL_AT_ONCE);
}
