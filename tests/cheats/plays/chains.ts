import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { commitOf, drawOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { dayText } from "#shared/time.ts";
import type { Forger } from "../trial/forger.ts";
import { GAME } from "./ids.ts";

interface Row {
  id: number;
  day: number;
  number: number;
  seed: string | null;
}

/** The seeds of a day up to a place, from the last one down. */
function seedsDown(last: Uint8Array, number: number): Uint8Array[] {
  const seeds = [last];
  for (let i = number; i > 0; i--) seeds.unshift(sha256(seeds[0]!));
  return seeds;
}

export const diceOf = (seed: string, round: string, { rule, beacon } = NO_BEACON): readonly number[] =>
  drawOf(rulesOf("dice-sum"), hexToBytes(seed), { gameKey: GAME, round, rule, beacon });

const NO_BEACON = { rule: "none", beacon: "" };

const named = (day: number, number: number) => `${dayText(day)}-${String(number).padStart(4, "0")}`;

/** A round has the seed that its house likes, and the commit and the dice that follow. What it paid stays right. */
export async function reseed(forger: Forger, { id, day, number }: Omit<Row, "seed">, seed: string): Promise<void> {
  const commit = commitOf(hexToBytes(seed));
  const dice = JSON.stringify(diceOf(seed, named(day, number)));
  await forger.run(`update rounds set "commit" = '${commit}', seed = case when seed is null then null else '${seed}' end,
    dice = case when seed is null then null else ${forger.json(dice)} end where id = ${id}`);
}

/** All of a day once more, from another chain: anchor, commits, seeds and dice. Everybody bets on both sides, so all payouts stay. */
export async function rollAgain(forger: Forger, day: number, last: Uint8Array): Promise<void> {
  const rows = await forger.all<Row>(`select id, day, number, seed from rounds where day = ${day} order by number`);
  const seeds = seedsDown(last, rows.at(-1)!.number);
  for (const row of rows) await reseed(forger, row, bytesToHex(seeds[row.number]!));
  await forger.run(`update anchors set anchor = '${bytesToHex(seeds[0]!)}' where day = ${day}`);
}
