import { createDatabase } from "./database.ts";
import { compare, median } from "./measure.ts";
import type { Settled } from "./parts/play.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart } from "./part.ts";
import { figure, inMs, ratioLine, type Row } from "./report.ts";

const MANY = 100_000;
const FEW = 10_000;
const BETS_EACH = 5;
const PAIRS = 5;
const games = [{ key: "k3-1m", name: "A minute", periodS: 60, closeS: 3 }];

/** Draws, settles and indexes rounds of few and of many bets, and measures the main event loop's delay. */
export const settlingRow: Row = async (log) => {
  using database = await createDatabase(MANY / BETS_EACH);
  await using server = startPart<ServerPart>("server");
  await server.call("open", { folder: database.folder, games, how: "byHand" });

  async function settle(bets: number): Promise<Settled> {
    await server.call("bet", bets / BETS_EACH, BETS_EACH);
    const found = await server.call("settle");
    const took = [found.drawMs, found.creditMs, found.indexMs].map(inMs);
    log(`${figure(bets)} bets: drawn ${took[0]}, credited ${took[1]}, indexed ${took[2]}`);
    return found;
  }
  const [many, few]: [Settled[], Settled[]] = [[], []];
  for (let pair = 0; pair <= PAIRS; pair++) {
    const found = [await settle(FEW), await settle(MANY)] as const;
    if (pair === 0) continue;
    few.push(found[0]);
    many.push(found[1]);
  }
  const toDraw = compare(many.map(({ drawMs, creditMs }) => [creditMs, drawMs]));
  const perBet = compare(many.map(({ creditMs }, i) => [creditMs / MANY, few[i]!.creditMs / FEW]));
  const perIndexed = compare(many.map(({ indexMs }, i) => [indexMs / MANY, few[i]!.indexMs / FEW]));
  const blocks = many.map(({ blockMs }) => blockMs);
  const aBet = (ms: number) => `${figure(ms * 1000)} µs a bet`;
  return [
    ratioLine("settling 100 000 bets, all winners credited ÷ committing their draw row", toDraw, inMs),
    ratioLine("a bet's settling among 100 000 ÷ among 10 000", perBet, aBet, {
      better: "less",
      target: 1,
    }),
    ratioLine("a bet's indexing among 100 000 ÷ among 10 000", perIndexed, aBet),
    {
      what: "longest block of the main event loop meanwhile",
      value: median(blocks),
      unit: "ms",
      detail: `${figure(Math.min(...blocks))}–${figure(Math.max(...blocks))} in ${blocks.length}`,
      goal: { better: "less", target: 5 },
    },
  ];
};
