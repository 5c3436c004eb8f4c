import { ROWS, type Row } from "#client/routes.tsx";
import { TEN_SECONDS } from "./server-process.ts";

const queries = (game: string): Record<string, string> => ({
  "/Lottery": `?key=${game}&id=lot_1`,
  "/Fair": `?key=${game}`,
  "/Channel": "?money=100",
  "/nHomeDetail": "?id=lst_2",
  "/List": "?id=cty_2&name=Hanoi",
  "/Profile": "?id=lst_2&name=Hanoi&adsid=cty_2",
  "/PlayVideo": "?id=vid_1",
});

/** The router's own list, on a site whose first game is this one, with two cities, two listings and a video. */
export const screenPaths = (game: string, rows: readonly Row[] = ROWS): readonly string[] =>
  rows.map(({ path }) => `${path}${queries(game)[path] ?? ""}`);

/** The table of TEN_SECONDS. */
export const TABLE_PATH = `/Lottery${queries(TEN_SECONDS.key)["/Lottery"]}`;

/** Every screen, on a site with the game TEN_SECONDS, the catalogue of Seoul and Hanoi, and a video. */
export const SCREEN_PATHS: readonly string[] = screenPaths(TEN_SECONDS.key);
