import { useEffect, useState } from "react";
import { call } from "#client/api/call.ts";
import { writeTabOfSession, readTabOfSession } from "#client/storage/tab-storage.ts";
import { personalReport } from "#shared/contract/wallet.ts";
import { fromDecimal, toDecimal, type Money } from "#shared/money.ts";
import { MINUTE_MS } from "#shared/time.ts";

const NAME = "visit";

/** When this visit began, when it last had a reminder, and the first known net win. Times in ms. */
interface Visit {
  since: number;
  remindedAt: number;
  net: Money | null;
}

interface VisitReminder {
  minutes: number;
  /** Wins minus stakes since the visit began, as on the wire. */
  net: string;
}

/** Reports a reminder each time so many minutes of a visit have passed. A reload continues the visit. */
export function useVisit(everyMinutes: number | null): { reminder: VisitReminder | null; dismiss: () => void } {
  const [reminder, setReminder] = useState<VisitReminder | null>(null);
  useEffect(() => {
    if (everyMinutes === null || reminder) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begun = beginVisit().then((visit) => {
      const wait = Math.max(0, visit.remindedAt + everyMinutes * MINUTE_MS - Date.now());
      timer = setTimeout(() => void nextReminder(visit).then(setReminder), wait);
    });
    return () => {
      void begun.then(() => clearTimeout(timer));
    };
  }, [everyMinutes, reminder]);
  return { reminder, dismiss: () => setReminder(null) };
}

async function beginVisit(): Promise<Visit> {
  const known = readTabOfSession<Visit>(NAME);
  if (known) return known;
  const now = Date.now();
  return store({ since: now, remindedAt: now, net: await netNow() });
}

async function nextReminder(visit: Visit): Promise<VisitReminder> {
  const now = await netNow();
  const net = visit.net ?? now;
  store({ ...visit, net, remindedAt: Date.now() });
  return {
    minutes: Math.round((Date.now() - visit.since) / MINUTE_MS),
    net: toDecimal((now ?? net ?? 0) - (net ?? 0)),
  };
}

function store(visit: Visit): Visit {
  writeTabOfSession(NAME, visit);
  return visit;
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
