import { Lock } from "lucide-react";
import type { Ref } from "react";
import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";

interface Props {
  ref: Ref<HTMLButtonElement>;
  /** The price of this spin, as the server reports it; null when it is free. */
  price: string | null;
  isBusy: boolean;
  /** No spin is possible now; the screen says why. */
  isClosed: boolean;
  /** Not before another day: there is none left and none for sale, or the member is on a break. */
  isLocked: boolean;
  describedBy: string;
  onGo: () => void;
}

/** The button in the middle of the wheel, part of its drawing. It shows the price of the spin before it is pressed. */
export function GoButton({ ref, price, isBusy, isClosed, isLocked, describedBy, onGo }: Props) {
  const text = useText();
  const money = useMoney();
  const isStopped = isBusy || isClosed;
  return (
    <button
      ref={ref}
      type="button"
      // It stays in the tab order, so that focus is not lost while the wheel turns.
      aria-disabled={isStopped || undefined}
      aria-busy={isBusy || undefined}
      aria-describedby={describedBy}
      onClick={isStopped ? undefined : onGo}
      className="absolute inset-0 m-auto flex size-19 flex-col items-center justify-center rounded-full border-3 border-wheel-light bg-brand-deep text-center font-bold text-on-brand shadow-card transition hover:brightness-110 active:scale-95 aria-disabled:scale-100 aria-disabled:cursor-default aria-disabled:brightness-75"
    >
      {isLocked && <Lock size={18} aria-hidden />}
      <span className={isLocked ? "text-[14px]/4" : "text-[20px]/5"}>{text("wheel.go")}</span>
      {price !== null && <span className="figures text-[12px]/4 font-semibold">{money(price)}</span>}
    </button>
  );
}
