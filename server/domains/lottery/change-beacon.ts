import type { Tx } from "#db/db.ts";
import { eq } from "drizzle-orm";
import { beaconChanges } from "#db/schema/lottery.ts";
import { settings } from "#db/schema/site.ts";
import type { Deps } from "#server/app/deps.ts";
import { addLeaf } from "#server/domains/log/add-leaf.ts";
import { drandMode, NO_BEACON, QUICKNET } from "#shared/lottery/beacon.ts";
import { actsFrom } from "#shared/lottery/pauses.ts";
import { roundAt, roundText, type RoundPlace } from "#shared/lottery/schedule.ts";
import { firstUnopened } from "./pause-game.ts";
import { readBeaconChanges } from "./read-beacon-changes.ts";
import { listGames, type Game } from "./read-games.ts";

/** The mode that a value of the setting `beacon` stands for. */
export const modeOfSetting = (value: unknown): string => (value === "drand" ? drandMode(QUICKNET) : NO_BEACON);

/**
 * Announces that a game's rounds follow another mode from the round after next on. The round that runs and the next one
 * are played as promised. Returns the first round it acts on; null where the same was announced last.
 */
export async function changeBeacon(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  game: Game,
  mode: string,
): Promise<RoundPlace | null> {
  const last = (await readBeaconChanges(tx, game)).at(-1)?.mode ?? NO_BEACON;
  if (last === mode) return null;
  const now = deps.clock.now();
  const from = await firstUnopened(tx, game, actsFrom(game, now));
  await announceBeacon(tx, game, { mode, from, now });
  await deps.announce(tx, "game.changed", { gameId: game.id });
  return from;
}

/** Changes the mode of all games. Returns, for each that changes, the first round it acts on. */
export async function changeBeacons(tx: Tx, deps: Pick<Deps, "clock" | "announce">, mode: string) {
  const changed: { game: string; from: string }[] = [];
  for (const game of await listGames(tx)) {
    const from = await changeBeacon(tx, deps, game, mode);
    if (from) changed.push({ game: game.key, from: roundText(from) });
  }
  return changed;
}

/** A new game follows the site's mode from its first round on: nobody was promised another. */
export async function beginBeacon(tx: Tx, game: Game, now: number): Promise<void> {
  const [setting] = await tx.select({ value: settings.value }).from(settings).where(eq(settings.name, "beacon"));
  const mode = modeOfSetting(setting?.value);
  if (mode !== NO_BEACON) await announceBeacon(tx, game, { mode, from: roundAt(game, now), now });
}

async function announceBeacon(
  tx: Tx,
  game: Game,
  { mode, from, now }: { mode: string; from: RoundPlace; now: number },
): Promise<void> {
  const place = { fromDay: from.day, fromNumber: from.number };
  await tx.insert(beaconChanges).values({ gameId: game.id, ...place, mode, announcedAt: now });
  await addLeaf(tx, { kind: "beacon", game: game.key, mode, from: roundText(from), at: now });
}
