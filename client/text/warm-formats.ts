/**
 * Makes one format of each kind that a screen shows first. The engine loads its list of languages with the first of them,
 * 40 ms and more on a slow phone: better while the app's files are on their way than in its first render.
 */
export function warmFormats(tag: string): void {
  new Intl.NumberFormat(tag, { style: "unit", unit: "minute" }).format(0);
  new Intl.PluralRules(tag).select(0);
  new Intl.ListFormat(tag).format([]);
}
