import { Sheet } from "#client/components/Sheet.tsx";
import { useText } from "#client/hooks/use-text.ts";
import { isEven, type OddsItem } from "./OptionTile.tsx";
import { useChance, useOdds } from "#client/hooks/use-chance.ts";

interface Props {
  odds: OddsItem[];
  isOpen: boolean;
  onClose: () => void;
}

const HEADS = ["option.pays", "option.chance", "option.rtp"] as const;

/** Odds, chance and return of every option, in the board's order, and what they mean. */
export function OddsSheet({ odds, isOpen, onClose }: Props) {
  const text = useText();
  const ordered = [...odds].sort((one, other) => Number(isEven(other.type)) - Number(isEven(one.type)));
  return (
    <Sheet title={text("option.explain")} isOpen={isOpen} onClose={onClose}>
      <p className="mb-3 text-sm text-muted">{text("option.about")}</p>
      <table className="figures w-full text-sm">
        <caption className="sr-only">{text("option.explain")}</caption>
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            <td />
            {HEADS.map((key) => (
              <th key={key} scope="col" className="py-2 ps-2 text-end font-medium">
                {text(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {ordered.map((item) => (
            <OddsRow key={item.type} item={item} />
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}

function OddsRow({ item: { name, proportion, probability, rtp } }: { item: OddsItem }) {
  const chance = useChance();
  const times = useOdds();
  return (
    <tr>
      <th scope="row" className="py-2 text-start font-medium">
        {name}
      </th>
      {[`×${times(proportion)}`, chance(probability), chance(rtp)].map((figure, column) => (
        <td key={HEADS[column]} className="py-2 ps-2 text-end">
          {figure}
        </td>
      ))}
    </tr>
  );
}
