import { useMoney } from "#client/hooks/use-site.ts";
import { netOf } from "#client/machines/own-round.ts";
import { useList } from "#client/text/use-list.ts";
import { followedBy } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import type { Result } from "#shared/contract/events.ts";
import { useDrawWords } from "./use-draw-words.ts";
import type { OwnTable } from "./use-own-rounds.ts";

const SOON_S = 10;

interface Props {
  kind: string;
  seconds: number;
  phase: "open" | "drawing" | "paused";
  result: Result | null;
  own: OwnTable;
}

/** For screen readers: countdown milestones, not every second, and the result with what it brought the member. */
export function RoundAnnouncer({ kind, seconds, phase, result, own: { rounds, flying } }: Props) {
  const text = useText();
  const list = useList();
  const money = useMoney();
  const words = useDrawWords(kind);
  const isSoon = phase === "open" && seconds > 0 && seconds <= SOON_S;
  const fallen =
    result &&
    flying === null &&
    text("round.result", {
      round: result.expect,
      dice: list(result.opencode),
      words: list(words(result.opencode)),
    });
  const mine = rounds?.find(({ expect }) => expect === result?.expect);
  const net = mine && netOf(mine);
  const brought =
    net != null && text("own.told", { staked: money(mine!.money), back: money(mine!.win!), net: money(net) });
  return (
    <div className="sr-only">
      <p role="status">{isSoon ? text("round.closingSoon") : phase === "open" ? "" : text(`round.${phase}`)}</p>
      <p role="status">{fallen && followedBy(fallen, brought || null)}</p>
    </div>
  );
}
