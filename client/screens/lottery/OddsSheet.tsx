import { Sheet } from "#client/components/Sheet.tsx";
import { useText } from "#client/hooks/use-text.ts";
import type { OddsItem } from "./OptionBoard.tsx";
import { useChance, useOdds } from "./use-chance.ts";

interface Props {
  odds: OddsItem[];
  isOpen: boolean;
  onClose: () => void;
}

/** Odds, chance and return of every option, and what they mean. */
export function OddsSheet({ odds, isOpen, onClose }: Props) {
  const text = useText();
  const chance = useChance();
  const times = useOdds();
  return (
    <Sheet title={text("option.explain")} isOpen={isOpen} onClose={onClose}>
      <p className="mb-3 text-sm text-muted">{text("option.about")}</p>
      <table className="figures w-full text-sm">
        <caption className="sr-only">{text("option.explain")}</caption>
        <tbody className="divide-y divide-line">
          {odds.map(({ type, name, proportion, probability, rtp }) => (
            <tr key={type}>
              <th scope="row" className="py-2 text-start font-medium">
                {name}
              </th>
              <td className="py-2 text-end">{text("option.odds", { odds: times(proportion) })}</td>
              <td className="py-2 text-end">{text("option.chance", { chance: chance(probability) })}</td>
              <td className="py-2 text-end">{text("option.rtp", { rtp: chance(rtp) })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}
