import { ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { useMoney } from "#client/hooks/use-site.ts";
import { useOpenRound } from "#client/screens/lottery/use-open-round.ts";
import { useOpenRounds, type OpenRound } from "#client/screens/lottery/use-open-rounds.ts";
import { useText } from "#client/text/use-text.ts";
import { DIVIDER } from "#shared/format.ts";
import { fromDecimal } from "#shared/money.ts";
import { tablePath } from "#shared/result-path.ts";

/** What the member has at stake on rounds that wait. Its place is there without any, so that nothing below it moves. */
export function AtStake() {
  const money = useMoney();
  const rounds = useOpenRounds();
  if (!rounds) return <Line value="–" />;
  const [round, ...others] = rounds;
  if (!round) return <Line value={money(0)} />;
  return others.length === 0 ? <OneRound round={round} /> : <Several rounds={rounds} />;
}

/** Leads to the round's table. */
function OneRound({ round }: { round: OpenRound }) {
  const money = useMoney();
  const { state } = useOpenRound(round);
  return (
    <Line
      value={round.isSettled ? state : [money(round.money), state].filter(Boolean).join(DIVIDER)}
      to={tablePath(round.key)}
    />
  );
}

/** Leads to all bets. */
function Several({ rounds }: { rounds: readonly OpenRound[] }) {
  const money = useMoney();
  const waiting = rounds.filter(({ isSettled }) => !isSettled);
  return <Line value={money(waiting.reduce((sum, one) => sum + fromDecimal(one.money), 0))} to="/GameRecord" />;
}

const LINE = "mt-3 -mb-3 flex min-h-11 items-center gap-x-2 border-t border-line py-1 text-sm";

function Line({ value, to }: { value: string; to?: string }) {
  const text = useText();
  const inside = (
    <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-3">
      <span className="text-muted">{text("own.now")}</span>
      <span className="figures ms-auto font-semibold">{value}</span>
    </span>
  );
  if (!to) return <p className={LINE}>{inside}</p>;
  return (
    <Link to={to} className={LINE}>
      {inside}
      <ChevronRight size={16} aria-hidden className="shrink-0 text-muted" />
    </Link>
  );
}
