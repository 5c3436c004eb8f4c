import { bets } from "./bets.ts";
import { clocks } from "./clocks.ts";
import type { Cheat } from "./cheat.ts";
import { ledger } from "./ledger.ts";
import { log } from "./log.ts";
import { members } from "./members.ts";
import { odds } from "./odds.ts";
import { origins } from "./origins.ts";
import { refusals } from "./refusals.ts";
import { results } from "./results.ts";
import { rounds } from "./rounds.ts";
import { screens } from "./screens.ts";
import { wheel } from "./wheel.ts";
import { withdrawals } from "./withdrawals.ts";

/** All ways to cheat that we know of, by what is attacked. */
export const ATTACKED: { what: string; cheats: Cheat[] }[] = [
  { what: "A result", cheats: results },
  { what: "A round", cheats: rounds },
  { what: "Odds", cheats: odds },
  { what: "Bets and payouts", cheats: bets },
  { what: "The wheel", cheats: wheel },
  { what: "Balances and the ledger", cheats: ledger },
  { what: "Withdrawals", cheats: withdrawals },
  { what: "The log", cheats: log },
  { what: "What the house owes", cheats: refusals },
  { what: "Members and scores", cheats: members },
  { what: "Time", cheats: clocks },
  { what: "Restore and fork", cheats: origins },
  { what: "What the app shows", cheats: screens },
];

export const CHEATS: Cheat[] = ATTACKED.flatMap(({ cheats }) => cheats);
