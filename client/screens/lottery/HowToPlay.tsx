import { memo } from "react";
import { Sheet } from "#client/components/Sheet.tsx";
import { useChance, useTimes } from "./use-chance.ts";
import { beaconWords } from "#client/hooks/use-beacon.ts";
import { useSite } from "#client/hooks/use-site.ts";
import { useList } from "#client/text/use-list.ts";
import { useText } from "#client/text/use-text.ts";
import type { TextKey } from "#client/text/i18n.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { digitsOf, POINTS } from "#shared/unit.ts";
import { boardOf } from "./boards.ts";
import { Example, examplesOf } from "./Example.tsx";
import { GuideCards } from "./FirstMinutes.tsx";
import type { OddsItem } from "./odds-item.ts";
import { oddsRows, type OddsRow } from "./odds-rows.ts";
import { OptionName } from "./OptionName.tsx";
import { RatesByTimes } from "./RatesByTimes.tsx";

interface Props {
  kind: string;
  beacon: Lottery["beacon"];
  odds: readonly OddsItem[];
}

const HEADS = ["odds.pays", "odds.chance", "odds.rtp"] as const;
/** Rows with more options than this show their group's name. */
const MOST_NAMES = 4;

type Shown = Props & { isOpen: boolean; onClose: () => void };

/** How a game is played, by picture; then its rules and odds, and what its draws promise. */
export const HowToPlay = memo(function HowToPlay({ isOpen, onClose, ...given }: Shown) {
  const text = useText();
  return (
    <Sheet title={text("guide.title")} isOpen={isOpen} onClose={onClose}>
      <GuideCards {...given} />
      <h3 className="mt-8 mb-3 text-lg font-semibold">{text("odds.explain")}</h3>
      <Rules {...given} />
    </Sheet>
  );
});

/** An example of each group, and each option's payout, probability and return. */
function Rules({ kind, beacon, odds }: Props) {
  const text = useText();
  const { about, groups } = boardOf(kind);
  const paysWholeUnits = digitsOf(useSite().data?.unit ?? POINTS) === 0;
  return (
    <>
      {about && <p className="mb-4 text-sm">{text(about)}</p>}
      <ul className="mb-4 flex flex-col gap-2">
        {examplesOf(kind, odds).map((example) => (
          <li key={example.item.type}>
            <Example kind={kind} example={example} />
          </li>
        ))}
      </ul>
      <div role="group" tabIndex={0} aria-label={text("odds.explain")} className="-mx-4 overflow-x-auto px-4">
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
      </div>
      <p className="mt-4 text-sm text-muted">{text("odds.about")}</p>
      <p className="mt-2 text-sm text-muted">{text(beaconWords(beacon))}</p>
      {paysWholeUnits && <p className="mt-2 text-sm text-muted">{text("odds.whole")}</p>}
    </>
  );
}

function Row({ row: { group, items } }: { row: OddsRow }) {
  const text = useText();
  const chance = useChance();
  const times = useTimes();
  const list = useList();
  const { pays, probability, rtp } = items[0]!;
  const name =
    items.length > MOST_NAMES ? text(`option.group.${group}` as TextKey) : list(items.map((item) => item.name));
  const rates = pays.length > 1 ? <RatesByTimes pays={pays} /> : times(pays[0]!);
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
