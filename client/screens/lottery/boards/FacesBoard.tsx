import { useText } from "#client/text/use-text.ts";
import type { BoardProps, OddsItem } from "#client/screens/lottery/odds-item.ts";
import { AlikeDice, DrawnDice, UnlikeDice } from "./DrawnDice.tsx";
import { Felt, FeltGroup } from "./FeltGroup.tsx";

const TWO = "[--columns:2] [--tile:8.5em]";
const THREE = `${TWO} min-[480px]:[--columns:3]`;
const FIVE = "[--columns:3] [--tile:4.5em] min-[560px]:[--columns:5]";
const SIX = "[--columns:3] [--tile:4.5em] min-[560px]:[--columns:6]";

const ofFaces = ({ type }: OddsItem) => /^\d/.test(type);

/** The faces of three dice: single faces, pairs, doubles and triples. */
export default function FacesBoard({ odds, ...given }: BoardProps) {
  const text = useText();
  const drawn = (size: number) => (item: OddsItem) => <DrawnDice type={item.type} size={size} />;
  const group = (wanted: "faces" | "pairs" | "doubles" | "triples", columns: string) => ({
    title: text(`option.group.${wanted}`),
    odds: odds.filter((item) => item.group === wanted && ofFaces(item)),
    columns,
    ...given,
  });
  return (
    <Felt>
      <FeltGroup {...group("faces", THREE)} hint={text("board.facesHint")} shape="rates" face={drawn(36)} />
      <FeltGroup {...group("pairs", FIVE)} shape="drawn" face={drawn(30)} />
      <FeltGroup {...group("doubles", SIX)} hint={text("board.doublesHint")} shape="drawn" face={drawn(30)} />
      <FeltGroup {...group("triples", SIX)} shape="drawn" face={drawn(24)} />
      <FeltGroup
        title={text("board.allDice")}
        columns={TWO}
        shape="named"
        odds={odds.filter((item) => !ofFaces(item))}
        face={({ group }) => (group === "different" ? <UnlikeDice size={20} /> : <AlikeDice count={3} size={20} />)}
        {...given}
      />
    </Felt>
  );
}
