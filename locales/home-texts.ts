import { partOf, type LanguageFile, type TextTree } from "./languages.ts";

/**
 * What Home says, and what may be said before anything else has loaded: keys, and groups of them. A test holds it to what
 * the built app names (`tests/server/http/web-first-load.test.ts`).
 */
const ON_HOME = new Set([
  "tab",
  "action.back",
  "action.retry",
  "action.ok",
  "action.reload",
  "action.seeAll",
  "action.toHome",
  "action.login",
  "action.confirm",
  "action.close",
  "state.away",
  "state.lineAway",
  "state.asOf",
  "state.serverAway",
  "state.broken",
  "state.brokenHint",
  "state.refreshed",
  "figure",
  "fault",
  "language",
  "session.welcome",
  "session.switchTitle",
  "session.switchWhy",
  "session.switchGo",
  "session.switchStay",
  "home.title",
  "home.greeting",
  "home.notice",
  "home.banners",
  "home.video",
  "home.videoHint",
  "home.cities",
  "home.citiesHint",
  "home.service",
  "home.serviceHint",
  "home.hot",
  "home.noGames",
  "home.noGamesHint",
  "home.play",
  "home.intro",
  "home.introMoney",
  "notFound",
  "game",
  "dice",
  "round.left",
  "round.paused",
  "round.history",
  "rules",
  "own.title",
  "mine.recharge",
  "mine.service",
  "mine.check",
  "mine.about",
  "mine.limits",
  "mine.unread",
  "limit",
  "wheel.title",
  "wheel.left",
  "unit.points",
  "unit.pointLine",
  "unit.moneyLine",
  "pull",
  "hall.watching",
  "option",
]);

const PLURAL = /_(zero|one|two|few|many|other)$/;

/** A language's texts for screens: those of Home, and all others. */
export interface ScreenTexts {
  home: TextTree;
  others: TextTree;
}

/** The texts for screens of a file: their own, and the names of what can be chosen in a game, which the server says too. */
export const screenTextsOf = (file: LanguageFile): ScreenTexts =>
  split({ ...partOf(file, "app"), option: partOf(file, "option") });

function split(tree: TextTree, before = ""): ScreenTexts {
  const parts: ScreenTexts = { home: {}, others: {} };
  for (const [name, value] of Object.entries(tree)) {
    const key = before + name.replace(PLURAL, "");
    if (ON_HOME.has(key)) parts.home[name] = value;
    else if (typeof value === "string") parts.others[name] = value;
    else {
      const { home, others } = split(value, `${key}.`);
      if (Object.keys(home).length > 0) parts.home[name] = home;
      if (Object.keys(others).length > 0) parts.others[name] = others;
    }
  }
  return parts;
}
