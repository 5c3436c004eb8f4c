import { fromUnits } from "#shared/money.ts";
import { DEMO_CAPTIONS, DEMO_GAME_NAMES, DEMO_NOTICES, DEMO_PLAN_NAMES } from "./texts.ts";

/** The data of the demo, for an empty database. Everybody in it is fictional. */
export const DEMO_INVITE = "TRIO2026";

/** What whoever registers in the demo begins with, in whole points. */
export const DEMO_WELCOME = 1_000;

export const DEMO_MEMBERS = [
  { username: "demo", password: "demo12345", payPin: "123456", balance: fromUnits(100_000), memberDays: 365 },
  { username: "guest01", password: "guest12345", payPin: null, balance: fromUnits(1_000), memberDays: 0 },
];

/** How to get into the demo. */
export interface DemoLogins {
  members: readonly { username: string; password: string }[];
  invite: string;
}

/** What everybody knows, from the README. `login.ts` accepts it on this machine alone. */
export const PUBLIC_LOGINS: DemoLogins = { members: DEMO_MEMBERS, invite: DEMO_INVITE };

export const DEMO_GAMES = [
  { key: "k3-1m", name: DEMO_GAME_NAMES.oneMinute, periodS: 60, closeS: 3 },
  { key: "k3-3m", name: DEMO_GAME_NAMES.threeMinutes, periodS: 180, closeS: 3 },
  { key: "k3-5m", name: DEMO_GAME_NAMES.fiveMinutes, periodS: 300, closeS: 3 },
  { key: "faces-1m", kind: "dice-faces", name: DEMO_GAME_NAMES.faces, periodS: 60, closeS: 3 },
  { key: "pair-1m", kind: "dice-pair", name: DEMO_GAME_NAMES.pair, periodS: 60, closeS: 3 },
];

export const DEMO_PLANS = [
  { id: "plan_30", name: DEMO_PLAN_NAMES.month, days: 30, price: fromUnits(300) },
  { id: "plan_90", name: DEMO_PLAN_NAMES.season, days: 90, price: fromUnits(800) },
  { id: "plan_365", name: DEMO_PLAN_NAMES.year, days: 365, price: fromUnits(2_800) },
];

/** The pictures at the top of the home screen, and their links. */
export const DEMO_BANNERS = [
  { url: "/banners/play.svg", link: "/Game", caption: DEMO_CAPTIONS.play },
  { url: "/banners/video.svg", link: "/Video", caption: DEMO_CAPTIONS.video },
  { url: "/banners/cities.svg", link: "/nHomeList", caption: DEMO_CAPTIONS.cities },
];

export { DEMO_NOTICES };
