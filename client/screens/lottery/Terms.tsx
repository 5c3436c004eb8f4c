import { useChance, useOdds } from "./use-chance.ts";
import type { OddsItem } from "./odds-item.ts";
import { RatesByTimes } from "./RatesByTimes.tsx";

/** What an option pays, by how often it falls where that counts, and how likely it is, one under the other. */
export function Terms({ item: { pays, probability }, quiet }: { item: OddsItem; quiet: string }) {
  const odds = useOdds();
  const chance = useChance();
  return (
    <>
      {pays.length > 1 ? (
        <RatesByTimes pays={pays} quiet={quiet} />
      ) : (
        <span className="figures text-sm/tight font-medium">×{odds(pays[0]!)}</span>
      )}
      <span className={`figures text-xs ${quiet}`}>{chance(probability)}</span>
    </>
  );
}
