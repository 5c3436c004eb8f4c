import { Field } from "@base-ui/react/field";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { stakeOf, type Cart } from "#client/machines/cart.ts";
import { useText } from "#client/text/use-text.ts";
import type { OddsItem } from "./odds-item.ts";

interface Props {
  cart: Cart;
  odds: readonly OddsItem[];
  isLocked: boolean;
  /** What is wrong with the stakes, and the way on. */
  error: ReactNode;
  /** Why the server took no such stake on an option; null where it did not say so. */
  refused: (option: string) => string | null;
  onToggle: (option: string) => void;
  onStake: (option: string, typed: string) => void;
}

/** The options in the cart, each with a stake of its own. */
export function OwnStakes({ cart, error, ...given }: Props) {
  return (
    <>
      <ul className="flex flex-col gap-1">
        {cart.options.map((type) => (
          <li key={type}>
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

function OneStake({ type, cart, odds, isLocked, refused, onToggle, onStake }: Omit<Props, "error"> & { type: string }) {
  const text = useText();
  const name = odds.find((item) => item.type === type)?.name ?? type;
  const why = refused(type);
  return (
    <Field.Root
      name={`stake-${type}`}
      disabled={isLocked}
      invalid={why !== null}
      className="flex flex-wrap items-center gap-x-2"
    >
      <Field.Label className="min-w-min flex-[1_1_4em] text-sm/tight font-medium">{name}</Field.Label>
      <Field.Control
        value={stakeOf(cart, type)}
        onValueChange={(typed) => onStake(type, typed)}
        inputMode="numeric"
        autoComplete="off"
        className="figures ms-auto min-h-11 w-[7rem] rounded-md border border-edge bg-card px-3 text-end text-base font-semibold data-disabled:opacity-55 data-invalid:border-bad"
      />
      <button
        type="button"
        disabled={isLocked}
        onClick={() => onToggle(type)}
        aria-label={text("cart.remove", { name })}
        className="-me-2 grid size-11 place-items-center text-muted disabled:opacity-55"
      >
        <X size={16} aria-hidden />
      </button>
      <Field.Error match={why !== null} className="w-full text-sm text-bad">
        {why}
      </Field.Error>
    </Field.Root>
  );
}
