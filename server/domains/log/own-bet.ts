import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { betColumns, bets, games, memberSalts, rounds } from "#db/schema/index.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { Refusal } from "#shared/refusal.ts";
import { MemberSalt } from "./member-salt.ts";
import { readLeaves, type StoredLeaf } from "./read-log.ts";
import { keyOfRound } from "./round-keys.ts";

/** What the log says of a round's bets. */
const KINDS = ["open", "close", "draw", "settle"] as const;
type Kind = (typeof KINDS)[number];

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
  const keys = new Map<string, Kind>(KINDS.map((kind) => [keyOfRound(kind, { game, round: roundText(round) }), kind]));
  const stored = await readLeaves(read, [...keys.keys()]);
  const leaves = new Map(Array.from(stored, ([key, leaf]): [Kind, StoredLeaf] => [keys.get(key)!, leaf]));
  return { bet, round, leaves, salt: new MemberSalt(memberId, salt) };
}

/** A leaf with its number in that log. */
export const loggedIn = (log: number, leaf: StoredLeaf | undefined) =>
  leaf?.log === log && leaf.number !== null ? { leaf: leaf.text, number: leaf.number } : null;
