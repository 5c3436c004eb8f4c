import type { Cheat } from "../cheat.ts";
import type { Play, Plays } from "../play.ts";
import { PLAYS } from "../plays.ts";
import { CHEATS } from "../table.ts";
import { HONEST, trialOf } from "./judges.ts";
import type { PlayedSite } from "./played-site.ts";
import { HEAD, LEGEND, rowOf, verdictOn } from "./verdict.ts";

export const playsOf = ({ id }: Pick<Cheat, "id">, all: Plays = PLAYS): Play[] => [all[id] ?? []].flat();

/** A row by its name or its number in the table. Throws where there is none. */
export function rowNamed(name: string): Cheat {
  const row = CHEATS.find(({ id }, i) => id === name || String(i + 1) === name);
  if (!row)
    throw new Error(`There is no row ${name}: give a name of docs/cheats.md, or a number from 1 to ${CHEATS.length}.`);
  return row;
}

/** Plays rows of the table and prints who found them. Returns what went wrong: nothing is as it has to be. */
export async function tryAll(
  site: PlayedSite,
  rows: readonly Cheat[],
  say: (line: string) => void,
  all: Plays = PLAYS,
): Promise<string[]> {
  const wrong = await honestSays(site);
  say(`\n${HEAD}`);
  for (const row of rows) wrong.push(...(await tryRow(site, row, playsOf(row, all), say)));
  say(`\n${LEGEND}`);
  return wrong;
}

async function honestSays(site: PlayedSite): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, play] of Object.entries(HONEST)) {
    for (const [finder, says] of Object.entries(await trialOf(site, play)))
      wrong.push(`nobody cheated in ${name}, and ${finder} says: ${says}`);
  }
  return wrong;
}

async function tryRow(site: PlayedSite, row: Cheat, plays: Play[], say: (line: string) => void): Promise<string[]> {
  const number = CHEATS.indexOf(row) + 1;
  const wrong: string[] = [];
  for (const play of plays) {
    const trial = await trialOf(site, play).catch((error: Error) => error);
    if (trial instanceof Error) {
      wrong.push(`${[row.id, play.how ?? ""].join(" ").trim()} could not be played: ${trial.stack}`);
      continue;
    }
    const verdict = verdictOn(row.id, play, trial);
    say(rowOf(number, row, { plays, play, verdict }));
    const said = JSON.stringify(verdict.said);
    for (const finder of verdict.missed)
      wrong.push(`${[row.id, play.how ?? ""].join(" ").trim()}: ${finder} was to find it. Said was ${said}`);
  }
  return wrong;
}

const named = (rows: readonly Cheat[]) => rows.map(({ id }) => id).join(", ");

/** What is said of the rows that are not played. */
export function unplayed(rows: readonly Cheat[]): string {
  const rest = rows.filter((row) => playsOf(row).length === 0);
  const [nobody, planned] = [
    rest.filter(({ found }) => "nobody" in found),
    rest.filter(({ found }) => !("nobody" in found)),
  ];
  const lines = [
    `${rows.length - rest.length} rows were played, in ${rows.flatMap((row) => playsOf(row)).length} ways.`,
    planned.length > 0 && `${planned.length} are planned, and cannot be played yet: ${named(planned)}.`,
    nobody.length > 0 && `${nobody.length} nobody can find, and the table says why: ${named(nobody)}.`,
  ];
  return lines.filter((line) => line !== false).join("\n");
}
