import { useEffect, useState } from "react";
import { isOnLayer } from "#client/app/layers.ts";
import type { OwnRound } from "#client/machines/own-round.ts";
import { readTabOfSession, writeTabOfSession } from "#client/storage/tab-storage.ts";
import type { BettingSnapshot } from "./use-betting-round.ts";
import type { OwnTable } from "./use-own-rounds.ts";

/** How a result stands at the table: open, offered in one row, or put away by the member. */
type Look = "open" | "offered" | "closed";

interface Choice {
  expect: string;
  look: Look;
}

export interface OwnResult {
  own: OwnRound;
  look: Look;
  show: (look: Look) => void;
}

const nameOf = (key: string) => `result ${key}`;

/**
 * What the last draw brought the member; null where they had no bet on it. It opens as its dice come to lie. Where a
 * cart or a sheet is open then, where one is begun later, and after a reload, it is offered instead.
 */
export function useOwnResult({ context: { result, cart } }: BettingSnapshot, own: OwnTable): OwnResult | null {
  const { rounds, last } = own;
  const mine = rounds?.find(({ expect, win }) => win !== null && expect === last?.expect);
  const { key = "", expect = null } = mine ?? {};
  const [choice, choose] = useState<Choice | null>(null);
  const isPreparing = cart.options.length > 0;
  const hasComeNow = expect !== null && expect === result?.expect;
  useEffect(() => {
    if (expect === null) return;
    choose((known) => {
      if (known?.expect === expect) return isPreparing && known.look === "open" ? { expect, look: "offered" } : known;
      const isFree = hasComeNow && !isPreparing && !isOnLayer();
      return { expect, look: wasClosed(key, expect) ? "closed" : isFree ? "open" : "offered" };
    });
  }, [key, expect, hasComeNow, isPreparing]);
  if (!mine || choice?.expect !== expect) return null;
  const show = (look: Look) => {
    choose({ expect: mine.expect, look });
    if (look === "closed") writeTabOfSession(nameOf(key), mine.expect);
  };
  return { own: mine, look: choice.look, show };
}

const wasClosed = (key: string, expect: string): boolean => readTabOfSession<string>(nameOf(key)) === expect;
