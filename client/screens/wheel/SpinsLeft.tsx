import { Skeleton } from "#client/components/Skeleton.tsx";
import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { SECOND_MS } from "#shared/time.ts";
import type { Seeds } from "./kept-pairs.ts";
import { nextFreeMs } from "./use-wheel-seeds.ts";

/** The number of spins left, the price of another, and when free ones return. */
export function SpinsLeft({ id, seeds }: { id: string; seeds: Pick<Seeds, "spins_left" | "spin_price"> | undefined }) {
  const text = useText();
  const money = useMoney();
  if (!seeds) return <Skeleton className="h-6 w-40" />;
  const { spins_left, spin_price } = seeds;
  return (
    <div id={id} className="flex flex-col items-center gap-1 text-center">
      <p className="font-semibold">{text("wheel.left", { count: spins_left })}</p>
      {spins_left === 0 && spin_price !== "0.00" && (
        <p className="text-sm">{text("wheel.price", { price: money(spin_price) })}</p>
      )}
      {spins_left === 0 && <NextFree />}
    </div>
  );
}

/** When free spins return, in the reader's time zone. */
function NextFree() {
  const text = useText();
  const time = useTime({ hour: "2-digit", minute: "2-digit" });
  const next = nextFreeMs();
  if (next === null) return null;
  return <p className="text-sm text-muted">{text("wheel.nextFree", { time: time(next / SECOND_MS) })}</p>;
}
