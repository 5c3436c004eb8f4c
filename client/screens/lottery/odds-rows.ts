import type { OddsItem } from "./odds-item.ts";

/** Options of one group with the same terms: payout, probability and return. */
export interface OddsRow {
  group: string;
  items: readonly OddsItem[];
}

const termsOf = ({ group, pays, probability, rtp }: OddsItem) => JSON.stringify([group, pays, probability, rtp]);

/** Sorts options into table rows by group; options with the same terms share a row. */
export function oddsRows(odds: readonly OddsItem[], groups: readonly string[]): OddsRow[] {
  const rows = new Map<string, OddsItem[]>();
  for (const item of odds) {
    const terms = termsOf(item);
    rows.set(terms, [...(rows.get(terms) ?? []), item]);
  }
  return [...rows.values()]
    .map((items) => ({ group: items[0]!.group, items }))
    .sort((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group));
}
