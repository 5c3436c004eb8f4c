import { ChevronDown, ChevronUp, Timer } from "lucide-react";
import { Link } from "react-router";
import { Button } from "#client/components/Button.tsx";
import type { BettingActor, BettingSnapshot } from "./use-betting-round.ts";
import { useBalance, useMoney, useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { problemOf, totalOf, type Cart } from "#client/machines/cart.ts";
import { mostPaid, payingOfCart } from "#client/machines/own-round.ts";
import { MINOR_PER_UNIT } from "#shared/money.ts";
import { POINTS, stepOf } from "#shared/unit.ts";
import { ChosenOptions } from "./ChosenOptions.tsx";
import type { OddsItem } from "./odds-item.ts";
import { StakeField } from "./StakeField.tsx";
import { clockText } from "#client/components/CountdownRing.tsx";
import { useCountdown } from "#client/hooks/use-countdown.ts";

interface Props {
  actor: BettingActor;
  snapshot: BettingSnapshot;
  odds: readonly OddsItem[];
  kind: string;
  /** Nobody takes a bet now, whatever it is. */
  isBlocked: boolean;
}

/** The cart: slides up with the first choice, and can be collapsed. */
export function CartPanel(props: Props) {
  const text = useText();
  const { actor, snapshot, isBlocked } = props;
  const { cart, isPanelOpen, last } = snapshot.context;
  const isEmpty = cart.options.length === 0;
  if (isEmpty && (!last || isBlocked)) return null;
  return (
    <section
      aria-label={text("cart.title")}
      className="fixed inset-x-0 bottom-0 z-30 transition duration-200 starting:translate-y-full"
    >
      <div className="in-frame rounded-t-lg border-t border-line bg-card px-4 pb-[calc(env(safe-area-inset-bottom)+4px)] shadow-sheet">
        {isEmpty ? (
          <RepeatButton last={last!} onRepeat={() => actor.send({ type: "repeat" })} />
        ) : (
          <PanelHandle snapshot={snapshot} onToggle={(open) => actor.send({ type: "panel", open })} />
        )}
        {!isEmpty && isPanelOpen && <Inside {...props} />}
      </div>
    </section>
  );
}

/** Puts the last bet into the cart again. It is placed from there. */
function RepeatButton({ last, onRepeat }: { last: Cart; onRepeat: () => void }) {
  const text = useText();
  const money = useMoney();
  return (
    <button
      type="button"
      onClick={onRepeat}
      className="flex min-h-12 w-full flex-wrap items-center justify-between gap-x-3 text-start"
    >
      <span className="text-base/tight font-semibold">{text("cart.repeat")}</span>
      <span className="figures text-sm text-muted">
        {text("cart.chosen", { count: last.options.length })} · {money(totalOf(last))}
      </span>
    </button>
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

function Inside(props: Props) {
  const text = useText();
  const { actor, snapshot, odds } = props;
  const { cart } = snapshot.context;
  const balance = useBalance();
  const isShort = balance !== null && problemOf(cart, balance) === "insufficient";
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
      <StakeField
        stake={cart.stake}
        isLocked={!isIdle}
        most={balance === null ? null : Math.floor(balance / MINOR_PER_UNIT / cart.options.length)}
        error={isShort ? <Short /> : null}
        onStake={(typed) => actor.send({ type: "stake", typed })}
      />
      <CarriedNote snapshot={snapshot} />
      {snapshot.matches({ bet: "unsure" }) && (
        <p role="status" className="text-sm text-amber">
          {text("cart.unsure")}
        </p>
      )}
      <PlaceRow {...props} />
      <Foot isLocked={!isIdle} onClear={() => actor.send({ type: "clear" })} />
    </form>
  );
}

function Foot({ isLocked, onClear }: { isLocked: boolean; onClear: () => void }) {
  const text = useText();
  return (
    <div className="flex justify-between text-sm">
      <Link to="/Limits" className="flex min-h-11 items-center text-brand-text underline-offset-4 hover:underline">
        {text("cart.limits")}
      </Link>
      <button
        type="button"
        disabled={isLocked}
        onClick={onClear}
        className="-me-2 min-h-11 px-2 text-muted underline-offset-4 hover:underline disabled:opacity-55"
      >
        {text("cart.clear")}
      </button>
    </div>
  );
}

/** The balance is too small for the cart; a top-up leads back to it. */
function Short() {
  const text = useText();
  return (
    <>
      {text("cart.insufficient")}
      <Link to="/Recharge" className="flex min-h-11 items-center font-semibold underline underline-offset-4">
        {text("mine.recharge")}
      </Link>
    </>
  );
}

/** The cart was not placed in time, and which round it is for now. */
function CarriedNote({ snapshot }: { snapshot: BettingSnapshot }) {
  const text = useText();
  const { carried, round } = snapshot.context;
  const isCarried = carried !== null && round?.expect != null && round.expect !== carried;
  return (
    <p role="status" className="figures text-sm text-amber empty:hidden">
      {isCarried && text("cart.carried", { old: carried, round: round.expect! })}
    </p>
  );
}

function PlaceRow({ actor, snapshot, odds, kind, isBlocked }: Props) {
  const text = useText();
  const money = useMoney();
  const balance = useBalance();
  const step = stepOf(useSite().data?.unit ?? POINTS);
  const { cart } = snapshot.context;
  const most = mostPaid(kind, payingOfCart(cart, odds, step));
  const isIdle = snapshot.matches({ bet: "idle" });
  const isOpen = snapshot.matches({ round: "open" });
  const isRefused = isBlocked || !isOpen || (balance !== null && problemOf(cart, balance) !== null);
  return (
    <div className="flex items-center justify-between gap-4">
      <p className="flex min-w-0 flex-col text-sm text-muted">
        {text("cart.total")}
        <span className="figures text-lg font-semibold text-ink">{money(totalOf(cart))}</span>
        {most !== null && (
          <span className="figures">
            {text("own.most")} {money(most)}
          </span>
        )}
      </p>
      <Button
        type="submit"
        className="min-w-36"
        disabled={isIdle && isRefused}
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
