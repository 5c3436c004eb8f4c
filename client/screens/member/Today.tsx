import { ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { useEndpoint } from "#client/api/queries.ts";
import { Amount } from "#client/components/Amount.tsx";
import { Card } from "#client/components/Card.tsx";
import { Meter } from "#client/components/Meter.tsx";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useLimits, useTightest } from "#client/screens/wallet/use-limits.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { reportSeries, type Limits } from "#shared/contract/wallet.ts";
import { fromDecimal, toDecimal } from "#shared/money.ts";

/** What the report's running day says: stakes, payouts and their difference. The day begins at midnight UTC, so it is named by its beginning. */
export function Today() {
  const text = useText();
  const time = useTime();
  const { data, isError } = useEndpoint(reportSeries, { by: "day" });
  const limits = useLimits();
  const day = data?.at(-1);
  // Missing figures are no reason to bar the screen: the report says why.
  if (!day && isError) return <ToReport />;
  if (!day || limits.isPending) return <Skeleton className="h-50" />;
  const { from, play_money, win_money } = day;
  const net = fromDecimal(win_money) - fromDecimal(play_money);
  return (
    <Card>
      <h2 className="text-sm text-muted">{text("mine.settledSince", { time: time(from) })}</h2>
      <dl className="mt-2 grid grid-tiles gap-x-3 gap-y-2 [--columns:3] [--tile:4.5rem]">
        <Figure name={text("report.play")} value={play_money} />
        <Figure name={text("report.win")} value={win_money} />
        <Figure name={text("own.net")} value={toDecimal(net)} isNet />
      </dl>
      {limits.data && <LimitLine limits={limits.data} />}
      <ToReport />
    </Card>
  );
}

/** A net result is coloured only if it is a gain. */
function Figure({ name, value, isNet = false }: { name: string; value: string; isNet?: boolean }) {
  const isGain = isNet && fromDecimal(value) > 0;
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className={`text-base font-semibold break-words ${isGain ? "text-jade" : ""}`}>
        <Amount value={value} isSigned={isNet} />
      </dd>
    </div>
  );
}

/** The limit that leaves least, on the way to all limits. Its place is there without one, so that nothing below it moves. */
function LimitLine({ limits }: { limits: Limits }) {
  const text = useText();
  const tightest = useTightest(limits);
  return (
    <div className="mt-1">
      <Link to="/Limits" className="flex min-h-11 items-center gap-x-2 text-sm">
        <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-3">
          <span className="text-muted">{tightest?.label ?? text("mine.limits")}</span>
          <span className="figures ms-auto">{tightest?.words}</span>
        </span>
        <ChevronRight size={16} aria-hidden className="shrink-0 text-muted" />
      </Link>
      <div className="min-h-2">{tightest && <Meter {...tightest} />}</div>
    </div>
  );
}

function ToReport() {
  const text = useText();
  return (
    <Link
      to="/Personalreport"
      className="-mb-2 flex min-h-11 items-center gap-1 self-start text-sm font-medium text-brand-text"
    >
      {text("mine.report")}
      <ChevronRight size={16} aria-hidden className="shrink-0" />
    </Link>
  );
}
