import { useEffect, useMemo } from "react";
import { checkPast, isSigned, type Past, type PastChecks } from "./check-past.ts";
import { keepChecked, readKept, type KeptPair, type Seeds } from "./kept-pairs.ts";
import { useSignedSpins } from "./use-signed-spins.ts";

/** The pair whose seed is public, checked. */
export interface CheckedPast {
  pair: Past;
  kept: KeptPair | undefined;
  checks: PastChecks;
  /** Whether the lines of its spins are still to be read. */
  isUnread: boolean;
}

/**
 * Checks the pair whose seed is public, on every screen of the wheel: once another one is public, the house shows it no more.
 * Null without such a pair; undefined until it is known what the house signed.
 */
export function usePast(seeds: Seeds): CheckedPast | null | undefined {
  const { member, previous: pair } = seeds;
  const signed = useSignedSpins(seeds);
  const past = useMemo(() => {
    if (!pair) return null;
    if (signed === undefined) return undefined;
    const kept = readKept(member).find(({ number }) => number === pair.number);
    const isUnread = signed !== null && !(signed.isWhole && isSigned(pair, signed.spins));
    return { pair, kept, checks: checkPast(pair, kept, signed?.spins ?? []), isUnread };
  }, [member, pair, signed]);
  const checked = past?.checks.isGood && !past.isUnread ? past.pair.number : null;
  useEffect(() => {
    if (checked !== null) keepChecked(member, checked);
  }, [member, checked]);
  return past;
}
