import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { and, asc, eq, gt } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { anchors, gaps, games, rounds } from "#db/schema/index.ts";
import { commitOf, diceOf } from "#shared/lottery/fairness.ts";
import { ordinalOf, placeOf, roundText, type RoundPlace } from "#shared/lottery/schedule.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

type Game = typeof games.$inferSelect;
type Round = typeof rounds.$inferSelect;

/** Recomputes every draw from its seed, every seed up to its day's anchor, and that no round is missing without a gap. */
export async function auditDraws(read: Tx, found: Findings): Promise<{ rounds: number; gaps: number }> {
  const total = { rounds: 0, gaps: 0 };
  for (const game of await read.select().from(games)) {
    const anchorOf = await readAnchors(read, game.id);
    const missing = await readGaps(read, game);
    total.gaps += missing.length;
    const missed = new Map(missing.map(({ from, to }) => [from, to]));
    let before: Round | undefined;
    const page = (after: number, limit: number) =>
      read
        .select()
        .from(rounds)
        .where(and(eq(rounds.gameId, game.id), gt(rounds.id, after)))
        .orderBy(asc(rounds.id))
        .limit(limit);
    for await (const round of inPages(page)) {
      total.rounds++;
      checkDraw(game, round, before, anchorOf.get(round.day), found);
      if (before) checkOrder(game, before, round, missed, found);
      before = round;
    }
  }
  return total;
}

/** Hashes the seed down to the last known link: the round before it in the day, or the anchor. */
function checkDraw(
  game: Game,
  round: Round,
  before: Round | undefined,
  anchor: string | undefined,
  found: Findings,
): void {
  const name = `round ${game.key} ${roundText(round)}`;
  const { seed, dice, closedAt, drawnAt } = round;
  found.check(drawnAt === null || closedAt !== null, () => `${name} was drawn before it was closed`);
  if (seed === null || dice === null) return;
  const bytes = hexToBytes(seed);
  const linked = before?.day === round.day && before.seed !== null ? before : null;
  let link: Uint8Array = bytes;
  for (let i = linked?.number ?? 0; i < round.number; i++) link = sha256(link);
  found.check(
    bytesToHex(link) === (linked?.seed ?? anchor),
    () => `${name}: its seed does not lead to the day's anchor`,
  );
  found.check(commitOf(bytes) === round.commit, () => `${name}: its seed is not the committed one`);
  const drawn = diceOf(bytes, game.key, roundText(round), round.beacon);
  found.check(drawn.join() === dice.join(), () => `${name}: the seed gives ${drawn.join()}, it says ${dice.join()}`);
}

function checkOrder(game: Game, before: Round, round: Round, missed: Map<number, number>, found: Findings): void {
  const [from, to] = [ordinalOf(game, before) + 1, ordinalOf(game, round) - 1];
  const named = from > to || missed.get(from) === to;
  found.check(named, () => `${game.key}: rounds ${name(from)} to ${name(to)} are missing without a gap record`);

  function name(ordinal: number): string {
    const place: RoundPlace = placeOf(game, ordinal);
    return roundText(place);
  }
}

async function readAnchors(read: Tx, gameId: number): Promise<Map<number, string>> {
  const rows = await read.select().from(anchors).where(eq(anchors.gameId, gameId));
  return new Map(rows.map(({ day, anchor }) => [day, anchor]));
}

async function readGaps(read: Tx, game: Game) {
  const rows = await read.select().from(gaps).where(eq(gaps.gameId, game.id));
  return rows.map(({ fromDay, fromNumber, toDay, toNumber }) => ({
    from: ordinalOf(game, { day: fromDay, number: fromNumber }),
    to: ordinalOf(game, { day: toDay, number: toNumber }),
  }));
}
