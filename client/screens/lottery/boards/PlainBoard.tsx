import type { BoardProps } from "#client/screens/lottery/odds-item.ts";
import { NamedFace, OptionTile } from "#client/screens/lottery/OptionTile.tsx";

/** Options by name, in their groups. */
export default function PlainBoard({ odds, chosen, ...given }: BoardProps) {
  const groups = [...new Set(odds.map(({ group }) => group))];
  return (
    <div className="flex flex-col gap-4">
      {groups.map((group) => (
        <div key={group} className="grid grid-tiles gap-2 [--columns:2] [--tile:8em] min-[560px]:[--columns:3]">
          {odds
            .filter((item) => item.group === group)
            .map((item) => (
              <OptionTile key={item.type} item={item} shape="wide" isChosen={chosen.includes(item.type)} {...given}>
                <NamedFace name={item.name} />
              </OptionTile>
            ))}
        </div>
      ))}
    </div>
  );
}
