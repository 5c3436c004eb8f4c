import { Dices } from "lucide-react";
import { OperatorText } from "#client/components/OperatorText.tsx";
import { useMoney } from "#client/hooks/use-site.ts";
import { useOpenRound } from "#client/screens/lottery/use-open-round.ts";
import type { OpenRound } from "#client/screens/lottery/use-open-rounds.ts";
import { useText } from "#client/text/use-text.ts";
import { tablePath } from "#shared/result-path.ts";
import { Tile } from "./Tile.tsx";

/** A round with the member's stakes: its game, the stake, and the time left. */
export default function RoundTile({ round }: { round: OpenRound }) {
  const text = useText();
  const money = useMoney();
  const { game, state } = useOpenRound(round);
  return (
    <Tile
      to={tablePath(round.key)}
      Icon={Dices}
      name={game ? <OperatorText text={game.name} lang={game.langs?.name} /> : text("game.title")}
      step={
        <span className="figures flex flex-wrap gap-x-2">
          <span>{text("figure.named", { name: text("order.stake"), value: money(round.money) })}</span>
          <span>{state}</span>
        </span>
      }
    />
  );
}
