import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { Result } from "#shared/contract/events.ts";
import { useDrawWords } from "./use-draw-words.ts";

const SOON_S = 10;

interface Props {
  kind: string;
  seconds: number;
  phase: "open" | "drawing" | "paused";
  result: Result | null;
}

/** For screen readers: countdown milestones, not every second, and the result with the member's own win. */
export function RoundAnnouncer({ kind, seconds, phase, result }: Props) {
  const text = useText();
  const money = useMoney();
  const words = useDrawWords(kind);
  const isSoon = phase === "open" && seconds > 0 && seconds <= SOON_S;
  const fallen =
    result &&
    text("round.result", {
      round: result.expect,
      dice: result.opencode.join(", "),
      words: words(result.opencode).join(", "),
    });
  const own =
    result?.mine &&
    (result.mine.win === "0.00" ? text("round.lost") : text("round.won", { amount: money(result.mine.win) }));
  return (
    <div className="sr-only">
      <p role="status">{isSoon ? text("round.closingSoon") : phase === "open" ? "" : text(`round.${phase}`)}</p>
      <p role="status">{[fallen, own].filter(Boolean).join(" ")}</p>
    </div>
  );
}
