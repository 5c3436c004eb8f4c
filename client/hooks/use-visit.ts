import { useEffect, useState } from "react";
import { call } from "#client/api/call.ts";
import { personalReport } from "#shared/contract/wallet.ts";
import { fromDecimal, toDecimal, type Money } from "#shared/money.ts";
import { MINUTE_MS } from "#shared/time.ts";

const NAME = "visit";

/** When this visit began, when it was last spoken of, and the member's net win at its beginning. */
interface Visit {
  since: number;
  toldAt: number;
  net: Money;
}

export interface VisitNews {
  minutes: number;
  /** Wins less stakes since the visit began, as on the wire. */
  net: string;
}

/** Speaks up each time so many minutes of a visit have passed; a reload goes on with the same visit. */
export function useVisit(everyMinutes: number | null): { news: VisitNews | null; dismiss: () => void } {
  const [news, tell] = useState<VisitNews | null>(null);
  useEffect(() => {
    if (everyMinutes === null || news) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begun = beginVisit().then((visit) => {
      const wait = Math.max(0, visit.toldAt + everyMinutes * MINUTE_MS - Date.now());
      timer = setTimeout(() => void speak(visit).then(tell), wait);
    });
    void begun.catch(() => undefined);
    return () => {
      void begun.then(() => clearTimeout(timer));
    };
  }, [everyMinutes, news]);
  return { news, dismiss: () => tell(null) };
}

async function beginVisit(): Promise<Visit> {
  const known = sessionStorage.getItem(NAME);
  if (known) return JSON.parse(known) as Visit;
  const now = Date.now();
  return keep({ since: now, toldAt: now, net: await netNow() });
}

async function speak(visit: Visit): Promise<VisitNews> {
  // Without a line the minutes are said all the same.
  const net = await netNow().catch(() => visit.net);
  keep({ ...visit, toldAt: Date.now() });
  return { minutes: Math.round((Date.now() - visit.since) / MINUTE_MS), net: toDecimal(net - visit.net) };
}

function keep(visit: Visit): Visit {
  sessionStorage.setItem(NAME, JSON.stringify(visit));
  return visit;
}

async function netNow(): Promise<Money> {
  const { win_money, play_money } = await call(personalReport);
  return fromDecimal(win_money) - fromDecimal(play_money);
}
