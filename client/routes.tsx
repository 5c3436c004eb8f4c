import { lazy, type ComponentType } from "react";
import { fetchPiece } from "./missing-piece.ts";

/** `free`: open to anyone. `site`: to anyone, unless the site asks for a login. `session`: to members. */
export type Entry = "free" | "site" | "session";

export interface Row {
  path: string;
  entry: Entry;
  /** One of the screens with the tab bar. */
  isTab?: boolean;
  load: Module;
  Screen: ComponentType;
}

type Module = () => Promise<{ default: ComponentType }>;

const row = (path: string, entry: Entry, load: Module, isTab = false): Row => ({
  path,
  entry,
  isTab,
  load,
  Screen: lazy(() => fetchPiece(load)),
});

const site = {
  home: () => import("./screens/site/Home.tsx"),
  language: () => import("./screens/site/Language.tsx"),
  setting: () => import("./screens/site/Setting.tsx"),
  service: () => import("./screens/site/OnlineService.tsx"),
};

/** Every screen, and who may see it. */
export const ROWS: readonly Row[] = [
  row("/Home", "site", site.home, true),
  row("/Login", "free", () => import("./screens/session/Login.tsx")),
  row("/Register", "free", () => import("./screens/session/Register.tsx")),
  row("/Language", "free", site.language),
  row("/Game", "session", () => import("./screens/lottery/Games.tsx"), true),
  row("/Lottery", "session", () => import("./screens/lottery/Lottery.tsx")),
  row("/GameRecord", "session", () => import("./screens/lottery/GameRecord.tsx")),
  row("/Fair", "free", () => import("./screens/lottery/DrawCheck.tsx")),
  row("/Recharge", "session", () => import("./screens/payments/Recharge.tsx")),
  row("/Channel", "session", () => import("./screens/payments/Channel.tsx")),
  row("/RechargeRecord", "session", () => import("./screens/payments/RechargeRecord.tsx")),
  row("/Setbank", "session", () => import("./screens/payments/Setbank.tsx")),
  row("/BindCard", "session", () => import("./screens/payments/BindCard.tsx")),
  row("/Withdraw", "session", () => import("./screens/payments/Withdraw.tsx")),
  row("/WithdrawRecord", "session", () => import("./screens/payments/WithdrawRecord.tsx")),
  row("/Mine", "session", () => import("./screens/member/Mine.tsx"), true),
  row("/Infomation", "session", () => import("./screens/member/Infomation.tsx")),
  row("/Messages", "session", () => import("./screens/member/Messages.tsx")),
  row("/Setname", "session", () => import("./screens/member/Setname.tsx")),
  row("/Setsex", "session", () => import("./screens/member/Setsex.tsx")),
  row("/SetLoginPassword", "session", () => import("./screens/member/SetLoginPassword.tsx")),
  row("/SetPayPassword", "session", () => import("./screens/member/SetPayPassword.tsx")),
  row("/EditPayPassword", "session", () => import("./screens/member/EditPayPassword.tsx")),
  row("/Moneylog", "session", () => import("./screens/wallet/MoneyLog.tsx")),
  row("/Personalreport", "session", () => import("./screens/wallet/PersonalReport.tsx")),
  row("/Plans", "session", () => import("./screens/wallet/Plans.tsx")),
  row("/Limits", "session", () => import("./screens/wallet/Limits.tsx")),
  row("/Setting", "session", site.setting),
  row("/Sessions", "session", () => import("./screens/session/Sessions.tsx")),
  row("/Notice", "session", () => import("./screens/site/Notices.tsx")),
  ...["/ServiceOnline", "/ServicePage"].map((path) => row(path, "free", site.service)),
  row("/luckDraw", "session", () => import("./screens/wheel/LuckDraw.tsx")),
  row("/FairWheel", "session", () => import("./screens/wheel/FairWheel.tsx")),
  row("/nHomeList", "site", () => import("./screens/listing/Listings.tsx")),
  row("/nHomeDetail", "site", () => import("./screens/listing/ListingDetail.tsx")),
  row("/Choose", "site", () => import("./screens/listing/Cities.tsx"), true),
  row("/List", "site", () => import("./screens/listing/Profiles.tsx")),
  row("/Profile", "session", () => import("./screens/listing/ListingProfile.tsx")),
  row("/Gallery", "site", () => import("./screens/listing/Gallery.tsx")),
  row("/Video", "session", () => import("./screens/video/VideoHall.tsx"), true),
  row("/PlayVideo", "session", () => import("./screens/video/PlayVideo.tsx")),
  row("/About", "free", () => import("./screens/site/About.tsx")),
];
