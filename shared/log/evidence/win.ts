import { commitOf, drawOf } from "#shared/lottery/fairness.ts";
import { isBeaconSigned, type BeaconCheck } from "#shared/lottery/beacon.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { isOddsRecord, type OddsRecord } from "#shared/lottery/odds-record.ts";
import { maskOf, payoutAmong, placeOfType, winnersOf } from "#shared/lottery/rules.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { seedWithinDay } from "#shared/lottery/seed-at.ts";
import type { Money } from "#shared/money.ts";
import { stepOf } from "#shared/unit.ts";
import { code, id, whole } from "#shared/log/fields.ts";
import type { Receipt } from "#shared/log/receipt.ts";
import { isHex } from "#shared/log/strict.ts";
import { listOf, number, text, withFields } from "./shape.ts";

const isOdds = withFields({
  game: code,
  id,
  period: whole,
  close: whole,
  unit: code,
  from: whole,
  hash: text,
  options: listOf(withFields({ type: text, milli: listOf(number), pays: listOf(text) })),
});
const isRound = withFields({ kind: text, odds: isOdds, rule: text, beacon: text, beacon_signature: text });
const isDraw = withFields({ seed: text });
const isSeed = withFields({ number: whole, seed: isHex });

/**
 * What a bet wins. Its receipt names the hash of the odds, the rule of the beacon and the hash of the seed, so whoever
 * shows other ones shows none. Null then, or where they are not known here.
 */
export function winOf(
  { bet }: Receipt,
  { round, seed: known, draw }: { round?: unknown; seed?: unknown; draw?: unknown },
  beacons: BeaconCheck,
): Money | null {
  const own = parseRound(bet.round)!.number;
  const seed = isDraw(draw) ? { number: own, seed: draw.seed } : known;
  if (!isRound(round) || !isSeed(seed)) return null;
  const { kind, rule, beacon, beacon_signature: signature } = round;
  const rules = GAME_KINDS.get(kind);
  const odds: OddsRecord = round.odds;
  if (!rules || odds.hash !== bet.odds_hash || !isOddsRecord(rules, odds) || rule !== bet.rule) return null;
  if (!isBeaconSigned({ rule, beacon, signature }, beacons)) return null;
  const drawn = seedWithinDay(seed, own);
  if (!drawn || commitOf(drawn) !== bet.commit) return null;
  if (!bet.options.every((type) => placeOfType(rules, type) !== undefined)) return null;
  const dice = drawOf(rules, drawn, { gameKey: bet.game, round: bet.round, rule, beacon });
  const milli = odds.options.flatMap((option) => option.milli);
  return payoutAmong(
    winnersOf(rules, dice, milli),
    { stake: bet.stake, mask: maskOf(rules, bet.options) },
    stepOf(bet.unit),
  );
}
