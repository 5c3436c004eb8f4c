import { BellRing, X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { KeptRounds } from "#client/components/KeptRounds.tsx";
import { bus } from "#client/api/bus.ts";
import { pushSupport } from "#client/api/push.ts";
import { readStored, writeStored } from "#client/storage/local-storage.ts";
import { useText } from "#client/text/use-text.ts";
import type { Outcome, Result } from "#shared/contract/events.ts";
import { resultPath } from "#shared/result-path.ts";

/** How long a settled round is told; it stays in the list of bets. */
const SHOWN_MS = 10_000;

interface Settled {
  key: string;
  expect: string;
  bets: readonly string[];
}

/** What happens elsewhere in the app, told on every screen: a settled round, and once the offer of notifications. */
export default function Tidings() {
  const text = useText();
  const [settled, forget] = useSettled();
  const [isOffered, answer] = useOffer();
  if (settled)
    return (
      <BelowBar>
        <Banner
          close={text("action.close")}
          onClose={forget}
          to={resultPath(settled.key, settled.bets)}
          go={text("push.see")}
        >
          <KeptRounds text={text("push.settled", { round: settled.expect })} />
        </Banner>
      </BelowBar>
    );
  if (!isOffered) return null;
  return (
    <AboveEnd>
      <Banner close={text("push.later")} onClose={answer} to="/Setting" go={text("push.choose")}>
        {text("push.offer")}
      </Banner>
    </AboveEnd>
  );
}

const LAYER = "in-frame pointer-events-none fixed inset-x-0 px-4";

/** Hangs from the screen's bar, where no cart opens: in landscape that is beside the table. */
function BelowBar({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={`${LAYER} top-[calc(var(--bar-end,0px)+0.5rem)] z-30 landscape-phone:pe-[22rem]`}>
      {children}
    </div>
  );
}

/** What lies free between it and the content's end, in pixels. */
const FREE = 12;

/** Lies over the screen's end, which becomes so much longer that all of it can be scrolled from below. */
function AboveEnd({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const tell = () => {
      const { top } = ref.current!.getBoundingClientRect();
      style.setProperty("--told-end", `${window.innerHeight - top + FREE}px`);
    };
    const sizes = new ResizeObserver(tell);
    sizes.observe(ref.current!);
    return () => {
      sizes.disconnect();
      style.removeProperty("--told-end");
    };
  }, []);
  return (
    <div ref={ref} role="status" className={`${LAYER} bottom-20 z-20`}>
      {children}
    </div>
  );
}

interface BannerProps {
  children: ReactNode;
  /** Where it leads, and what that is called. */
  to: string;
  go: string;
  close: string;
  onClose: () => void;
}

function Banner({ children, to, go, close, onClose }: BannerProps) {
  return (
    <div className="pointer-events-auto flex items-start gap-3 rounded-lg border border-line bg-card py-1 ps-4 pe-1 text-sm shadow-sheet">
      <BellRing size={20} aria-hidden className="mt-3 shrink-0 text-brand-text" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <p className="py-1 wrap-anywhere">{children}</p>
        <Link
          to={to}
          onClick={onClose}
          className="inline-flex min-h-11 items-center font-semibold text-brand-text underline underline-offset-4"
        >
          {go}
        </Link>
      </div>
      <button type="button" aria-label={close} onClick={onClose} className="grid size-11 shrink-0 place-items-center">
        <X size={20} aria-hidden />
      </button>
    </div>
  );
}

/** The round with bets of the member's that was settled last, unless its table or the list of bets is on the screen. */
function useSettled(): [Settled | null, () => void] {
  const { pathname, search } = useLocation();
  const [settled, show] = useState<Settled | null>(null);
  const isThere = ({ key }: Settled) =>
    pathname === "/GameRecord" || (pathname === "/Lottery" && new URLSearchParams(search).get("key") === key);
  useEffect(() => onOwnResult(show), []);
  const isSeen = settled !== null && isThere(settled);
  useEffect(() => {
    if (isSeen) show(null);
  }, [isSeen]);
  useEffect(() => {
    const timer = setTimeout(() => show(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [settled]);
  return [isSeen ? null : settled, () => show(null)];
}

/** Calls back with each settled round that has bets of the member's. Returns a function that stops it. */
function onOwnResult(tell: (settled: Settled) => void): () => void {
  const onSettled = ({ key, expect, orders }: Pick<Result, "key" | "expect"> & Outcome) =>
    tell({ key, expect, bets: orders.map(({ id }) => id) });
  // Whoever watches a game, as on the home screen, hears of it with the result.
  const onResult = ({ key, expect, mine }: Result) => mine && onSettled({ key, expect, ...mine });
  bus.on("settled", onSettled);
  bus.on("result", onResult);
  return () => {
    bus.off("settled", onSettled);
    bus.off("result", onResult);
  };
}

/**
 * Whether notifications are offered: once, after the first result or a withdrawal, where the browser has not been asked
 * yet. It waits while a table is on the screen.
 */
function useOffer(): [boolean, () => void] {
  const { pathname } = useLocation();
  const [isOffered, offer] = useState(false);
  useEffect(() => {
    const wish = () => {
      const mayAsk = pushSupport() === "yes" && Notification.permission === "default";
      if (mayAsk && readStored("pushOffer") === null) offer(true);
    };
    const onBalance = ({ type }: { type: string }) => type === "withdraw" && wish();
    const stop = onOwnResult(wish);
    bus.on("balance", onBalance);
    return () => {
      stop();
      bus.off("balance", onBalance);
    };
  }, []);
  const answer = () => {
    writeStored("pushOffer", "answered");
    offer(false);
  };
  return [isOffered && pathname !== "/Lottery", answer];
}
