import { ROWS } from "#client/routes.tsx";
import { TEN_SECONDS } from "./server-process.ts";

const WITH_QUERY: Record<string, string> = {
  "/Lottery": `?key=${TEN_SECONDS.key}&id=lot_1`,
  "/Fair": `?key=${TEN_SECONDS.key}`,
  "/Channel": "?money=100",
  "/nHomeDetail": "?id=lst_2",
  "/List": "?id=cty_2&name=Hanoi",
  "/Profile": "?id=lst_2&name=Hanoi&adsid=cty_2",
  "/PlayVideo": "?id=vid_1",
};

/** The table of TEN_SECONDS. */
export const TABLE_PATH = `/Lottery${WITH_QUERY["/Lottery"]}`;

/** Every screen, on a site with the game TEN_SECONDS, the catalogue of Seoul and Hanoi, and a video. */
export const SCREEN_PATHS: readonly string[] = ROWS.map(({ path }) => `${path}${WITH_QUERY[path] ?? ""}`);
