import { useChance, useOdds } from "#client/hooks/use-chance.ts";
import type { OddsItem } from "./odds-item.ts";

/** What an option pays, by how often it falls, and how likely it is, one under the other. */
export function Terms({ item: { pays, probability }, quiet }: { item: OddsItem; quiet: string }) {
  const odds = useOdds();
  const chance = useChance();
  return (
    <>
      <span className="figures text-sm/tight font-medium">{pays.map((rate) => `×${odds(rate)}`).join(" ")}</span>
      <span className={`figures text-xs ${quiet}`}>{chance(probability)}</span>
    </>
  );
}
