import { ChevronDown, ChevronUp, Timer, Trash2, Undo2 } from "lucide-react";
import { useDeferredValue, useEffect, type ReactNode } from "react";
import { Link } from "react-router";
import { useLayer } from "#client/app/layers.ts";
import { Button } from "#client/components/Button.tsx";
import { useDragDown } from "#client/components/Grabber.tsx";
import { useRefusedStake, type BettingActor, type BettingSnapshot } from "./use-betting-round.ts";
import { useBalance, useFormatMoney, useMoney, useSite } from "#client/hooks/use-site.ts";
import { followedBy } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { problemOf, totalOf, type Cart } from "#client/machines/cart.ts";
import { lastCartOf, mostPaid, payingOfCart } from "#client/machines/own-round.ts";
import { DIVIDER } from "#shared/format.ts";
import { MINOR_PER_UNIT, type Money } from "#shared/money.ts";
import { POINTS, stepOf } from "#shared/unit.ts";
import { tightestOf, useLimits } from "#client/screens/wallet/use-limits.ts";
import { focusBoard, useWaysOn, type Note } from "./BoardNote.tsx";
import { Blocked, Broke, CarriedNote } from "./CartNotes.tsx";
import { ChosenOptions } from "./ChosenOptions.tsx";
import { OwnStakes } from "./OwnStakes.tsx";
import type { OddsItem } from "./odds-item.ts";
import { OfferedResult, ResultPanel } from "./ResultPanel.tsx";
import { useOwnResult, type OwnResult } from "./use-own-result.ts";
import { StakeField } from "./StakeField.tsx";
import type { OwnTable } from "./use-own-rounds.ts";
import { clockText } from "#client/components/CountdownRing.tsx";
import { useCountdown } from "#client/hooks/use-countdown.ts";

interface Props {
  actor: BettingActor;
  snapshot: BettingSnapshot;
  odds: readonly OddsItem[];
  kind: string;
  own: OwnTable;
  /** Why the board takes no bet, if it does not. */
  note: Note | null;
}

/** The cart: slides up with the first choice, and can be collapsed, by Back, too. Unless it is open, what the last draw brought. */
export function CartPanel(props: Props) {
  const text = useText();
  const { actor, snapshot, kind, own, note } = props;
  const isBlocked = note?.isBlocking ?? false;
  const refusedStake = useRefusedStake(actor);
  const { cart, isPanelOpen, undo } = snapshot.context;
  const last = snapshot.context.last ?? lastCartOf(own.rounds);
  const hasOptions = cart.options.length > 0;
  // The first option lights up before the cart is there, which a slow phone takes longer for.
  const isEmpty = !(useDeferredValue(hasOptions) && hasOptions);
  const result = useOwnResult(snapshot, own);
  const isResultShown = result !== null && result.look !== "closed" && (isEmpty || !isPanelOpen);
  const { popup, drag } = useDragDown<HTMLElement>(() => result?.show("closed"));
  useFocusAfter(isEmpty);
  useLayer(!isEmpty && isPanelOpen, () => actor.send({ type: "panel", open: false }));
  const canUndo = undo !== null && undo.cart.options.length > 0;
  const waysOn = useWaysOn();
  const isBroke = isEmpty && waysOn !== null && !isBlocked;
  const canRepeat = isEmpty && (last !== null || canUndo) && !isBlocked && !isBroke;
  if (isEmpty && !canRepeat && !isBroke && !isResultShown) return null;
  return (
    <section
      ref={popup}
      aria-label={text("cart.title")}
      className="fixed inset-x-0 bottom-0 z-30 transition duration-200 landscape-phone:start-auto landscape-phone:max-h-[calc(100dvh-3.25rem)] landscape-phone:w-[21rem] landscape-phone:overflow-y-auto xl:start-auto xl:end-[calc((100%-var(--container-frame))/2)] xl:w-[28rem] starting:translate-y-full"
    >
      <div className="in-frame rounded-t-lg border-t border-line bg-card px-4 pb-[env(safe-area-inset-bottom)] shadow-sheet">
        {isResultShown && <Result kind={kind} result={result} drag={drag} />}
        {isBroke && <Broke ways={waysOn} />}
        {canRepeat && <Again last={last} canUndo={canUndo} actor={actor} />}
        {!isEmpty && <PanelHandle snapshot={snapshot} onToggle={(open) => actor.send({ type: "panel", open })} />}
        {!isEmpty && isPanelOpen ? (
          <Inside {...props} refusedStake={refusedStake} />
        ) : (
          <CarriedNote snapshot={snapshot} />
        )}
      </div>
    </section>
  );
}

type ResultProps = { kind: string; result: OwnResult; drag: ReturnType<typeof useDragDown>["drag"] };

function Result({ kind, result: { own, look, show }, drag }: ResultProps) {
  if (look === "offered") return <OfferedResult own={own} onOpen={() => show("open")} />;
  return <ResultPanel kind={kind} own={own} drag={drag} onClose={() => show("closed")} />;
}

/** What had the focus goes away with the cart: the board gets it, and stays where the finger left it. */
function useFocusAfter(isEmpty: boolean): void {
  useEffect(() => {
    if (isEmpty) return undefined;
    return () => {
      if (document.activeElement === document.body) focusBoard({ preventScroll: true });
    };
  }, [isEmpty]);
}

/** What leads back to a cart: the last bet, and the one that was just emptied. */
function Again({ last, canUndo, actor }: { last: Cart | null; canUndo: boolean; actor: BettingActor }) {
  const text = useText();
  return (
    <div className="flex items-center justify-end gap-4">
      {last && <RepeatButton last={last} onRepeat={() => actor.send({ type: "repeat", cart: last })} />}
      {canUndo && <BareButton name={text("cart.undo")} onPress={() => actor.send({ type: "undo" })} />}
    </div>
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
      className="flex min-h-12 min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 text-start"
    >
      <span className="text-base/tight font-semibold">{text("cart.repeat")}</span>
      <span className="figures text-sm text-muted">
        {text("cart.chosen", { count: last.options.length }) + DIVIDER + money(totalOf(last))}
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
      className="flex min-h-11 w-full flex-wrap items-center gap-x-3 text-start"
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

type InsideProps = Props & { refusedStake: ReturnType<typeof useRefusedStake> };
type StakesProps = InsideProps & { isLocked: boolean };

function Inside(props: InsideProps) {
  const text = useText();
  const { actor, snapshot } = props;
  const isIdle = snapshot.matches({ bet: "idle" });
  return (
    <form
      onSubmit={(event) => event.preventDefault()}
      className="-mx-4 flex max-h-[60dvh] flex-col gap-1.5 overflow-y-auto px-4 landscape-phone:max-h-none"
    >
      {/* With what can be scrolled: in large text the panel would not fit otherwise. */}
      <CarriedNote snapshot={snapshot} />
      {props.note?.isBlocking && <Blocked note={props.note} />}
      <Stakes {...props} isLocked={!isIdle} />
      {snapshot.matches({ bet: "unsure" }) && (
        <p role="status" className="text-sm text-amber">
          {text("cart.unsure")}
        </p>
      )}
      <PlaceRow {...props} />
      <Foot isLocked={!isIdle} actor={actor} snapshot={snapshot} />
    </form>
  );
}

/** The options and their stakes: one for all, or each its own. */
function Stakes(props: StakesProps) {
  return props.snapshot.context.cart.stakes ? <EachStake {...props} /> : <OneForAll {...props} />;
}

function EachStake({ actor, snapshot, odds, refusedStake, isLocked }: StakesProps) {
  const text = useText();
  const { cart } = snapshot.context;
  const balance = useBalance();
  const error = useStakesError(cart, balance);
  return (
    <div className="flex flex-col gap-1">
      <OwnStakes
        cart={cart}
        odds={odds}
        balance={balance}
        isLocked={isLocked}
        error={error}
        refused={(option) => refusedStake(cart, option)}
        onToggle={(option) => actor.send({ type: "toggle", option })}
        onStake={(option, typed) => actor.send({ type: "stake", option, typed })}
      />
      {/* Above the stakes, and after them for the keyboard. */}
      <div className="order-first flex items-center justify-between gap-x-1">
        <span className="text-sm font-medium">{text("cart.stake")}</span>
        <Edits {...{ actor, snapshot, isLocked }} />
      </div>
    </div>
  );
}

function OneForAll({ actor, snapshot, odds, refusedStake, isLocked }: StakesProps) {
  const { cart } = snapshot.context;
  const balance = useBalance();
  const error = useStakesError(cart, balance);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1 gap-y-1.5">
      <ChosenOptions
        chosen={cart.options}
        odds={odds}
        isLocked={isLocked}
        onToggle={(option) => actor.send({ type: "toggle", option })}
      />
      <div className="col-span-2">
        <StakeField
          stake={cart.stake}
          isLocked={isLocked}
          most={balance === null ? null : Math.floor(balance / MINOR_PER_UNIT / cart.options.length)}
          error={error ?? refusedStake(cart, cart.options[0]!)}
          onStake={(typed) => actor.send({ type: "stake", typed })}
        />
      </div>
      {/* Beside the options, and after the stake for the keyboard. */}
      <div className="col-start-2 row-start-1">
        <Edits {...{ actor, snapshot, isLocked }} />
      </div>
    </div>
  );
}

type Editing = { isLocked: boolean } & Pick<Props, "actor" | "snapshot">;

/** Undoes the last change of the cart, or empties it. */
function Edits({ isLocked, actor, snapshot }: Editing) {
  const text = useText();
  const edits = [
    { name: text("cart.undo"), Icon: Undo2, event: { type: "undo" }, isOff: !snapshot.context.undo },
    { name: text("cart.clear"), Icon: Trash2, event: { type: "clear" }, isOff: false },
  ] as const;
  return (
    <span className="-me-3 flex shrink-0">
      {edits.map(({ name, Icon, event, isOff }) => (
        <button
          key={event.type}
          type="button"
          aria-label={name}
          title={name}
          disabled={isLocked || isOff}
          onClick={() => actor.send(event)}
          className="grid size-11 place-items-center text-muted disabled:opacity-55"
        >
          <Icon size={20} aria-hidden />
        </button>
      ))}
    </span>
  );
}

function Foot({ isLocked, actor, snapshot }: Editing) {
  const text = useText();
  const { cart } = snapshot.context;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
      <Link to="/Limits" className="flex min-h-11 items-center text-brand-text underline-offset-4 hover:underline">
        {text("mine.limits")}
      </Link>
      {(cart.stakes || cart.options.length > 1) && (
        <BareButton
          name={text(cart.stakes ? "cart.forAll" : "cart.each")}
          isLocked={isLocked}
          onPress={() => actor.send({ type: "each", on: !cart.stakes })}
        />
      )}
    </div>
  );
}

function BareButton({ name, isLocked, onPress }: { name: string; isLocked?: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      disabled={isLocked}
      onClick={onPress}
      className="-me-2 min-h-11 min-w-11 px-2 text-sm text-muted underline-offset-4 hover:underline disabled:opacity-55"
    >
      {name}
    </button>
  );
}

/** The balance is too small for the cart; a top-up leads back to it. */
function Short({ missing }: { missing: Money }) {
  const text = useText();
  const money = useFormatMoney();
  return (
    <>
      <span className="figures">
        {followedBy(text("cart.insufficient"), text("figure.missing", { amount: money(missing) }))}
      </span>
      <Link to="/Recharge" className="flex min-h-11 items-center font-semibold underline underline-offset-4">
        {text("mine.recharge")}
      </Link>
    </>
  );
}

/** What is wrong with the stakes together, and the way on; null where nothing is known. */
function useStakesError(cart: Cart, balance: Money | null): ReactNode {
  const beyond = useBeyond(cart);
  const isShort = balance !== null && problemOf(cart, balance) === "insufficient";
  return isShort ? <Short missing={totalOf(cart) - balance} /> : beyond;
}

/** Says what the member's own limits leave, where the cart asks for more; else null. The server decides. */
function useBeyond(cart: Cart): string | null {
  const text = useText();
  const money = useMoney();
  const { data: limits } = useLimits();
  const tightest = limits ? tightestOf(limits) : null;
  return tightest && totalOf(cart) > tightest.left ? text("cart.beyond", { amount: money(tightest.left) }) : null;
}

function PlaceRow({ actor, snapshot, odds, kind, note }: Props) {
  const text = useText();
  const money = useMoney();
  const balance = useBalance();
  const step = stepOf(useSite().data?.unit ?? POINTS);
  const { cart } = snapshot.context;
  const most = mostPaid(kind, payingOfCart(cart, odds, step));
  const isIdle = snapshot.matches({ bet: "idle" });
  const isOpen = snapshot.matches({ round: "open" });
  // A missing stake says so at its field once the bet is to be placed.
  const isShort = balance !== null && problemOf(cart, balance) === "insufficient";
  const isRefused = note?.isBlocking || !isOpen || isShort;
  return (
    <div className="flex items-center justify-between gap-4">
      <p className="flex min-w-0 flex-col text-sm text-muted">
        <span className="flex flex-wrap items-baseline gap-x-2">
          {text("cart.total")}
          <span className="figures text-base font-semibold text-ink">{money(totalOf(cart))}</span>
        </span>
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
