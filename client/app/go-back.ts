/** How many of the app's history entries lie behind this one; null if the router does not count. */
export function placesBehind(): number | null {
  const { idx } = (window.history.state ?? {}) as { idx?: number };
  return idx ?? null;
}

/**
 * Goes back over so many of the app's own places; false when there are not so many. A page in a frame leaves places
 * of its own in the browser's history, which the Navigation API, where there is one, passes over.
 */
export function goBack(steps: number): boolean {
  if ((placesBehind() ?? 0) < steps) return false;
  // Older browsers lack the Navigation API, whatever the type says.
  const { navigation } = window as Partial<Pick<Window, "navigation">>;
  const here = navigation?.currentEntry?.index ?? 0;
  const there = navigation?.entries().at(here - steps);
  if (navigation && there && here >= steps) navigation.traverseTo(there.key).finished?.catch(() => undefined);
  else window.history.go(-steps);
  return true;
}
