import { useEndpoint } from "#client/api/queries.ts";
import { Amount } from "#client/components/Amount.tsx";
import { Card } from "#client/components/Card.tsx";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { FailedNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { personalReport } from "#shared/contract/wallet.ts";
import { fromDecimal, toDecimal } from "#shared/money.ts";
import { ReportSeries } from "./ReportSeries.tsx";

/** The account's lifetime totals, and plainly the net result of playing. */
export default function PersonalReport() {
  const text = useText();
  const { data, isError, error, refetch } = useEndpoint(personalReport);
  return (
    <Screen title={text("report.title")} hasAmounts>
      {data ? (
        <Figures report={data} />
      ) : isError ? (
        <FailedNote error={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
      <ReportSeries />
      <Menu>
        <MenuRow label={text("mine.limits")} to="/Limits" />
        <MenuRow label={text("mine.moneylog")} to="/Moneylog" />
      </Menu>
    </Screen>
  );
}

function Figures({ report }: { report: ReplyOf<typeof personalReport> }) {
  const text = useText();
  const { play_money, win_money, recharge, withdrawal } = report;
  const net = toDecimal(fromDecimal(win_money) - fromDecimal(play_money));
  return (
    <div className="mb-4 flex flex-col gap-4">
      <Card>
        <dl>
          <Figure name={text("report.net")} value={net} isBig />
        </dl>
        <p className="mt-3 text-sm text-muted">{text("report.honest")}</p>
      </Card>
      <dl className="grid grid-tiles gap-3 [--columns:2] [--tile:8.5rem]">
        <Figure name={text("report.play")} value={play_money} isTile />
        <Figure name={text("report.win")} value={win_money} isTile />
        <Figure name={text("report.recharge")} value={recharge} isTile />
        <Figure name={text("report.withdrawal")} value={withdrawal} isTile />
      </dl>
      <p className="text-xs text-muted">{text("report.hint")}</p>
    </div>
  );
}

interface FigureProps {
  name: string;
  value: string;
  isBig?: boolean;
  isTile?: boolean;
}

function Figure({ name, value, isBig = false, isTile = false }: FigureProps) {
  return (
    <div className={isTile ? "min-w-0 rounded-lg border border-line bg-card p-4 shadow-card" : ""}>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className={`break-words ${isBig ? "text-xl font-bold" : "text-base font-semibold"}`}>
        <Amount value={value} isSigned={isBig} />
      </dd>
    </div>
  );
}

function Waiting() {
  return (
    <div className="mb-4 flex flex-col gap-4" aria-busy>
      <Skeleton className="h-36" />
      <div className="grid grid-cols-2 gap-3">
        {[1, 2, 3, 4].map((tile) => (
          <Skeleton key={tile} />
        ))}
      </div>
    </div>
  );
}
