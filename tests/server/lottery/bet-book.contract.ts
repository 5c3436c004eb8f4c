import { describe } from "vitest";
import { describeBreaking } from "./bet-book-breaking.contract.ts";
import { describeRefusing } from "./bet-book-refusing.contract.ts";
import { describeSettling } from "./bet-book-settling.contract.ts";
import { describeTaking } from "./bet-book-taking.contract.ts";
import { describeWide } from "./bet-book-wide.contract.ts";
import type { BookWorld } from "./book-world.ts";

/** What every engine's bet book promises. An engine passes by opening its world here. */
export function describeBetBook(name: string, open: () => Promise<BookWorld>): void {
  const parts = {
    "takes bets": describeTaking,
    "keeps wide masks": describeWide,
    "refuses bets": describeRefusing,
    "settles rounds": describeSettling,
    "survives what breaks off": describeBreaking,
  };
  describe.each(Object.entries(parts))(`the bet book on ${name} %s`, (_, describePart) => {
    describePart(open);
  });
}
