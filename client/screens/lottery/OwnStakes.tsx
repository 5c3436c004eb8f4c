import { Field } from "@base-ui/react/field";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { mostOn, stakeOf, type Cart } from "#client/machines/cart.ts";
import { useText } from "#client/text/use-text.ts";
import type { Money } from "#shared/money.ts";
import type { OddsItem } from "./odds-item.ts";
import { DoubleStep, HalfStep, MostStep, QuickSteps, type Stepping } from "./StakeSteps.tsx";

interface Props {
  cart: Cart;
  odds: readonly OddsItem[];
  /** Null while unknown. */
  balance: Money | null;
  isLocked: boolean;
  /** What is wrong with the stakes, and the way on. */
  error: ReactNode;
  /** Why the server took no such stake on an option; null where it did not say so. */
  refused: (option: string) => string | null;
  onToggle: (option: string) => void;
  onStake: (option: string, typed: string) => void;
}

/** The options in the cart, each with a stake of its own and its steps. */
export function OwnStakes({ cart, error, ...given }: Props) {
  return (
    <>
      <ul className="flex flex-col gap-1">
        {cart.options.map((type) => (
          <li key={type} className="@container">
            <OneStake type={type} cart={cart} {...given} />
          </li>
        ))}
      </ul>
      <p role="alert" className="flex flex-wrap items-center gap-x-3 text-sm text-bad empty:hidden">
        {error}
      </p>
    </>
  );
}

type OneProps = Omit<Props, "error"> & { type: string };

/** Its name, its stake with the steps in a line that scrolls, and the way out. In large text that line stands below the name. */
function OneStake({ type, cart, odds, balance, isLocked, refused, onToggle, onStake }: OneProps) {
  const text = useText();
  const name = odds.find((item) => item.type === type)?.name ?? type;
  const why = refused(type);
  const stepping = { stake: stakeOf(cart, type), isLocked, onStake: (typed: string) => onStake(type, typed) };
  return (
    <Field.Root
      name={`stake-${type}`}
      disabled={isLocked}
      invalid={why !== null}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 @min-[18rem]:grid-cols-[minmax(min-content,1fr)_minmax(0,72%)_auto]"
    >
      <Field.Label className="text-sm/tight font-medium">{name}</Field.Label>
      <StakeLine name={name} most={balance === null ? null : mostOn(cart, type, balance)} {...stepping} />
      <button
        type="button"
        disabled={isLocked}
        onClick={() => onToggle(type)}
        aria-label={text("cart.remove", { name })}
        className="col-start-2 row-start-1 -me-2 grid size-11 place-items-center text-muted disabled:opacity-55 @min-[18rem]:col-start-3"
      >
        <X size={16} aria-hidden />
      </button>
      <Field.Error match={why !== null} className="col-span-full text-sm text-bad">
        {why}
      </Field.Error>
    </Field.Root>
  );
}

/** The stake of an option, which stays in sight, with its steps. */
function StakeLine({ name, most, ...stepping }: Stepping & { name: string; most: number | null }) {
  return (
    <div
      role="group"
      aria-label={name}
      className="col-span-2 row-start-2 -my-1.25 -ms-1.25 flex gap-1.5 overflow-x-auto scroll-ps-[7.5rem] mask-r-from-[calc(100%-1.25rem)] py-1.25 ps-1.25 pe-5 [scrollbar-width:none] @min-[18rem]:col-span-1 @min-[18rem]:row-start-auto pointer-fine:[scrollbar-width:thin]"
    >
      <Field.Control
        value={stepping.stake}
        onValueChange={stepping.onStake}
        inputMode="numeric"
        autoComplete="off"
        className="figures sticky start-1.25 z-1 min-h-11 w-[6.5rem] shrink-0 rounded-md border border-edge bg-card px-2.5 text-end text-base font-semibold shadow-[-0.3125rem_0_var(--color-card)] data-disabled:opacity-55 data-invalid:border-bad"
      />
      <HalfStep {...stepping} />
      <DoubleStep {...stepping} />
      <QuickSteps {...stepping} />
      <MostStep most={most} {...stepping} />
    </div>
  );
}
