import { Dice } from "#client/components/Dice.tsx";
import { useText } from "#client/hooks/use-text.ts";
import type { Lottery } from "#shared/contract/lottery.ts";

interface Props {
  draw: Pick<Lottery, "opencode" | "one" | "two">;
  isRolling?: boolean;
}

/** Dice as they fell, their sum, and what it is: big or small, odd or even. Nothing where none have fallen. */
export function DrawLine({ draw: { opencode, one, two }, isRolling = false }: Props) {
  const text = useText();
  if (!opencode || !one || !two) return null;
  const sum = opencode.reduce((total, face) => total + face, 0);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Dice dice={opencode} isRolling={isRolling} />
      <span className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <span aria-hidden className="figures text-base font-semibold">
          {sum}
        </span>
        <span className={one === "A" ? "text-brand-text" : "text-jade"}>{text(`option.${one}`)}</span>
        <span className={two === "C" ? "text-brand-text" : "text-jade"}>{text(`option.${two}`)}</span>
      </span>
    </span>
  );
}
