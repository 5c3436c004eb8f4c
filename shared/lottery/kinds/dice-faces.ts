import { countOf, diceFromBytes, FACES, sumOf } from "#shared/lottery/dice.ts";
import { rateFor } from "#shared/lottery/odds.ts";
import type { Draw, Option, Rules } from "#shared/lottery/rules.ts";

/*
 * Three dice, and bets on which faces fall: triples, doubles, two faces, one
 * face that pays by how often it falls, three that differ.
 */
const DICE = 3;
/** Returns in 1/1000 of the stake. A single face has the usual rates of such tables, which return 208/216. */
const RTP = 950;
const DIFFERENT_RTP = 975;
const FACE_RATES = [2_000, 3_000, 13_000];

const COLORS = { triples: "#8f2d56", doubles: "#b93c16", pairs: "#0f7b6c", faces: "#2f5d9b", different: "#6a5acd" };
type Group = keyof typeof COLORS;

const option = (type: string, group: Group, name: Option["name"], times: Option["times"], most = 1): Option => ({
  type,
  group,
  color: COLORS[group],
  name,
  times,
  most,
});

const different = (draw: Draw) => new Set(draw).size;

const triples = FACES.map((face) =>
  option(`${face}-${face}-${face}`, "triples", { key: "option.triple", values: { face } }, (draw) =>
    Number(countOf(draw, face) === 3),
  ),
);
const anyTriple = option("triple", "triples", { key: "option.anyTriple" }, (draw) => Number(different(draw) === 1));
const doubles = FACES.map((face) =>
  option(`${face}-${face}`, "doubles", { key: "option.double", values: { face } }, (draw) =>
    Number(countOf(draw, face) >= 2),
  ),
);
const pairs = FACES.flatMap((low) =>
  FACES.filter((high) => high > low).map((high) =>
    option(`${low}-${high}`, "pairs", { key: "option.pair", values: { low, high } }, (draw) =>
      Number(draw.includes(low) && draw.includes(high)),
    ),
  ),
);
const faces = FACES.map((face) =>
  option(
    String(face),
    "faces",
    { key: "option.face", values: { face } },
    (draw) => countOf(draw, face),
    FACE_RATES.length,
  ),
);
const distinct = option("distinct", "different", { key: "option.distinct" }, (draw) => Number(different(draw) === 3));

const once = [...triples, anyTriple, ...doubles, ...pairs];

export const diceFaces: Rules = {
  kind: "dice-faces",
  classKey: "faces",
  dice: DICE,
  faces: 6,
  options: [...once, ...faces, distinct],
  get odds() {
    return [
      ...once.map((one) => rateFor(RTP, one, DICE)),
      ...faces.flatMap(() => FACE_RATES),
      rateFor(DIFFERENT_RTP, distinct, DICE),
    ];
  },
  drawFrom: (bytes) => diceFromBytes(DICE, bytes),
  view: (draw) => ({ sum: sumOf(draw), size: null, parity: null }),
};
