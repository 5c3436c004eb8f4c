import type { Browser, Page } from "playwright-core";

declare global {
  interface Window {
    /** How many results the page has told its worker. */
    watchedResults: number;
  }
}

const BEGIN = "watch begins";
const END = "watch ends";
const ROUND = "watch round";

/** Runs in the page before its own scripts: marks where it works for its worker, and each round's result. */
function markWork({ begin, end, round }: { begin: string; end: string; round: string }): void {
  window.watchedResults = 0;
  let depth = 0;
  const marked = <A extends unknown[]>(work: (...args: A) => unknown) =>
    function (this: unknown, ...args: A) {
      if (depth++ === 0) performance.mark(begin);
      try {
        return work.apply(this, args);
      } finally {
        if (--depth === 0) performance.mark(end);
      }
    };
  const { postMessage, addEventListener } = Worker.prototype;
  Worker.prototype.postMessage = marked(function (this: Worker, said: { event?: { type: string } }) {
    postMessage.call(this, said);
    if (said.event?.type !== "result") return;
    performance.mark(round);
    window.watchedResults++;
  }) as typeof postMessage;
  Worker.prototype.addEventListener = function (this: Worker, type: string, listener: (event: Event) => void) {
    addEventListener.call(this, type, marked(listener));
  } as typeof addEventListener;
}

export const markPage = (page: Page): Promise<unknown> =>
  page.addInitScript(markWork, { begin: BEGIN, end: END, round: ROUND });

export const beginTrace = (browser: Browser, page: Page): Promise<void> =>
  browser.startTracing(page, { categories: ["blink.user_timing"] });

interface TraceEvent {
  name: string;
  /** The thread's own time so far, in µs: only what the processor spent on it. */
  tts?: number;
  ts: number;
}

/** What each round cost the page's thread, in ms of its own time. */
export async function endTrace(browser: Browser): Promise<number[]> {
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const costs = [0];
  let begun = 0;
  for (const { name, tts } of traceEvents.toSorted((a, b) => a.ts - b.ts)) {
    if (name === BEGIN) begun = tts!;
    if (name === END) costs[costs.length - 1]! += (tts! - begun) / 1_000;
    if (name === ROUND) costs.push(0);
  }
  // The first one holds the start, and the last one is not over.
  return costs.slice(1, -1);
}
