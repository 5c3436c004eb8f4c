const STOPS = "button, a";

/** 1 for the arrow key that goes on in reading direction, -1 for the one that goes back, 0 for every other key. */
export function along(key: string, where: Element): -1 | 0 | 1 {
  if (key !== "ArrowRight" && key !== "ArrowLeft") return 0;
  return (key === "ArrowRight") === (getComputedStyle(where).direction !== "rtl") ? 1 : -1;
}

/** How far one stop lies from another in the direction of an arrow key; null if it does not lie there. */
function distance(key: string, from: DOMRect, to: DOMRect): number | null {
  const [dx, dy] = [to.x + to.width / 2 - from.x - from.width / 2, to.y + to.height / 2 - from.y - from.height / 2];
  const isBelow = to.top >= from.bottom;
  const isAbove = to.bottom <= from.top;
  if (key === "ArrowDown" || key === "ArrowUp")
    return (key === "ArrowDown" ? isBelow : isAbove) ? Math.abs(dy) * 100 + Math.abs(dx) : null;
  if (isBelow || isAbove) return null;
  const ahead = key === "ArrowRight" ? dx : -dx;
  return ahead > 0 ? ahead : null;
}

function stopAfter(key: string, stops: readonly HTMLElement[], current: HTMLElement): HTMLElement | undefined {
  if (key === "Home") return stops[0];
  if (key === "End") return stops.at(-1);
  if (!key.startsWith("Arrow")) return undefined;
  const from = current.getBoundingClientRect();
  const there = stops
    .map((stop) => ({ stop, far: distance(key, from, stop.getBoundingClientRect()) }))
    .filter(({ far }) => far !== null);
  if (there.length > 0) return there.reduce((one, two) => (two.far! < one.far! ? two : one)).stop;
  // Past the end of a row the next one begins, and the other way around.
  const step = along(key, current);
  return step ? stops[stops.indexOf(current) + step] : undefined;
}

/** A ref that makes the buttons and links of an element one Tab stop, among which the arrow keys move. */
export function arrowKeys(root: HTMLElement | null): (() => void) | undefined {
  if (!root) return undefined;
  let current: HTMLElement | undefined;
  const stopsNow = () => [...root.querySelectorAll<HTMLElement>(STOPS)];
  const mark = () => {
    const stops = stopsNow();
    if (!current || !stops.includes(current)) current = stops[0];
    for (const stop of stops) stop.tabIndex = stop === current ? 0 : -1;
  };
  const onFocus = ({ target }: FocusEvent) => {
    current = (target as HTMLElement).closest<HTMLElement>(STOPS) ?? current;
    mark();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !current) return;
    const next = stopAfter(event.key, stopsNow(), current);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  mark();
  const observer = new MutationObserver(mark);
  observer.observe(root, { childList: true, subtree: true });
  root.addEventListener("focusin", onFocus);
  root.addEventListener("keydown", onKey);
  return () => {
    observer.disconnect();
    root.removeEventListener("focusin", onFocus);
    root.removeEventListener("keydown", onKey);
  };
}
