/** Scrolls to an element, no further than needed, and at once where motion is not wanted. */
export function scrollIntoView(element: Element | null | undefined): void {
  const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  element?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: isCalm ? "instant" : "smooth" });
}
