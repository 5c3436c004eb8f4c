import type { ComponentType } from "react";
import { SCREENS, type ScreenPath } from "#shared/screens.ts";

/** `free`: open to anyone. `site`: to anyone, unless the site asks for a login. `session`: to members. */
export type Entry = "free" | "site" | "session";

export interface Row {
  path: ScreenPath;
  entry: Entry;
  /** One of the screens with the tab bar. */
  isTab?: boolean;
  /** One for all addresses of a screen. */
  load: Module;
}

type Module = () => Promise<{ default: ComponentType }>;

const row = (entry: Entry, load: Module, isTab = false): Omit<Row, "path"> => ({
  entry,
  isTab,
  load: () => load(),
});

const site = {
  home: () => import("./screens/site/Home.tsx"),
  language: () => import("./screens/site/Language.tsx"),
  setting: () => import("./screens/site/Setting.tsx"),
  service: () => import("./screens/support/OnlineService.tsx"),
};

/** Its forms are sheets over it. */
const info = row("session", () => import("./screens/member/Infomation.tsx"));

const listingDetail: Module = () => import("./screens/listing/ListingDetail.tsx");

/** What stands at each address, and who may see it. */
const screens: Record<ScreenPath, Omit<Row, "path">> = {
  "/Home": row("site", site.home, true),
  "/Login": row("free", () => import("./screens/session/Login.tsx")),
  "/Register": row("free", () => import("./screens/session/Register.tsx")),
  "/Recover": row("free", () => import("./screens/session/Recover.tsx")),
  "/Language": row("free", site.language),
  "/Game": row("session", () => import("./screens/lottery/Games.tsx"), true),
  "/Lottery": row("session", () => import("./screens/lottery/Lottery.tsx")),
  "/GameRecord": row("session", () => import("./screens/lottery/GameRecord.tsx")),
  "/Fair": row("free", () => import("./screens/lottery/DrawCheck.tsx")),
  "/Proof": row("free", () => import("./screens/log/Proof.tsx")),
  "/Recharge": row("session", () => import("./screens/payments/Recharge.tsx")),
  "/Channel": row("session", () => import("./screens/payments/Channel.tsx")),
  "/RechargeRecord": row("session", () => import("./screens/payments/RechargeRecord.tsx")),
  "/Setbank": info,
  "/BindCard": info,
  "/Withdraw": row("session", () => import("./screens/payments/Withdraw.tsx")),
  "/WithdrawRecord": row("session", () => import("./screens/payments/WithdrawRecord.tsx")),
  "/Mine": row("session", () => import("./screens/member/Mine.tsx"), true),
  "/Infomation": info,
  "/Messages": row("session", () => import("./screens/member/Messages.tsx")),
  "/Setname": info,
  "/Setsex": info,
  "/SetLoginPassword": row("session", () => import("./screens/member/SetLoginPassword.tsx")),
  "/SetPayPassword": row("session", () => import("./screens/member/SetPayPassword.tsx")),
  "/EditPayPassword": row("session", () => import("./screens/member/EditPayPassword.tsx")),
  "/Moneylog": row("session", () => import("./screens/wallet/MoneyLog.tsx")),
  "/Personalreport": row("session", () => import("./screens/wallet/PersonalReport.tsx")),
  "/Plans": row("session", () => import("./screens/wallet/Plans.tsx")),
  "/Limits": row("session", () => import("./screens/wallet/Limits.tsx")),
  "/Setting": row("session", site.setting),
  "/Security": row("session", () => import("./screens/security/Security.tsx")),
  "/RecoveryCodes": row("session", () => import("./screens/security/RecoveryCodes.tsx")),
  "/Sessions": row("session", () => import("./screens/session/Sessions.tsx")),
  "/Passkeys": row("session", () => import("./screens/session/Passkeys.tsx")),
  "/Invites": row("session", () => import("./screens/session/Invites.tsx")),
  "/Notice": row("session", () => import("./screens/site/Notices.tsx")),
  "/ServiceOnline": row("free", site.service),
  "/ServicePage": row("free", site.service),
  "/luckDraw": row("session", () => import("./screens/wheel/LuckDraw.tsx")),
  "/FairWheel": row("session", () => import("./screens/wheel/FairWheel.tsx")),
  "/nHomeList": row("site", () => import("./screens/listing/Listings.tsx")),
  "/nHomeDetail": row("site", listingDetail),
  "/Choose": row("site", () => import("./screens/listing/Cities.tsx"), true),
  "/List": row("site", () => import("./screens/listing/Profiles.tsx")),
  "/Profile": row("session", listingDetail),
  "/Gallery": row("site", () => import("./screens/listing/Gallery.tsx")),
  "/Video": row("session", () => import("./screens/video/VideoHall.tsx"), true),
  "/PlayVideo": row("session", () => import("./screens/video/PlayVideo.tsx")),
  "/Saved": row("session", () => import("./screens/video/Saved.tsx")),
  "/About": row("free", () => import("./screens/site/About.tsx")),
};

export const ROWS: readonly Row[] = SCREENS.map((path) => ({ path, ...screens[path] }));

/** The row of an address, as the router finds it. */
export const rowAt = (pathname: string): Row | undefined => {
  const wanted = pathname.toLowerCase().replace(/\/+$/, "") || "/home";
  return ROWS.find(({ path }) => path.toLowerCase() === wanted);
};
