import { bytesToHex } from "@noble/hashes/utils.js";
import { and, eq, gt, isNotNull, isNull, lte, or } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import { addNewLeaf } from "#server/domains/log/add-leaf.ts";
import { isClosingTold } from "#server/domains/log/told-closings.ts";
import { allowsBeacon, closesEnough, namesFirst, NO_BEACON, randomnessOf } from "#shared/lottery/beacon.ts";
import type { DrandChain, TimedBeacon } from "#shared/lottery/beacon.ts";
import { commitOf, drawOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { earlyFrom } from "./close-round.ts";
import { FALSE_BEACON } from "./settle.ts";
import type { Game } from "./read-games.ts";
import type { Seeds } from "./seeds.ts";

/** A round that is closed and waits for its draw. */
type Waiting = Pick<typeof rounds.$inferSelect, "id" | "day" | "number" | "drawsAt">;

/** Whether a closed round's draw is due: its time has come, or it was opened by a clock that was ahead. */
export const isDrawDue = (game: Game, { drawsAt }: { drawsAt: number }, now: number): boolean =>
  drawsAt <= now || drawsAt > earlyFrom(game, now);

/**
 * Draws a round that is closed and due, from the seed that its commit fixed, and the beacon that its rule names, once
 * everybody was told which bets count. The result is deterministic: every process and every retry draws the same. If the seed is not the committed one, or a beacon
 * stands where the rule allows none, nothing is drawn and the round fails. `signature` is one that `Beacons` let through,
 * or empty under the rule `none`.
 */
export async function drawRound(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce" | "process" | "beacons">,
  seeds: Seeds,
  game: Game,
  round: Waiting,
  signature: string,
): Promise<"drawn" | "failed" | "before"> {
  const now = deps.clock.now();
  const due = and(
    eq(rounds.id, round.id),
    isNotNull(rounds.closedAt),
    isNull(rounds.drawnAt),
    isNull(rounds.failedAt),
    isNull(rounds.refundedAt),
    or(lte(rounds.drawsAt, now), gt(rounds.drawsAt, earlyFrom(game, now))),
  );
  const { commit, beaconRule: rule, beacon: early, closesAt: closes, drawsAt } = rounds;
  const [closed] = await tx.select({ commit, rule, early, closes, due: drawsAt }).from(rounds).where(due);
  const subject = { game: game.key, round: roundText(round) };
  if (!closed || !(await isClosingTold(tx, round.id, subject))) return "before";
  failpoint("round.draw", round.id);
  const seed = seeds.reveal(game, round);
  // Nobody but this draw writes a beacon: what stands there already was written by somebody else.
  const fresh = closed.rule === NO_BEACON || signature === "" ? "" : randomnessOf(signature);
  const beacon = { ...closed, beacon: closed.early || fresh, signature };
  const failure = faultOfDraw(seed, beacon, deps.beacons.chains);
  const result = failure === null ? { ...drawn(game, round, seed, beacon), drawnAt: now } : { failedAt: now, failure };
  const changed = await tx.update(rounds).set(result).where(due).returning({ id: rounds.id });
  if (changed.length === 0) return "before";
  if ("dice" in result) {
    const { dice, drawnAt, beaconSignature: beacon_signature, ...mixed } = result;
    const times = { due: round.drawsAt, drawn: drawnAt };
    await addNewLeaf(tx, { kind: "draw", ...subject, ...mixed, beacon_signature, dice, ...times });
  }
  const payload = { gameId: game.id, roundId: round.id };
  if (failure !== null) await deps.announce(tx, "round.failed", payload);
  else await deps.announce(tx, "round.drawn", { ...payload, by: deps.process });
  return failure === null ? "drawn" : "failed";
}

/** Why a round is not drawn; null when it may be. */
function faultOfDraw(
  seed: Uint8Array,
  { commit, early, ...beacon }: TimedBeacon & { commit: string; early: string },
  chains: readonly DrandChain[],
): string | null {
  if (commitOf(seed) !== commit) return "its seed is not the committed one";
  if (early !== "" || !allowsBeacon(beacon)) return FALSE_BEACON;
  if (beacon.rule === NO_BEACON || (namesFirst(beacon, chains) && closesEnough(beacon))) return null;
  return "its rule does not name the first beacon after its close";
}

function drawn(game: Game, round: Waiting, seed: Uint8Array, { rule, beacon, signature }: TimedBeacon) {
  const place = { gameKey: game.key, round: roundText(round), rule, beacon };
  const dice = drawOf(rulesOf(game.kind), seed, place);
  return { seed: bytesToHex(seed), dice: [...dice], beacon, beaconSignature: signature };
}
