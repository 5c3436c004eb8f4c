import { MOST_COOLING_HOURS } from "#server/domains/account/time-left.ts";
import { LOCALES, type LocalText } from "#shared/locales.ts";
import { MAX_UNITS } from "#shared/money.ts";
import { isUnit } from "#shared/unit.ts";

/** One setting of the operator: its meaning, its default, and how its text is parsed. */
export interface Setting<T = unknown> {
  meaning: string;
  fallback: T;
  /** Reads what the operator typed. Throws with a reason when it does not fit. */
  parse(text: string): T;
  secret?: true;
  /** Part of BaseInfo; a change is pushed to everybody. */
  shown?: true;
  /** Its texts are HTML and are sanitized. */
  html?: true;
  /** One text for all, or one for each language. */
  local?: true;
}

const flag = (meaning: string, fallback: 0 | 1): Setting<0 | 1> => ({
  meaning: `${meaning} (0 or 1)`,
  fallback,
  shown: true,
  parse: (text) => (text === "1" ? 1 : text === "0" ? 0 : refuse("0 or 1")),
});

const text = (meaning: string, fallback: string): Setting<string> => ({
  meaning,
  fallback,
  shown: true,
  parse: (value) => value,
});

const localText = (meaning: string, fallback: LocalText): Setting<LocalText> => ({
  meaning: `${meaning} (a text, or JSON {"en_us": "…"} by language)`,
  fallback,
  shown: true,
  local: true,
  parse: parseLocalText,
});

const number = (meaning: string, fallback: number, least: number, most: number): Setting<number> => ({
  meaning: `${meaning} (${least} to ${most})`,
  fallback,
  parse: (value) =>
    /^\d{1,12}$/.test(value) && +value >= least && +value <= most
      ? +value
      : refuse(`a whole number ${least} to ${most}`),
});

/** One text for all, or JSON with one per language code. */
export function parseLocalText(value: string): LocalText {
  if (!value.trimStart().startsWith("{")) return value;
  const map = JSON.parse(value) as Record<string, unknown>;
  const codes = new Set<string>(LOCALES.map(({ code }) => code));
  for (const [code, part] of Object.entries(map)) {
    if (!codes.has(code)) refuse(`language codes (${[...codes].join(", ")}), not ${code}`);
    if (typeof part !== "string") refuse("texts by language code");
  }
  return map;
}

function refuse(wanted: string): never {
  throw new Error(`expected ${wanted}`);
}

/** Every setting, in the order they are listed. */
export const SETTINGS: Record<string, Setting> = {
  name: localText("The club's name", "Trio"),
  ico: text("The club's picture", "/icons/trio.svg"),
  login_bg: text("The picture behind the login form", "/icons/login.svg"),
  unit: {
    ...text(
      "`point`, or the ISO 4217 code of a currency: then games wait for a licence. Fixed once the ledger has begun",
      "point",
    ),
    parse: (value) =>
      isUnit(value) ? value : refuse("`point`, or a currency with two or no digits after the point, such as EUR"),
  },
  licence: text("The gaming licence that is shown; without one, no game in a currency", ""),
  login_out: flag("Clients ask whether they were logged out", 1),
  video_login: flag("Guests see the login first", 0),
  isplay: flag("Games are switched on", 1),
  isluckdraw: flag("The prize wheel is switched on", 1),
  ispop: flag("The announcement pops up on the home screen", 0),
  pop_content: { ...localText("What the announcement says (HTML)", ""), html: true },
  iskefu: flag("Online service is switched on", 1),
  kefu: text("The address of the online service", ""),
  kefu_hours: localText("When the service answers, such as 9–18, or 7*24 for around the clock", ""),
  head_toal: { ...number("How many stock avatars there are", 20, 1, 100), shown: true },
  lang_data: {
    meaning: "The languages to choose from, comma-separated codes",
    fallback: LOCALES.map(({ code }) => code),
    shown: true,
    parse: parseLanguages,
  },
  close_withdraw: flag("Withdrawals are closed, with a reason below", 0),
  close_withdraw_reason: localText("Why withdrawals are closed", ""),
  close_recharge: flag("Top-ups are closed", 0),
  min_withdraw: number("The least that a withdrawal may be, in whole units", 100, 1, MAX_UNITS),
  max_withdraw: number("The most that a withdrawal may be, in whole units", MAX_UNITS, 1, MAX_UNITS),
  daily_withdraw_count: number(
    "How many withdrawals a member has in a day (UTC); refused ones do not count",
    50,
    1,
    1000,
  ),
  cooling_hours: number(
    "Hours in which no withdrawal is approved or paid after an account was changed, by its member or an operator",
    24,
    0,
    MOST_COOLING_HOURS,
  ),
  withdraw_two_persons: number(
    "A withdrawal over this, in whole units, is approved by two operators, the second at the console; 0: by one",
    0,
    0,
    MAX_UNITS,
  ),
  edit_paypwd: flag("Members may change their pay password", 0),
  close_number: text("The contact shown while withdrawals are closed", ""),
  pay_banklist: {
    meaning: "The payment channels that are offered, comma-separated codes; empty: all that this site has",
    fallback: [],
    shown: true,
    parse: (value) => value.split(",").filter(Boolean),
  },
  pay_fees: {
    meaning: "What members pay on top, in percent of the amount by channel: CODE=1.5,CODE=2; empty: nothing",
    fallback: {},
    parse: parseFees,
  },
  free_see_time: { ...number("Seconds of a video that anyone may see", 15, 1, 3600), shown: true },
  welcome_points: number(
    "Points that a new member is given at registration, where the unit is `point`",
    0,
    0,
    MAX_UNITS,
  ),
  member_invites: {
    ...number("How many invites, each for one person, a member may make; 0: none. Those made stay valid", 0, 0, 100),
    shown: true,
  },
  spin_daily: number("Free spins of the prize wheel that a member has in a day (UTC)", 1, 0, 1_000_000),
  spin_price: number("What a further spin costs, in whole units; 0: none is sold", 0, 0, MAX_UNITS),
  session_days: number("How many days a login lasts at most, however much it is used", 90, 1, 365),
  single_session: unseen(flag("A new login ends the member's others", 0)),
  weak_secrets: unseen(
    flag("New passwords and passcodes that are easy to guess are taken too, for trials. 0 is safer; the demo has 1", 0),
  ),
  get_writes: unseen(
    flag(
      "setName and setLoginPassword are served to GET too. 0 is safer: logs of others keep what an address holds",
      1,
    ),
  ),
  sso_audience: unseen(
    flag(
      "A partner's ticket must name this site as its audience. 1 is safer where the partner's secret serves others",
      0,
    ),
  ),
  sso_secret: {
    meaning: "What the partner signs its login links with, at least 32 characters; empty: no single sign-on",
    fallback: "",
    secret: true,
    parse: (value) => (/^$|^\P{Cc}{32,}$/u.test(value) ? value : refuse("at least 32 characters, or nothing")),
  },
  beacon: unseen({
    ...text("The public randomness mixed into draws: `none`, or `drand`. Acts from the round after next", "none"),
    parse: (value) => (value === "none" || value === "drand" ? value : refuse("`none` or `drand`")),
  }),
};

function unseen<T>(setting: Setting<T>): Setting<T> {
  const { meaning, fallback, parse } = setting;
  return { meaning, fallback, parse };
}

function parseLanguages(value: string): string[] {
  const known = new Set<string>(LOCALES.map(({ code }) => code));
  const codes = value.split(",");
  return codes.every((code) => known.has(code)) ? codes : refuse("codes such as vn_vn,ko_kr");
}

/** Percent with at most two decimals: `card=1.25`. */
function parseFees(value: string): Record<string, number> {
  const pairs = value.split(",").filter(Boolean);
  const fees = pairs.map(
    (pair) => /^([a-z0-9-]{1,32})=(\d{1,2}(?:\.\d{1,2})?)$/.exec(pair) ?? refuse("CODE=1.5,CODE=2"),
  );
  return Object.fromEntries(fees.map(([, code, percent]) => [code, Number(percent)]));
}
