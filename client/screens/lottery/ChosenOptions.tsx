import { X } from "lucide-react";
import { useText } from "#client/hooks/use-text.ts";
import type { OddsItem } from "./OptionBoard.tsx";

interface Props {
  chosen: readonly string[];
  odds: OddsItem[];
  onToggle: (option: string) => void;
}

/** The options in the cart; each can be taken out again. */
export function ChosenOptions({ chosen, odds, onToggle }: Props) {
  const text = useText();
  const nameOf = (type: string) => odds.find((item) => item.type === type)?.name ?? type;
  return (
    <ul className="flex flex-wrap gap-2">
      {chosen.map((type) => (
        <li key={type}>
          <button
            type="button"
            onClick={() => onToggle(type)}
            aria-label={text("cart.remove", { name: nameOf(type) })}
            className="flex min-h-11 items-center gap-1.5 rounded-full border border-edge px-3.5 text-sm"
          >
            {nameOf(type)}
            <X size={14} aria-hidden className="text-muted" />
          </button>
        </li>
      ))}
    </ul>
  );
}
