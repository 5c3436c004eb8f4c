import type { games, rounds } from "#db/schema/index.ts";
import { NO_BEACON } from "#shared/lottery/beacon.ts";
import { lateBy } from "#shared/lottery/fairness.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { SECOND_MS } from "#shared/time.ts";
import type { Findings } from "./findings.ts";
import type { SignsOfLife } from "./signs-of-life.ts";

type Round = typeof rounds.$inferSelect;

interface Timed {
  game: typeof games.$inferSelect;
  round: Round;
  /** The round that was opened after it. */
  next: Round | undefined;
}

/**
 * Compares when a round was closed and drawn with when it was due. A late draw is a note, which also says whether the house
 * was at work: it may be held back, but nothing is wrong with its result, and its public record says how late it was. A
 * round that is left undrawn or unpaid while a server works is a problem.
 */
export function checkTimes({ game, round, next }: Timed, signs: SignsOfLife, found: Findings): void {
  const { closesAt, drawsAt, closedAt, drawnAt, settledAt, failedAt, skippedAt, refundedAt } = round;
  const name = `round ${game.key} ${roundText(round)}`;
  const seconds = (ms: number) => Math.floor(ms / SECOND_MS);
  // A clock that was ahead opens rounds too early. They are closed and drawn at once.
  const isEarly = (at: number) => drawsAt > at + 2 * game.periodS * SECOND_MS;
  found.check(
    closedAt === null || closedAt >= closesAt || isEarly(closedAt),
    () => `${name} was closed ${seconds(closesAt - closedAt!)} s before its time`,
  );
  found.check(
    drawnAt === null || drawnAt >= drawsAt || isEarly(drawnAt),
    () => `${name} was drawn ${seconds(drawsAt - drawnAt!)} s before it was due`,
  );
  if (failedAt !== null || skippedAt !== null) return;
  noteLateness(name, round, next, found);
  const ended = drawnAt ?? refundedAt;
  const undrawn = ended === null ? signs.idleSince(drawsAt) : null;
  const idle = () => `${name} is not drawn: a server worked on for ${undrawn} s after it was due`;
  // Its beacon cannot be chosen, so nobody gains by waiting; it may be the network that is away.
  if (round.beaconRule === NO_BEACON) found.check(undrawn === null, idle);
  else if (undrawn !== null) found.note(() => `${idle()}, and may wait for its beacon`);
  const unpaid = ended !== null && settledAt === null ? signs.idleSince(ended) : null;
  found.check(unpaid === null, () => `${name} is not paid: a server worked on for ${unpaid} s after its draw`);
}

function noteLateness(name: string, { drawsAt: due, drawnAt: drawn }: Round, next: Round | undefined, found: Findings) {
  if (drawn === null) return;
  const late = lateBy({ due, drawn });
  if (late === 0) return;
  const isHeld = next !== undefined && lateBy({ due: next.openedAt, drawn }) !== 0;
  found.note(() => `${name} was drawn ${late} s after it was due${isHeld ? ", though the next round had opened" : ""}`);
}
