import { useEffect, useState } from "react";
import { call } from "#client/api/call.ts";
import { readTabOfSession, sessionMark, writeTabOfSession } from "#client/storage/tab-storage.ts";
import { useLocalStorage } from "#client/storage/use-local-storage.ts";
import { personalReport } from "#shared/contract/wallet.ts";
import { fromDecimal, toDecimal, type Money } from "#shared/money.ts";
import { MINUTE_MS } from "#shared/time.ts";

const NAME = "seen";

/** For how long the page was seen in this visit, how long that was at the last reminder, and the first known net win. Times in ms. */
interface Visit {
  seen: number;
  remindedAt: number;
  net: Money | null;
}

const NO_VISIT: Visit = { seen: 0, remindedAt: 0, net: null };

interface VisitReminder {
  minutes: number;
  /** Wins minus stakes since the visit began, as on the wire. */
  net: string;
}

/**
 * Reports a reminder each time the page was seen for so many minutes: in the background, or while the device sleeps, nobody
 * is here. A reload continues the visit.
 */
export function useVisit(everyMinutes: number | null): { reminder: VisitReminder | null; dismiss: () => void } {
  const [reminder, setReminder] = useState<VisitReminder | null>(null);
  const token = useLocalStorage("token");
  useEffect(() => {
    if (everyMinutes === null || token === null) return undefined;
    return remindEvery(everyMinutes * MINUTE_MS, setReminder);
  }, [everyMinutes, token]);
  return { reminder, dismiss: () => setReminder(null) };
}

/** Counts the visit of whoever is logged in, and reminds of it. Returns a function that stops this. */
function remindEvery(everyMs: number, remind: (reminder: VisitReminder) => void): () => void {
  const mark = sessionMark();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Up to when it is counted, while the page is seen. */
  let countedTo: number | null = null;
  let isOver = false;

  const keep = (change: (visit: Visit) => Partial<Visit>): Visit => {
    const known = readTabOfSession<Visit>(NAME) ?? NO_VISIT;
    const visit = { ...known, ...change(known) };
    // Somebody else may have logged in meanwhile.
    if (sessionMark() === mark) writeTabOfSession(NAME, visit);
    return visit;
  };
  const count = ({ seen, remindedAt }: Visit): Partial<Visit> => {
    const now = performance.now();
    const passed = countedTo === null ? 0 : now - countedTo;
    countedTo = document.hidden ? null : now;
    // Where more passed than until the next reminder, the device slept.
    return { seen: Math.min(seen + passed, Math.max(seen, remindedAt + everyMs)) };
  };
  const goOn = () => {
    clearTimeout(timer);
    const { seen, remindedAt } = keep(count);
    if (!document.hidden) timer = setTimeout(() => void tell(), Math.max(0, remindedAt + everyMs - seen));
  };
  const tell = async () => {
    keep(count);
    const { seen } = keep((visit) => ({ remindedAt: visit.seen }));
    goOn();
    const now = await netNow();
    const { net } = keep((visit) => ({ net: visit.net ?? now }));
    if (!isOver) remind({ minutes: Math.round(seen / MINUTE_MS), net: toDecimal((now ?? net ?? 0) - (net ?? 0)) });
  };

  goOn();
  void netNow().then((now) => keep((visit) => ({ net: visit.net ?? now })));
  document.addEventListener("visibilitychange", goOn);
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", goOn);
    keep(count);
    clearTimeout(timer);
  };
}

/** Null while offline: the reminder still shows the minutes. */
async function netNow(): Promise<Money | null> {
  try {
    const { win_money, play_money } = await call(personalReport);
    return fromDecimal(win_money) - fromDecimal(play_money);
  } catch {
    return null;
  }
}
