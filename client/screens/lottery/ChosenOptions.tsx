import { X } from "lucide-react";
import { useNewestInView } from "./use-newest-in-view.ts";
import { useText } from "#client/text/use-text.ts";
import type { OddsItem } from "./odds-item.ts";

interface Props {
  chosen: readonly string[];
  odds: readonly OddsItem[];
  isLocked: boolean;
  onToggle: (option: string) => void;
}

const chipOf = (type: string) => `[data-chip="${type}"]`;

/** The options in the cart, in one scrollable row; a tap removes one. */
export function ChosenOptions({ chosen, odds, isLocked, onToggle }: Props) {
  const text = useText();
  const nameOf = (type: string) => odds.find((item) => item.type === type)?.name ?? type;
  const line = useNewestInView<HTMLUListElement>(chosen, chipOf);
  return (
    <ul ref={line} className="-ms-4 flex min-w-0 flex-1 gap-2 overflow-x-auto py-1 -my-1 ps-4 [scrollbar-width:none]">
      {chosen.map((type) => (
        <li key={type} data-chip={type} className="shrink-0 scroll-mx-12">
          <button
            type="button"
            disabled={isLocked}
            onClick={() => onToggle(type)}
            aria-label={text("cart.remove", { name: nameOf(type) })}
            className="flex min-h-11 items-center gap-1.5 rounded-full border border-edge px-3.5 text-sm whitespace-nowrap disabled:opacity-55"
          >
            {nameOf(type)}
            <X size={14} aria-hidden className="text-muted" />
          </button>
        </li>
      ))}
    </ul>
  );
}
