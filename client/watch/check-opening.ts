import { hexToBytes } from "@noble/hashes/utils.js";
import type { Leaf } from "#shared/log/leaf.ts";
import { isHex } from "#shared/log/strict.ts";
import { namedBeacon, namesFirst, NO_BEACON, type DrandChain } from "#shared/lottery/beacon.ts";
import { commitOf } from "#shared/lottery/fairness.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { isOddsRecord, type OddsRecord } from "#shared/lottery/odds-record.ts";
import { parseRound, spanOf } from "#shared/lottery/schedule.ts";
import { DAY_MS } from "#shared/time.ts";
import type { FairRound } from "./check-bet.ts";
import type { ToldOpening, ToldResult } from "./messages.ts";

/** An opening as the house told it, and the log that it had then. */
export interface ShownOpening extends ToldOpening {
  origin: string;
}

/** What an opening says, in one text. */
export const termsText = ({ commit, beacon, closes }: ToldOpening): string => `${commit} ${beacon} ${closes}`;

/** Whether a rule takes no beacon, or one of a chain whose key is known here. A page may be older than a chain. */
export function isChainKnown(rule: string, chains: readonly DrandChain[]): boolean {
  const named = namedBeacon(rule);
  return named === null || chains.some(({ hash }) => hash === named.chain);
}

/** Whether a result has the rule that follows from the mode and the close that its opening told. */
export function isAsShown({ rule }: ToldResult, opening: ShownOpening, chains: readonly DrandChain[]): boolean {
  const isOfMode = (rule === NO_BEACON) === (opening.beacon === "none");
  return isOfMode && closesInItsTime(opening) && namesFirst({ rule, closes: opening.closes }, chains);
}

/** A close of another time would name another beacon, one of the past too. */
function closesInItsTime({ expect, closes, period }: ToldOpening): boolean {
  const place = parseRound(expect);
  if (!place) return false;
  if (period === undefined) return Math.floor(closes / DAY_MS) === place.day;
  const { opensAt, drawsAt } = spanOf({ periodS: period, closeS: 0 }, place);
  return opensAt < closes && closes < drawsAt;
}

/** Whether a result, and what was told of its opening, are as the log has the round opened. */
export function isAsOpened(
  { kind, rule, seed }: ToldResult,
  opening: Leaf<"open">,
  shown: ShownOpening | null,
  chains: readonly DrandChain[],
): boolean {
  const { commit, closes, beacon_rule } = opening;
  const isDrawn =
    kind === opening.rules && rule === beacon_rule && isHex(seed) && commitOf(hexToBytes(seed)) === commit;
  const isTold =
    shown === null ||
    (shown.commit === commit && shown.closes === closes && (shown.beacon === "none") === (beacon_rule === NO_BEACON));
  return isDrawn && isTold && namesFirst({ rule, closes }, chains);
}

/** Whether an answer brings the odds that a round opened with: they say how long before its draw it closes. */
export const bringsItsOdds = (opening: Leaf<"open">, odds: FairRound["odds"]): odds is OddsRecord => {
  const rules = GAME_KINDS.get(opening.rules);
  return rules !== undefined && odds !== null && odds.hash === opening.odds_hash && isOddsRecord(rules, odds);
};
