import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { betColumns, bets, games, memberSalts, rounds } from "#db/schema/index.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { Refusal } from "#shared/refusal.ts";
import { MemberSalt } from "./member-salt.ts";
import { readLeaves, type StoredLeaf } from "./read-log.ts";
import { keyOfRound, ROUND_KINDS, type RoundKind } from "./round-keys.ts";

export type Round = typeof rounds.$inferSelect;

/** A member's bet with its round, what the log says of that, and the member's salts. Refuses another member's bet. */
export async function readOwnBet(read: Tx, memberId: number, betId: number) {
  const [found] = await read
    .select({ bet: betColumns, round: rounds, game: games.key, salt: memberSalts.salt })
    .from(bets)
    .innerJoin(rounds, eq(rounds.id, bets.roundId))
    .innerJoin(games, eq(games.id, rounds.gameId))
    .leftJoin(memberSalts, eq(memberSalts.memberId, bets.memberId))
    .where(eq(bets.id, betId));
  if (!found) throw new Refusal("object.unknown");
  const { bet, round, game, salt } = found;
  if (bet.memberId !== memberId) throw new Refusal("bet.foreign");
  // A member gets salts as the first bet is counted.
  if (salt === null) throw new Refusal("object.unknown");
  const subject = { game, round: roundText(round) };
  const keys = new Map<string, RoundKind>(ROUND_KINDS.map((kind) => [keyOfRound(kind, subject), kind]));
  const stored = await readLeaves(read, [...keys.keys()]);
  const leaves = new Map(Array.from(stored, ([key, leaf]): [RoundKind, StoredLeaf] => [keys.get(key)!, leaf]));
  return { bet, round, leaves, salt: new MemberSalt(memberId, salt) };
}

/** A leaf with its number in that log. */
export const loggedIn = (log: number, leaf: StoredLeaf | undefined) =>
  leaf?.log === log && leaf.number !== null ? { leaf: leaf.text, number: leaf.number } : null;
