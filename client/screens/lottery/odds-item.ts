import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { lotteryOdds } from "#shared/contract/lottery.ts";

/** An option of a game, with its payout and probability. */
export type OddsItem = ReplyOf<typeof lotteryOdds>[number];

/** The props of a board. */
export interface BoardProps {
  odds: readonly OddsItem[];
  chosen: readonly string[];
  /** The open cart covers the lower part of the screen. */
  isCovered: boolean;
  onToggle: (option: string) => void;
}
