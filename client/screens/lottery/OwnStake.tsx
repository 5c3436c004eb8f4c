import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { useWaitingRounds } from "./use-open-rounds.ts";

/** The member's whole stake on the game's present round; nothing without one. */
export function OwnStake({ game: { key, next_expect } }: { game: Lottery }) {
  const text = useText();
  const money = useMoney();
  const { data: rounds } = useWaitingRounds();
  const own = rounds?.find((one) => one.key === key && one.expect === next_expect);
  if (!own) return null;
  return (
    <span className="figures w-fit rounded-full bg-felt px-2 py-0.5 text-xs font-semibold text-on-felt">
      {text("figure.named", { name: text("own.title"), value: money(own.money) })}
    </span>
  );
}
