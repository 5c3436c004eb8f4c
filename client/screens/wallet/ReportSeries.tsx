import { Tabs } from "@base-ui/react/tabs";
import { useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { Card } from "#client/components/Card.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { reportSeries } from "#shared/contract/wallet.ts";
import { PERIODS, type Period } from "#shared/period.ts";
import { SeriesChart } from "./SeriesChart.tsx";
import { SeriesTable } from "./SeriesTable.tsx";

/** Figures over time, by day, week or month: a bar chart, and a table for readers who prefer numbers. */
export function ReportSeries() {
  const text = useText();
  const [by, setBy] = useState<Period>("day");
  return (
    <Card className="mb-4">
      <h2 className="mb-3 text-lg font-semibold">{text("report.overTime")}</h2>
      <Tabs.Root value={by} onValueChange={(value) => setBy(value as Period)}>
        <Tabs.List className="mb-4 flex flex-wrap gap-1 rounded-md bg-sunken p-1">
          {PERIODS.map((period) => (
            <Tabs.Tab
              key={period}
              value={period}
              className="min-h-11 min-w-max flex-[1_1_0] rounded-sm px-2 text-sm text-muted data-active:bg-card data-active:font-semibold data-active:text-ink data-active:shadow-card"
            >
              {text(`report.${period}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {PERIODS.map((period) => (
          <Tabs.Panel key={period} value={period}>
            <Series by={period} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </Card>
  );
}

function Series({ by }: { by: Period }) {
  const text = useText();
  const { data, isError, error, refetch } = useEndpoint(reportSeries, { by });
  if (!data)
    return isError ? <FailedNote error={error} onRetry={() => void refetch()} /> : <Skeleton className="h-56" />;
  const isQuiet = data.every(({ from: _from, ...figures }) => Object.values(figures).every((one) => one === "0.00"));
  if (isQuiet) return <p className="py-12 text-center text-muted">{text("report.quiet")}</p>;
  return (
    <>
      <SeriesChart by={by} rows={data} />
      <SeriesTable by={by} rows={data} />
    </>
  );
}
