import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { lotteryOdds } from "#shared/contract/lottery.ts";

/** An option of a game, with its payout and probability. */
export type OddsItem = ReplyOf<typeof lotteryOdds>[number];

/** What stands on a tile beside its option, by the option's code. */
export type Marks = ReadonlyMap<string, { stake: string | null; hasFallen: boolean }>;

/** The props of a board. */
export interface BoardProps {
  odds: readonly OddsItem[];
  chosen: readonly string[];
  marks: Marks;
  /** The open cart covers the lower part of the screen. */
  isCovered: boolean;
  onToggle: (option: string) => void;
}
