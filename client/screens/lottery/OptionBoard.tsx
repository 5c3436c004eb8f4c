import { Skeleton } from "#client/components/Skeleton.tsx";
import { useNewestInSight } from "#client/hooks/use-newest-in-sight.ts";
import { useText } from "#client/hooks/use-text.ts";
import { isEven, OptionTile, type OddsItem } from "./OptionTile.tsx";

const EVENS = "grid grid-cols-2 gap-2";
const SUMS = "grid grid-cols-4 gap-2 min-[560px]:grid-cols-8";

interface Props {
  odds: OddsItem[];
  chosen: readonly string[];
  /** The cart lies open over the lower part of the screen. */
  isCovered: boolean;
  onToggle: (option: string) => void;
}

const tileOf = (type: string) => `[data-option="${type}"]`;

/** What can be chosen: the four even chances, and the sums. What was just chosen stays in sight, above the cart. */
export function OptionBoard({ odds, chosen, isCovered, onToggle }: Props) {
  const text = useText();
  const board = useNewestInSight<HTMLDivElement>(chosen, tileOf);
  const tile = (item: OddsItem) => (
    <OptionTile
      key={item.type}
      item={item}
      isChosen={chosen.includes(item.type)}
      isCovered={isCovered}
      onToggle={onToggle}
    />
  );
  return (
    <div ref={board} className="flex flex-col gap-3">
      <section aria-label={text("option.evens")} className={EVENS}>
        {odds.filter(({ type }) => isEven(type)).map(tile)}
      </section>
      <section aria-label={text("option.sums")} className={SUMS}>
        {odds.filter(({ type }) => !isEven(type)).map(tile)}
      </section>
    </div>
  );
}

const EVEN_PLACES = [1, 2, 3, 4];
const SUM_PLACES = Array.from({ length: 16 }, (_, place) => place);

/** The board before its odds are known. */
export function BoardSkeleton() {
  return (
    <div aria-busy className="flex flex-col gap-3">
      <div className={EVENS}>
        {EVEN_PLACES.map((place) => (
          <Skeleton key={place} className="h-14" />
        ))}
      </div>
      <div className={SUMS}>
        {SUM_PLACES.map((place) => (
          <Skeleton key={place} className="h-18" />
        ))}
      </div>
    </div>
  );
}
