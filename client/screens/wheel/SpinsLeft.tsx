import { Link } from "react-router";
import { nextDayMs } from "#client/api/server-time.ts";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useFormatMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { SECOND_MS } from "#shared/time.ts";
import type { Seeds } from "./kept-pairs.ts";

interface Props {
  id: string;
  seeds: Pick<Seeds, "spins_left" | "spins_daily" | "spin_price"> | undefined;
  /** The balance does not cover the price of another spin. */
  isShort: boolean;
}

/** The number of spins left, the price of another, the way to a top-up where it is too high, and when free ones return. */
export function SpinsLeft({ id, seeds, isShort }: Props) {
  const text = useText();
  const money = useFormatMoney();
  if (!seeds) return <Skeleton className="h-6 w-40" />;
  const { spins_left, spins_daily, spin_price } = seeds;
  const price = money(spin_price);
  return (
    <div className="flex flex-col items-center gap-1 text-center">
      <div id={id} className="flex flex-col items-center gap-1">
        <p className="font-semibold">{text("wheel.left", { count: spins_left })}</p>
        {spins_left === 0 && spin_price !== "0.00" && (
          <p className="text-sm text-balance">{text(isShort ? "wheel.short" : "wheel.price", { price })}</p>
        )}
        {spins_left === 0 && spins_daily > 0 && <NextFree />}
      </div>
      {isShort && (
        <Link
          to="/Recharge"
          className="flex min-h-11 items-center text-sm font-semibold text-brand-text underline underline-offset-4"
        >
          {text("mine.recharge")}
        </Link>
      )}
    </div>
  );
}

/** When free spins return, in the reader's time zone. */
function NextFree() {
  const text = useText();
  const time = useTime({ timeStyle: "short" });
  const next = nextDayMs();
  if (next === null) return null;
  return <p className="text-sm text-muted">{text("wheel.nextFree", { time: time(next / SECOND_MS) })}</p>;
}
