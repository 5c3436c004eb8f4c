import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { isBeaconSigned, type BeaconCheck } from "#shared/lottery/beacon.ts";
import { commitOf, drawOf } from "#shared/lottery/fairness.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { seedWithinDay, type KnownSeed } from "#shared/lottery/seed-at.ts";
import { isHex } from "#shared/log/strict.ts";
import { isOpening } from "#shared/log/terms.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import type { LogKeys } from "./keys.ts";
import type { Judge } from "./known.ts";
import { readKeptClosing, readLeaf, signedClosing, signedOpening } from "./of-bets.ts";
import { RESULT } from "./result-form.ts";
import { said, type Said } from "./says.ts";
import { withFields, whole } from "./shape.ts";

const isResult = withFields(RESULT);
const isFrom = withFields({ number: whole, seed: isHex });

/** What a result contradicts, by arithmetic alone. Nobody signed it. */
function reckon(
  { result, commit, from }: { result: unknown; commit?: unknown; from?: unknown },
  opening: Leaf<"open"> | null,
  beacons: BeaconCheck,
): Said[] {
  if (!isResult(result)) return [];
  const place = parseRound(result.expect);
  const rules = GAME_KINDS.get(result.kind);
  if (!place || !rules) return [];
  if (!isHex(result.seed)) return [said("reckoned bad-seed")];
  const seed = hexToBytes(result.seed);
  const faults: Said[] = [];
  const commits = [commit, opening?.commit].filter(isHex);
  if (commits.some((one) => commitOf(seed) !== one)) faults.push(said("reckoned bad-commit"));
  const known = { number: place.number, seed: result.seed };
  if (isFrom(from) && !leadsTo(known, from) && !leadsTo(from, known)) faults.push(said("reckoned bad-seed"));
  const { rule, beacon, beacon_signature: signature } = result;
  const isOfRule = opening === null || opening.beacon_rule === rule;
  if (!isOfRule || !isBeaconSigned({ rule, beacon, signature }, beacons)) faults.push(said("reckoned bad-beacon"));
  const dice = drawOf(rules, seed, { gameKey: result.key, round: result.expect, rule, beacon });
  if (dice.join() !== result.opencode.join()) faults.push(said("reckoned bad-dice"));
  return faults;
}

function leadsTo(later: KnownSeed, earlier: KnownSeed): boolean {
  const seed = seedWithinDay(later, earlier.number);
  return seed !== null && bytesToHex(seed) === earlier.seed;
}

/** A result that does not follow, or an opening that changed. The house signs neither to one device. */
export const judgeResult: Judge<"otherCommit" | "seed" | "dice" | "lateHead"> = ({ member, evidence }, keys, known) => {
  if (member !== "") return [said("broken member")];
  if (!("result" in evidence)) return [said("claimed result")];
  const { closing } = evidence;
  const leaf = closing && readKeptClosing(closing, keys);
  if (closing && !leaf) return [said("broken closing")];
  const opening = evidence.opening ? readOpening(evidence.opening, evidence.result, keys) : null;
  if (evidence.opening && !opening) return [said("broken opening")];
  const signed = [...(leaf ? [signedClosing(leaf)] : []), ...(opening ? [signedOpening(opening)] : [])];
  return [...signed, ...reckon(evidence, opening, known.beacons), said("claimed result")];
};

/** The opening of a result's round, if it stands in a head of this log. */
function readOpening(placed: Parameters<typeof readLeaf>[0], result: unknown, keys: LogKeys): Leaf<"open"> | null {
  const leaf = readLeaf(placed, keys);
  if (!leaf || !isResult(result)) return null;
  return isOpening(leaf, { game: result.key, round: result.expect }) ? leaf : null;
}
