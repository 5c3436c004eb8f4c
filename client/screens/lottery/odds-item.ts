import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { lotteryOdds } from "#shared/contract/lottery.ts";

/** An option of a game, with what it pays and how likely it is. */
export type OddsItem = ReplyOf<typeof lotteryOdds>[number];

/** What a board is given. */
export interface BoardProps {
  odds: readonly OddsItem[];
  chosen: readonly string[];
  /** The cart lies open over the lower part of the screen. */
  isCovered: boolean;
  onToggle: (option: string) => void;
}
