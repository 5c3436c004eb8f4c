import { ChevronDown, ChevronUp, Timer } from "lucide-react";
import { Link } from "react-router";
import { Button } from "#client/components/Button.tsx";
import type { BettingActor, BettingSnapshot } from "./use-betting-round.ts";
import { useBalance, useIsUnlicensed, useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { totalOf } from "#client/machines/cart.ts";
import { ChosenOptions } from "./ChosenOptions.tsx";
import type { OddsItem } from "./odds-item.ts";
import { StakeField } from "./StakeField.tsx";
import { clockText } from "#client/components/CountdownRing.tsx";
import { useCountdown } from "#client/hooks/use-countdown.ts";

interface Props {
  actor: BettingActor;
  snapshot: BettingSnapshot;
  odds: readonly OddsItem[];
}

/** The cart: slides up with the first choice, and can be collapsed. */
export function CartPanel({ actor, snapshot, odds }: Props) {
  const text = useText();
  const { cart, isPanelOpen } = snapshot.context;
  if (cart.options.length === 0) return null;
  return (
    <section
      aria-label={text("cart.title")}
      className="fixed inset-x-0 bottom-0 z-30 transition duration-200 starting:translate-y-full"
    >
      <div className="in-frame rounded-t-lg border-t border-line bg-card px-4 pb-[calc(env(safe-area-inset-bottom)+4px)] shadow-sheet">
        <PanelHandle snapshot={snapshot} onToggle={(open) => actor.send({ type: "panel", open })} />
        {isPanelOpen && <Inside actor={actor} snapshot={snapshot} odds={odds} />}
      </div>
    </section>
  );
}

function PanelHandle({ snapshot, onToggle }: Pick<Props, "snapshot"> & { onToggle: (open: boolean) => void }) {
  const text = useText();
  const { cart, isPanelOpen: isOpen } = snapshot.context;
  const Icon = isOpen ? ChevronDown : ChevronUp;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => onToggle(!isOpen)}
      className="flex min-h-12 w-full flex-wrap items-center gap-x-3 text-start"
    >
      <span className="min-w-fit flex-1 text-base/tight font-semibold">
        {isOpen ? text("cart.title") : text("cart.open")}
      </span>
      <TimeLeft snapshot={snapshot} />
      <span className="flex items-center gap-1 text-sm text-muted">
        {text("cart.chosen", { count: cart.options.length })}
        <Icon size={20} aria-hidden />
      </span>
    </button>
  );
}

function Inside({ actor, snapshot, odds }: Props) {
  const text = useText();
  const { cart } = snapshot.context;
  const isIdle = snapshot.matches({ bet: "idle" });
  return (
    <form
      onSubmit={(event) => event.preventDefault()}
      className="-mx-4 flex max-h-[60dvh] flex-col gap-2 overflow-y-auto px-4 pt-1"
    >
      <ChosenOptions
        chosen={cart.options}
        odds={odds}
        isLocked={!isIdle}
        onToggle={(option) => actor.send({ type: "toggle", option })}
      />
      <StakeField stake={cart.stake} isLocked={!isIdle} onStake={(typed) => actor.send({ type: "stake", typed })} />
      {snapshot.matches({ bet: "unsure" }) && (
        <p role="status" className="text-sm text-amber">
          {text("cart.unsure")}
        </p>
      )}
      <PlaceRow actor={actor} snapshot={snapshot} />
      <div className="flex justify-between text-sm">
        <Link to="/Limits" className="flex min-h-11 items-center text-brand-text underline-offset-4 hover:underline">
          {text("cart.limits")}
        </Link>
        <button
          type="button"
          disabled={!isIdle}
          onClick={() => actor.send({ type: "clear" })}
          className="-me-2 min-h-11 px-2 text-muted underline-offset-4 hover:underline disabled:opacity-55"
        >
          {text("cart.clear")}
        </button>
      </div>
    </form>
  );
}

function PlaceRow({ actor, snapshot }: Omit<Props, "odds">) {
  const text = useText();
  const money = useMoney();
  const balance = useBalance();
  const isUnlicensed = useIsUnlicensed();
  const total = totalOf(snapshot.context.cart);
  const isIdle = snapshot.matches({ bet: "idle" });
  return (
    <div className="flex items-center justify-between gap-4">
      <p className="flex min-w-0 flex-col text-sm text-muted">
        {text("cart.total")}
        <span
          className={`figures text-lg font-semibold ${balance !== null && total > balance ? "text-bad" : "text-ink"}`}
        >
          {money(total)}
        </span>
      </p>
      <Button
        type="submit"
        className="min-w-36"
        disabled={isUnlicensed}
        isBusy={!isIdle || balance === null}
        onClick={() => balance !== null && actor.send({ type: "place", balance })}
      >
        {isIdle ? text("cart.place") : text("cart.placing")}
      </Button>
    </div>
  );
}

/** In the last seconds the time is amber, as on the ring. */
const LATE_S = 10;

/** The betting countdown, beside the cart. Screen readers get it from the ring. */
function TimeLeft({ snapshot }: { snapshot: BettingSnapshot }) {
  const isOpen = snapshot.matches({ round: "open" });
  const seconds = useCountdown(isOpen ? (snapshot.context.round?.closeMs ?? null) : null);
  if (!isOpen) return null;
  return (
    <span
      aria-hidden
      className={`figures flex items-center gap-1 text-sm ${seconds <= LATE_S ? "font-semibold text-amber" : "text-muted"}`}
    >
      <Timer size={16} />
      {clockText(seconds)}
    </span>
  );
}
