import { useEndpoint } from "#client/api/queries.ts";
import { lotteryList, type Lottery } from "#shared/contract/lottery.ts";

/** What a draw with this beacon promises, and what it does not. */
export const beaconWords = (beacon: Lottery["beacon"]) => (beacon === "drand" ? "fair.beaconDrand" : "fair.beaconNone");

/** The beacon that the site may promise: only one that every game's draws take now. */
export function useBeacon(): Lottery["beacon"] {
  const { data: games = [] } = useEndpoint(lotteryList);
  return games.length > 0 && games.every(({ beacon }) => beacon === "drand") ? "drand" : "none";
}
