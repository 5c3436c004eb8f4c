import { useText } from "#client/text/use-text.ts";
import type { BoardProps } from "#client/screens/lottery/odds-item.ts";
import { AlikeDice, DrawnDice } from "./DrawnDice.tsx";
import { Felt, FeltGroup } from "./FeltGroup.tsx";
import { useEvenHints } from "./use-even-hints.ts";

const SIZES = { big: [8, 12], small: [2, 6] } as const;
/** Seven stands in the middle, twice as wide as the others. */
const SEVEN = "7";
const ANY_DOUBLE = "double";

/** Two dice: the four even chances, the sums and the doubles. */
export default function PairBoard({ odds, ...given }: BoardProps) {
  const text = useText();
  const hints = useEvenHints(SIZES);
  const group = (wanted: "evens" | "sums" | "doubles") => ({
    title: text(`option.group.${wanted}`),
    odds: odds.filter((item) => item.group === wanted),
    ...given,
  });
  return (
    <Felt>
      <FeltGroup
        {...group("evens")}
        hint={text("board.sevenHint")}
        columns="[--columns:2] [--tile:8.5em]"
        shape="named"
        face={({ type }) => hints[type]}
      />
      <FeltGroup
        {...group("sums")}
        columns="[--columns:4] [--tile:4em]"
        shape={({ type }) => (type === SEVEN ? "broad" : "drawn")}
        face={({ type }) => <span className="figures text-lg/tight font-semibold">{type}</span>}
      />
      <FeltGroup
        {...group("doubles")}
        columns="[--columns:3] [--tile:4.5em] min-[560px]:[--columns:6]"
        shape={({ type }) => (type === ANY_DOUBLE ? "banner" : "drawn")}
        face={({ type }) =>
          type === ANY_DOUBLE ? <AlikeDice count={2} size={30} /> : <DrawnDice type={type} size={30} />
        }
      />
    </Felt>
  );
}
