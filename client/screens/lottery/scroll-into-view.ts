/** Scrolls an element into view, no further than needed, and instantly if reduced motion is preferred. */
export function scrollIntoView(element: Element | null | undefined): void {
  const prefersStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  element?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: prefersStill ? "instant" : "smooth" });
}
