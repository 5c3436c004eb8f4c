import { prefersStill } from "#client/app/motion.ts";

/** Scrolls an element into view, no further than needed, and instantly if reduced motion is preferred. */
export const scrollIntoView = (element: Element | null | undefined): void =>
  element?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: prefersStill() ? "instant" : "smooth" });
