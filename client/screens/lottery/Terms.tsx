import { useChance, useTimes } from "./use-chance.ts";
import type { OddsItem } from "./odds-item.ts";
import { RatesByTimes } from "./RatesByTimes.tsx";

/** An option's payout, or its payout per count, above its probability. */
export function Terms({ item: { pays, probability }, quiet }: { item: OddsItem; quiet: string }) {
  const times = useTimes();
  const chance = useChance();
  return (
    <>
      {pays.length > 1 ? (
        <RatesByTimes pays={pays} quiet={quiet} />
      ) : (
        <span className="figures text-sm/tight font-medium">{times(pays[0]!)}</span>
      )}
      <span className={`figures text-xs ${quiet}`}>{chance(probability)}</span>
    </>
  );
}
