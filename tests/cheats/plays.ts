import type { Plays } from "./play.ts";
import { bets } from "./plays/bets.ts";
import { erasures } from "./plays/erasures.ts";
import { ledger } from "./plays/ledger.ts";
import { log } from "./plays/log.ts";
import { origins } from "./plays/origins.ts";
import { clocks, members, screens } from "./plays/shown.ts";
import { withdrawals } from "./plays/withdrawals.ts";
import { odds } from "./plays/odds.ts";
import { beacons } from "./plays/beacons.ts";
import { heads } from "./plays/heads.ts";
import { own } from "./plays/own.ts";
import { refusals } from "./plays/refusals.ts";
import { results } from "./plays/results.ts";
import { rounds } from "./plays/rounds.ts";
import { wheel } from "./plays/wheel.ts";

/** How each row is played, by its name. A row that is not here cannot be played yet. */
export const PLAYS: Plays = {
  ...results,
  ...rounds,
  ...odds,
  ...bets,
  ...wheel,
  ...ledger,
  ...withdrawals,
  ...own,
  ...erasures,
  ...log,
  ...heads,
  ...refusals,
  ...beacons,
  ...members,
  ...clocks,
  ...origins,
  ...screens,
};
