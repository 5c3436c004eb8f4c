/** Where each screen stands. The app's router goes by this list, and so does the server, to tell it from nowhere. */
export const SCREENS = [
  "/Home",
  "/Login",
  "/Register",
  "/Language",
  "/Game",
  "/Lottery",
  "/GameRecord",
  "/Fair",
  "/Recharge",
  "/Channel",
  "/RechargeRecord",
  "/Setbank",
  "/BindCard",
  "/Withdraw",
  "/WithdrawRecord",
  "/Mine",
  "/Infomation",
  "/Messages",
  "/Setname",
  "/Setsex",
  "/SetLoginPassword",
  "/SetPayPassword",
  "/EditPayPassword",
  "/Moneylog",
  "/Personalreport",
  "/Plans",
  "/Limits",
  "/Setting",
  "/Sessions",
  "/Notice",
  "/ServiceOnline",
  "/ServicePage",
  "/luckDraw",
  "/FairWheel",
  "/nHomeList",
  "/nHomeDetail",
  "/Choose",
  "/List",
  "/Profile",
  "/Gallery",
  "/Video",
  "/PlayVideo",
  "/About",
] as const;

export type ScreenPath = (typeof SCREENS)[number];

const known = new Set(["", ...SCREENS.map((path) => path.toLowerCase())]);

/** Whether the app shows a screen at this path, as its router reads it: in any case, with slashes at the end. */
export function isScreen(path: string): boolean {
  try {
    return known.has(decodeURIComponent(path.replace(/\/+$/, "")).toLowerCase());
  } catch {
    return false;
  }
}
