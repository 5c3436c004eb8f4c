/*
 * Ranges of the members who bet on a round (table `settle_ranges`). Members of one range are worked through in order, so
 * that one number says how far it is; ranges are worked through side by side, by one server or by several.
 */

export interface SettleRange {
  fromId: number;
  toId: number;
  /** Members up to this id are settled. */
  settledTo: number;
  /** Members up to this id are indexed. */
  indexedTo: number;
}

/** What is done range by range. */
export type Progress = "settledTo" | "indexedTo";

/** The ranges of a round whose bettors are given in order: as equal as can be, of no fewer bettors than `least`, and at most `most`. */
export function rangesOf(bettors: Float64Array, { least, most }: { least: number; most: number }): SettleRange[] {
  if (bettors.length === 0) return [];
  const count = Math.max(1, Math.min(most, Math.floor(bettors.length / least)));
  const first = (i: number) => (i === 0 ? 1 : bettors[Math.floor((i * bettors.length) / count)]!);
  return Array.from({ length: count }, (_, i) => {
    const [fromId, toId] = [first(i), i + 1 < count ? first(i + 1) - 1 : Number.MAX_SAFE_INTEGER];
    return { fromId, toId, settledTo: fromId - 1, indexedTo: fromId - 1 };
  });
}

/** Those of some members, given in order, that are in a range and not done in it. */
export function leftIn(range: SettleRange, progress: Progress, members: Float64Array): Float64Array {
  const isLeft = (memberId: number) => memberId > range[progress] && memberId <= range.toId;
  return members.filter(isLeft);
}

/** Where a range stands after `some` of those who were left in it. */
export const standsAfter = ({ toId }: SettleRange, some: ArrayLike<number>, left: ArrayLike<number>): number =>
  some.length === left.length ? toId : some[some.length - 1]!;

/** Whether a member is settled, going by the ranges of the round. */
export const isSettledIn = (ranges: readonly SettleRange[], memberId: number): boolean =>
  ranges.some(({ fromId, settledTo }) => fromId <= memberId && memberId <= settledTo);

export const readRanges = (round: string): string =>
  `select from_id as "fromId", to_id as "toId", settled_to as "settledTo", indexed_to as "indexedTo"
   from settle_ranges where round_id = ${round} order by from_id`;
