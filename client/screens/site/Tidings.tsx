import { BellRing, X } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { KeptRounds } from "#client/components/KeptRounds.tsx";
import { bus } from "#client/api/bus.ts";
import { pushSupport } from "#client/api/push.ts";
import { readStored, writeStored } from "#client/storage/local-storage.ts";
import { useText } from "#client/text/use-text.ts";

/** How long a settled round is told; it stays in the list of bets. */
const SHOWN_MS = 10_000;
/** What shows that a member waits for something: a bet or a withdrawal. */
const WAITED_FOR = new Set(["stake", "withdraw"]);

interface Settled {
  key: string;
  expect: string;
}

/** What happens elsewhere in the app, told on every screen: a settled round, and once the offer of notifications. */
export default function Tidings() {
  const text = useText();
  const [settled, forget] = useSettled();
  const [isOffered, answer] = useOffer();
  if (settled)
    return (
      <Banner close={text("action.close")} onClose={forget} to="/GameRecord" go={text("push.see")}>
        <KeptRounds text={text("push.settled", { round: settled.expect })} />
      </Banner>
    );
  if (!isOffered) return null;
  return (
    <Banner close={text("push.later")} onClose={answer} to="/Setting" go={text("push.choose")}>
      {text("push.offer")}
    </Banner>
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
    <div role="status" className="in-frame pointer-events-none fixed inset-x-0 bottom-20 z-20 px-4">
      <div className="pointer-events-auto flex items-start gap-3 rounded-lg border border-line bg-card py-2 ps-4 pe-1 text-sm shadow-sheet">
        <BellRing size={20} aria-hidden className="mt-3 shrink-0 text-brand-text" />
        <div className="min-w-0 flex-1 py-2.5">
          <p className="wrap-anywhere">{children}</p>
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
    </div>
  );
}

/** The round with bets of the member's that was settled last, unless its table or the list of bets is on the screen. */
function useSettled(): [Settled | null, () => void] {
  const { pathname, search } = useLocation();
  const [settled, show] = useState<Settled | null>(null);
  const isThere = ({ key }: Settled) =>
    pathname === "/GameRecord" || (pathname === "/Lottery" && new URLSearchParams(search).get("key") === key);
  useEffect(() => {
    const onSettled = ({ key, expect }: Settled) => show({ key, expect });
    // Whoever watches a game, as on the home screen, hears of it with the result.
    const onResult = (result: Settled & { mine?: object }) => result.mine && onSettled(result);
    bus.on("settled", onSettled);
    bus.on("result", onResult);
    return () => {
      bus.off("settled", onSettled);
      bus.off("result", onResult);
    };
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => show(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [settled]);
  return [settled && !isThere(settled) ? settled : null, () => show(null)];
}

/** Whether notifications are offered: once, after a bet or a withdrawal, where the browser has not been asked yet. */
function useOffer(): [boolean, () => void] {
  const [isOffered, offer] = useState(false);
  useEffect(() => {
    const onBalance = ({ type }: { type: string }) => {
      const mayAsk = pushSupport() === "yes" && Notification.permission === "default";
      if (WAITED_FOR.has(type) && mayAsk && readStored("pushOffer") === null) offer(true);
    };
    bus.on("balance", onBalance);
    return () => bus.off("balance", onBalance);
  }, []);
  const answer = () => {
    writeStored("pushOffer", "answered");
    offer(false);
  };
  return [isOffered, answer];
}
