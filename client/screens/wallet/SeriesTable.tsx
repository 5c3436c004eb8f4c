import { Amount } from "#client/components/Amount.tsx";
import { useText } from "#client/text/use-text.ts";
import type { Period } from "#shared/period.ts";
import type { SeriesRow } from "./SeriesChart.tsx";
import { usePeriodName } from "./use-period-name.ts";

const COLUMNS = [
  ["report.play", "play_money"],
  ["report.win", "win_money"],
  ["report.recharge", "recharge"],
  ["report.withdrawal", "withdrawal"],
] as const;

interface Props {
  by: Period;
  rows: readonly SeriesRow[];
}

/** A collapsible table with all four figures of each period, newest first. */
export function SeriesTable({ by, rows }: Props) {
  const text = useText();
  return (
    <details className="mt-3">
      <summary className="flex min-h-11 cursor-pointer items-center text-sm text-brand-text underline underline-offset-4">
        {text("report.table")}
      </summary>
      {/* A scrollable area must be reachable by keyboard. */}
      <div tabIndex={0} role="region" aria-label={text("report.table")} className="overflow-x-auto">
        <Figures by={by} rows={rows} />
      </div>
    </details>
  );
}

function Figures({ by, rows }: Props) {
  const text = useText();
  const nameOf = usePeriodName(by);
  return (
    <table className="w-full text-end text-sm whitespace-nowrap">
      <thead className="text-muted">
        <tr>
          <th scope="col" className="py-2 pe-3 text-start font-medium">
            {text("report.from")}
          </th>
          {COLUMNS.map(([key]) => (
            <th key={key} scope="col" className="py-2 ps-3 font-medium">
              {text(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.toReversed().map((row) => (
          <tr key={row.from}>
            <th scope="row" className="py-2 pe-3 text-start font-normal">
              {nameOf(row.from)}
            </th>
            {COLUMNS.map(([key, figure]) => (
              <td key={key} className="py-2 ps-3">
                <Amount value={row[figure]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
