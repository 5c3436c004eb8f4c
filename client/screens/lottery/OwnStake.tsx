import { useEndpoint } from "#client/api/queries.ts";
import { useMoney } from "#client/hooks/use-site.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { useText } from "#client/text/use-text.ts";
import type { OwnRound } from "#client/machines/own-round.ts";
import { ownRounds, type Lottery } from "#shared/contract/lottery.ts";

/** The member's stakes on the game's present round; undefined without one. All games share one request. */
export function useOwnStake({ key, next_expect }: Lottery): OwnRound | undefined {
  const isMember = useIsMember();
  const { data: rounds } = useEndpoint(ownRounds, {}, { enabled: isMember });
  return rounds?.find((own) => own.key === key && own.expect === next_expect);
}

/** The member's whole stake on the game's present round; nothing without one. */
export function OwnStake({ game }: { game: Lottery }) {
  const text = useText();
  const money = useMoney();
  const own = useOwnStake(game);
  if (!own) return null;
  return (
    <span className="figures w-fit rounded-full bg-felt px-2 py-0.5 text-xs font-semibold text-on-felt">
      {text("figure.named", { name: text("own.title"), value: money(own.money) })}
    </span>
  );
}
