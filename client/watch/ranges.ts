/** Whole numbers, from one to another, in their order. */
export type Ranges = [from: number, to: number][];

/** The same with one more number: what adjoins is one range, so there are no more than holes. */
export function withNumber(ranges: Ranges, number: number): Ranges {
  const joined: Ranges = [];
  for (const [from, to] of [...ranges, [number, number] as const].toSorted(([one], [other]) => one - other)) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
