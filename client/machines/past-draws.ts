import { allDraws } from "#shared/lottery/dice.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import type { Draw } from "#shared/lottery/rules.ts";

/** A cell of a road; columns and rows count from 1. */
interface Cell {
  column: number;
  row: number;
}

/** Places outcomes, oldest first: a run goes down a column of at most `rows`, and on beside it. */
export function placeOnRoad(outcomes: readonly string[], rows: number): Cell[] {
  const cells: Cell[] = [];
  for (const [place, outcome] of outcomes.entries()) {
    const { column, row } = cells.at(-1) ?? { column: 1, row: 0 };
    const goesDown = place === 0 || (outcome === outcomes[place - 1] && row < rows);
    cells.push(goesDown ? { column, row: row + 1 } : { column: column + 1, row: 1 });
  }
  return cells;
}

/** How often an option of a group fell in some draws, and how often as many fair draws make it fall on average. */
interface Count {
  type: string;
  fell: number;
  expected: number;
}

/** The counts of a group's options; none for a kind that is newer than this page. */
export function countFallen(kind: string, group: string | null, draws: readonly Draw[]): Count[] {
  const rules = GAME_KINDS.get(kind);
  const every = rules ? allDraws(rules.dice) : [];
  return (rules?.options ?? [])
    .filter((option) => option.group === group)
    .map(({ type, times }) => {
      const fallen = (among: readonly Draw[]) => among.reduce((sum, draw) => sum + times(draw), 0);
      return { type, fell: fallen(draws), expected: (fallen(every) / every.length) * draws.length };
    });
}
