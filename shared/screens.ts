/** The paths of all screens. The app's router uses this list, and the server too: every other path is a 404. */
export const SCREENS = [
  "/Home",
  "/Login",
  "/Register",
  "/Recover",
  "/Language",
  "/Game",
  "/Lottery",
  "/GameRecord",
  "/Fair",
  "/Proof",
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
  "/Security",
  "/RecoveryCodes",
  "/Sessions",
  "/Passkeys",
  "/Invites",
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
  "/Saved",
  "/About",
] as const;

export type ScreenPath = (typeof SCREENS)[number];

const known = new Set(["", ...SCREENS.map((path) => path.toLowerCase())]);

/** Whether the app shows a screen at this path. Like its router, it ignores case and trailing slashes. */
export function isScreen(path: string): boolean {
  try {
    return known.has(decodeURIComponent(path.replace(/\/+$/, "")).toLowerCase());
  } catch {
    return false;
  }
}
