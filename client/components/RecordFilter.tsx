import { useSearchParams, Link, useLocation } from "react-router";
import { useText } from "#client/text/use-text.ts";
import type { TextKey } from "#client/text/i18n.ts";
import { SECOND_MS } from "#shared/time.ts";
import { showWhole } from "./show-whole.ts";
import { EmptyNote } from "./Notes.tsx";
import { Button } from "./Button.tsx";
import { SelectField } from "./SelectField.tsx";

const KINDS = [
  ["mine.bets", "/GameRecord"],
  ["mine.rechargeRecord", "/RechargeRecord"],
  ["mine.withdrawRecord", "/WithdrawRecord"],
  ["mine.moneylog", "/Moneylog"],
] as const;

/** The periods to choose, and how many days back each begins; `dates` asks for both ends. */
const PERIODS: readonly (readonly [value: string, name: TextKey])[] = [
  ["", "history.all"],
  ["1", "history.today"],
  ["7", "history.week"],
  ["30", "report.spanDay"],
  ["dates", "history.dates"],
];

/** The midnight at which a day of the reader's calendar begins, so many days on, in seconds. */
function startOf(day: Date, daysOn = 0): string {
  const midnight = new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysOn);
  return String(Math.floor(midnight.getTime() / SECOND_MS));
}

/** A date as `YYYY-MM-DD`; null for what is none. */
function dateOf(typed: string | null): Date | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typed ?? "") ?? [];
  return year === undefined ? null : new Date(Number(year), Number(month) - 1, Number(day));
}

/** The chosen period, kept in the address so that Back finds it, as the lists' calls take it. */
export function usePeriod() {
  const [params, setParams] = useSearchParams();
  const period = params.get("period") ?? "";
  const [from, to] = [params.get("from"), params.get("to")];
  const set = (next: Record<string, string>) => {
    const others = [...params].filter(([name]) => !["period", "from", "to"].includes(name));
    setParams(Object.fromEntries([...others, ...Object.entries(next)]), { replace: true });
  };
  if (period === "dates") {
    const [first, last] = [dateOf(from), dateOf(to)];
    const input = { ...(first && { from: startOf(first) }), ...(last && { to: startOf(last, 1) }) };
    return { period, from: from ?? "", to: to ?? "", set, input, isAll: !first && !last };
  }
  const days = ["1", "7", "30"].includes(period) ? Number(period) : null;
  const input = days === null ? {} : { from: startOf(new Date(), 1 - days) };
  return { period: days === null ? "" : period, from: "", to: "", set, input, isAll: days === null };
}

/** Which records of the member's, and of which period. */
export function RecordFilter() {
  return (
    <div className="mb-4 flex flex-col gap-3">
      <Kinds />
      <PeriodFilter />
    </div>
  );
}

/** The period of a list, kept in the address. */
export function PeriodFilter() {
  const text = useText();
  const { period, from, to, set } = usePeriod();
  const date = (name: "from" | "to", value: string) => (
    <label className="flex flex-col gap-1 text-sm font-medium">
      {text(name === "from" ? "report.from" : "history.to")}
      <input
        type="date"
        name={name}
        value={value}
        onChange={({ target }) => set({ period, from, to, [name]: target.value })}
        className="min-h-12 w-full rounded-md border border-edge bg-card px-3 text-base font-normal"
      />
    </label>
  );
  return (
    <>
      <SelectField
        name="period"
        label={text("history.period")}
        options={PERIODS.map(([value, name]) => ({ value, text: text(name) }))}
        value={period}
        onValue={(value) => set(value === "" ? {} : { period: value })}
      />
      {period === "dates" && (
        <div className="grid grid-tiles gap-3 [--columns:2] [--tile:9rem]">
          {date("from", from)}
          {date("to", to)}
        </div>
      )}
    </>
  );
}

function Kinds() {
  const text = useText();
  const { pathname, search } = useLocation();
  const isHere = (to: string) => pathname.toLowerCase() === to.toLowerCase();
  return (
    <nav aria-label={text("history.kinds")} className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1">
      {KINDS.map(([name, to]) => (
        <Link
          key={to}
          replace
          to={`${to}${search}`}
          ref={isHere(to) ? showWhole : undefined}
          aria-current={isHere(to) ? "page" : undefined}
          className="inline-flex min-h-11 shrink-0 items-center rounded-full border border-edge bg-card px-4 text-sm aria-[current=page]:border-brand-text aria-[current=page]:bg-brand-soft aria-[current=page]:font-semibold"
        >
          {text(name)}
        </Link>
      ))}
    </nav>
  );
}

/** Nothing in the chosen period: says so, and leads back to the whole list. */
export function NothingThen() {
  const text = useText();
  const { set } = usePeriod();
  return (
    <EmptyNote drawing="calendar" title={text("report.quiet")}>
      <Button look="quiet" onClick={() => set({})}>
        {text("history.all")}
      </Button>
    </EmptyNote>
  );
}
