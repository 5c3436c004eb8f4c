import { Sheet } from "#client/components/Sheet.tsx";
import { useChance, useOdds } from "./use-chance.ts";
import { beaconWords } from "#client/hooks/use-beacon.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { TextKey } from "#client/text/i18n.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { digitsOf, POINTS } from "#shared/unit.ts";
import { boardOf } from "./boards.ts";
import type { OddsItem } from "./odds-item.ts";
import { oddsRows, type OddsRow } from "./odds-rows.ts";
import { OptionName } from "./OptionName.tsx";
import { RatesByTimes } from "./RatesByTimes.tsx";

interface Props {
  kind: string;
  beacon: Lottery["beacon"];
  odds: readonly OddsItem[];
  isOpen: boolean;
  onClose: () => void;
}

const HEADS = ["odds.pays", "odds.chance", "odds.rtp"] as const;
/** Rows with more options than this show their group's name. */
const MOST_NAMES = 4;

/**
 * The rules of a game: how it is drawn, what wins, each option's payout, probability and return, and what its draws
 * promise.
 */
export function OddsSheet({ kind, beacon, odds, isOpen, onClose }: Props) {
  const text = useText();
  const { about, groups } = boardOf(kind);
  const paysWholeUnits = digitsOf(useSite().data?.unit ?? POINTS) === 0;
  return (
    <Sheet title={text("odds.explain")} isOpen={isOpen} onClose={onClose}>
      {about && <p className="mb-4 text-sm">{text(about)}</p>}
      <table className="figures w-full text-sm">
        <caption className="sr-only">{text("odds.explain")}</caption>
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
          {oddsRows(odds, groups).map((row) => (
            <Row key={row.items[0]!.type} row={row} />
          ))}
        </tbody>
      </table>
      <p className="mt-4 text-sm text-muted">{text("odds.about")}</p>
      <p className="mt-2 text-sm text-muted">{text(beaconWords(beacon))}</p>
      {paysWholeUnits && <p className="mt-2 text-sm text-muted">{text("odds.whole")}</p>}
    </Sheet>
  );
}

function Row({ row: { group, items } }: { row: OddsRow }) {
  const text = useText();
  const chance = useChance();
  const times = useOdds();
  const { pays, probability, rtp } = items[0]!;
  const name =
    items.length > MOST_NAMES ? text(`option.group.${group}` as TextKey) : items.map((item) => item.name).join(", ");
  const rates = pays.length > 1 ? <RatesByTimes pays={pays} /> : `×${times(pays[0]!)}`;
  return (
    <tr className="align-baseline">
      <th scope="row" className="py-2 text-start font-medium">
        <OptionName name={name} />
      </th>
      {[rates, chance(probability), chance(rtp)].map((figure, column) => (
        <td key={HEADS[column]} className="py-2 ps-2 text-end">
          {figure}
        </td>
      ))}
    </tr>
  );
}
