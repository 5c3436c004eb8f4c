import { useText } from "#client/text/use-text.ts";
import type { BoardProps } from "#client/screens/lottery/odds-item.ts";
import { NamedFace, NumberFace, OptionTile } from "#client/screens/lottery/OptionTile.tsx";
import { useEvenHints } from "./use-even-hints.ts";

const SIZES = { big: [11, 18], small: [3, 10] } as const;

/** The sum of three dice: the four even chances, and each sum. */
export default function SumBoard({ odds, chosen, ...given }: BoardProps) {
  const text = useText();
  const hints = useEvenHints(SIZES);
  return (
    <div className="flex flex-col gap-3">
      <section aria-label={text("option.group.evens")} className="grid grid-tiles gap-2 [--columns:2] [--tile:8em]">
        {odds
          .filter(({ group }) => group === "evens")
          .map((item) => (
            <OptionTile key={item.type} item={item} shape="wide" isChosen={chosen.includes(item.type)} {...given}>
              <NamedFace name={item.name} hint={hints[item.type]} />
            </OptionTile>
          ))}
      </section>
      <section
        aria-label={text("option.group.sums")}
        className="grid grid-tiles gap-2 [--columns:4] [--tile:4.5em] min-[560px]:[--columns:8] xl:[--tile:4.25em]"
      >
        {odds
          .filter(({ group }) => group === "sums")
          .map((item) => (
            <OptionTile key={item.type} item={item} shape="square" isChosen={chosen.includes(item.type)} {...given}>
              <NumberFace name={item.name} number={item.type} />
            </OptionTile>
          ))}
      </section>
    </div>
  );
}
