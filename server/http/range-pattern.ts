/**
 * A regular expression for the whole numbers from `least` to `most`, at least 0 and without leading zeros. It needs no flag
 * and reads the same in every language.
 */
export function rangePattern(least: number, most: number): string {
  const parts: string[] = [];
  for (let low = least; low <= most;) {
    const digits = String(low).length;
    const high = Math.min(most, 10 ** digits - 1);
    parts.push(...sameLength(String(low), String(high)));
    low = high + 1;
  }
  return `^(?:${parts.join("|")})$`;
}

const isAll = (text: string, digit: string) => [...text].every((one) => one === digit);
const oneOf = (first: number, last: number) => (first === last ? `${first}` : `[${first}-${last}]`);
const any = (digits: number) => (digits === 0 ? "" : `[0-9]${digits === 1 ? "" : `{${digits}}`}`);

/** The alternatives for numbers with equally many digits. */
function sameLength(low: string, high: string): string[] {
  const [first, last] = [Number(low[0]), Number(high[0])];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  const rest = lowRest.length;
  if (isAll(lowRest, "0") && isAll(highRest, "9")) return [`${oneOf(first, last)}${any(rest)}`];
  if (first === last) return sameLength(lowRest, highRest).map((end) => `${first}${end}`);
  const from = isAll(lowRest, "0") ? first : first + 1;
  const to = isAll(highRest, "9") ? last : last - 1;
  return [
    ...(from > first ? sameLength(lowRest, "9".repeat(rest)).map((end) => `${first}${end}`) : []),
    ...(from <= to ? [`${oneOf(from, to)}${any(rest)}`] : []),
    ...(to < last ? sameLength("0".repeat(rest), highRest).map((end) => `${last}${end}`) : []),
  ];
}
