import { bytesToHex } from "@noble/hashes/utils.js";
import { and, asc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { anchors, games, rounds } from "#db/schema/index.ts";
import type { Keys } from "#server/config/keys.ts";
import { sha256 } from "#server/domains/log/sha256.ts";
import { chainOfDay, commitOf, lastSeedOfDay, seedOf } from "#shared/lottery/fairness.ts";
import { roundsPerDay, roundText } from "#shared/lottery/schedule.ts";
import { dayText } from "#shared/time.ts";
import type { Findings } from "./findings.ts";

/** Derives each day's chain anew, if its master key is here, and compares its anchor and the commits of its rounds. */
export async function auditChains(read: Tx, keys: Pick<Keys, "ofDay" | "all">, found: Findings): Promise<void> {
  for (const game of await read.select().from(games)) {
    const days = await read.select().from(anchors).where(eq(anchors.gameId, game.id)).orderBy(asc(anchors.day));
    for (const { day, anchor } of days) {
      if (day < keys.all[0]!.fromDay) continue;
      const chain = chainOfDay(
        lastSeedOfDay(keys.ofDay(day).master, game.key, dayText(day)),
        roundsPerDay(game),
        sha256,
      );
      found.check(
        bytesToHex(seedOf(chain, 0)) === anchor,
        () => `the anchor of ${game.key} ${dayText(day)} does not follow from the master key`,
      );
      const opened = await read
        .select({ day: rounds.day, number: rounds.number, commit: rounds.commit })
        .from(rounds)
        .where(and(eq(rounds.gameId, game.id), eq(rounds.day, day)));
      for (const round of opened)
        found.check(
          commitOf(seedOf(chain, round.number)) === round.commit,
          () => `round ${game.key} ${roundText(round)}: its commit does not follow from the master key`,
        );
    }
  }
}
