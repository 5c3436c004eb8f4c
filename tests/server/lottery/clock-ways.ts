import type { World } from "../../support/world.ts";

/** Sets the clock by so much, as it happens to a server. */
export type SetClock = (w: World, ms: number) => Promise<void>;

/** The clock is set while the server runs, or while it is down. */
export const WAYS: [string, SetClock][] = [
  [
    "while it runs",
    async (w, ms) => {
      w.jump(ms);
      await w.settle();
    },
  ],
  [
    "while it is down",
    async (w, ms) => {
      w.jump(ms);
      await w.restart();
      await w.settle();
    },
  ],
];

export const no = (number: number, day = "20260302") => `${day}-${String(number).padStart(4, "0")}`;
export const gap = (from: string, to: string, reason: string) => ({ gap_from: from, gap_to: to, reason });

/** How often the log says so. */
export const said = ({ logged }: World, text: string): number => logged.filter((line) => line.includes(text)).length;
