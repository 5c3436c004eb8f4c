import { useId, type ReactNode } from "react";
import type { BoardProps, OddsItem } from "#client/screens/lottery/odds-item.ts";
import { FeltTile, type FeltShape } from "./FeltTile.tsx";

interface Props extends BoardProps {
  title: string;
  hint?: string;
  /** Classes for the number of columns and their minimum width: `--columns` and `--tile`. */
  columns: string;
  shape: FeltShape | ((item: OddsItem) => FeltShape);
  /** The face of an option. */
  face: (item: OddsItem) => ReactNode;
}

/** A group of options on the felt, under a heading. */
export function FeltGroup({ title, hint, columns, odds, chosen, shape, face, ...given }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <div>
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        {hint && <p className="text-xs text-felt-muted">{hint}</p>}
      </div>
      <div className={`grid grid-tiles gap-2 ${columns}`}>
        {odds.map((item) => (
          <FeltTile
            key={item.type}
            item={item}
            isChosen={chosen.includes(item.type)}
            shape={typeof shape === "function" ? shape(item) : shape}
            {...given}
          >
            {face(item)}
          </FeltTile>
        ))}
      </div>
    </section>
  );
}

/** The cloth under a board with drawn dice. */
export function Felt({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-4 rounded-lg bg-linear-to-b from-felt to-felt-deep p-3 text-on-felt shadow-card">
      {children}
    </div>
  );
}
