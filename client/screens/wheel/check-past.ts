import type { SignedSpin } from "#client/watch/messages.ts";
import { checkPair } from "#shared/wheel.ts";
import { differencesIn, type KeptPair, type Seeds } from "./kept-pairs.ts";

export type Past = NonNullable<Seeds["previous"]>;
type PastSpin = Pick<Past["spins"][number], "nonce" | "id">;

/** What a public pair turned out to be. */
export interface PastChecks {
  /** The seed is the one that was committed to. */
  commit: boolean;
  /** The spins are counted from 0 without a gap, and none is missing that the house signed, or answered to this device. */
  complete: boolean;
  /** The table has its hash, and every spin was drawn from it. */
  table: boolean;
  /** Spins that should have won something else, or were signed or answered otherwise. */
  wrong: number[];
  /** Spins that the house signed or answered, and does not show. */
  missing: PastSpin[];
  /** All that, and commit, words and table are those that this device kept. */
  isGood: boolean;
}

/**
 * Checks a pair whose seed is public, from what this device knows: what it kept of the pair, what it was answered to its
 * spins, and what the house signed about them. The answer alone could show another pair that agrees with itself.
 */
export function checkPast(pair: Past, kept: KeptPair | undefined, signed: readonly SignedSpin[]): PastChecks {
  const { seed, client_seed: clientSeed, words_by: wordsBy, table: bound, spins } = pair;
  const checks = checkPair({ seed, commit: kept?.commit ?? pair.commit, clientSeed, wordsBy, table: bound, spins });
  const shown = new Map(spins.map(({ nonce, id }) => [nonce, id]));
  const denied = knownOf(pair, kept, signed).filter(({ nonce, id, isOther }) => isOther || shown.get(nonce) !== id);
  const missing = new Map(denied.filter(({ nonce }) => !shown.has(nonce)).map((spin) => [spin.nonce, spin]));
  const wrong = new Set([...checks.wrong, ...denied.filter(({ nonce }) => shown.has(nonce)).map(({ nonce }) => nonce)]);
  const complete = checks.complete && missing.size === 0;
  const isAsKept = differencesIn(pair, kept).length === 0;
  return {
    commit: checks.commit,
    complete,
    table: checks.table,
    wrong: [...wrong],
    missing: [...missing.values()].map(({ nonce, id }) => ({ nonce, id })),
    isGood: checks.commit && complete && checks.table && isAsKept && wrong.size === 0,
  };
}

/** What is known of a pair's spins. `isOther`: it was drawn from something else than the pair says. */
const knownOf = (
  { client_seed, words_by, table }: Past,
  kept: KeptPair | undefined,
  signed: readonly SignedSpin[],
): (PastSpin & { isOther: boolean })[] => [
  ...(kept?.answers ?? []),
  ...signed.map(({ nonce, prize, ...from }) => {
    const isSame = from.words === client_seed && from.words_by === words_by && from.table_hash === table?.hash;
    return { nonce, id: prize, isOther: !isSame };
  }),
];

/** Whether the house signed all that is shown: then it can be held to it. */
export const isSigned = ({ spins }: Past, signed: readonly SignedSpin[]): boolean => {
  const nonces = new Set(signed.map(({ nonce }) => nonce));
  return spins.every(({ nonce }) => nonces.has(nonce));
};
