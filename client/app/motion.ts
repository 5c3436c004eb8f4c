/** Whether the reader asked for less motion. */
export const prefersStill = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
