import { Dice } from "#client/components/Dice.tsx";
import { wordsOf } from "./boards.ts";
import { DrawMarks } from "./DrawMarks.tsx";

interface Props {
  /** The draw; `opencode` is null before the first one. */
  draw: { kind: string; opencode: readonly number[] | null };
  isRolling?: boolean;
}

/** The dice, their sum where bets depend on it, and their labels. Renders nothing before a draw. */
export function DrawLine({ draw: { kind, opencode }, isRolling = false }: Props) {
  if (!opencode) return null;
  const { sum, marks } = wordsOf(kind, opencode);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Dice dice={opencode} isRolling={isRolling} />
      <span className="flex flex-wrap items-baseline gap-x-2 text-sm">
        {sum !== null && (
          <span aria-hidden className="figures text-base font-semibold">
            {sum}
          </span>
        )}
        <DrawMarks marks={marks} />
      </span>
    </span>
  );
}
