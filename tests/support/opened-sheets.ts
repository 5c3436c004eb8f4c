import type { Locator, Page } from "playwright-core";
import { setPayPassword } from "#shared/contract/member.ts";
import { doLogin } from "#shared/contract/session.ts";
import { setLimits } from "#shared/contract/wallet.ts";
import { HOUR_MS } from "#shared/time.ts";
import { NUMBER, operatorOf, PIN, prepare } from "./withdrawal-steps.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserTest } from "./browser-test.ts";
import { layersInHistory, standsStill } from "./browser.ts";
import { BrowserAuthenticator } from "./browser-authenticator.ts";
import { fillCatalogue } from "./catalogue.ts";
import type { Client } from "./client.ts";
import { importVideos } from "./import-videos.ts";
import { bet } from "./opened-screens.ts";
import { withConnection } from "./own-connection.ts";
import type { ServerHere } from "./server-here.ts";
import { offerPrizes } from "./prizes.ts";
import { TEN_SECONDS } from "./server-process.ts";
import { settle } from "./settled-screen.ts";
import type { Visitor } from "./visitor.ts";

/** The second game, which is paused. */
const RESTING = { ...TEN_SECONDS, key: "resting", name: "Resting" };

/** A site on which everything can be opened. */
export const openableTest = () =>
  browserTest({
    furnish: async (server) => {
      const operator = operatorOf(server);
      await offerPrizes(server);
      await fillCatalogue(server, { seoul: 1, hanoi: 3 });
      await importVideos(server, { size: "648x364", seconds: 20 });
      const plans = join(server.folder, "plans.json");
      writeFileSync(plans, JSON.stringify([{ id: "plan_30", name: { en_us: "A month" }, days: 30, price: 300 }]));
      await operator("plan:set", plans);
      await operator("lottery:pause", RESTING.key);
    },
    games: [TEN_SECONDS, RESTING],
  });

/** What the last draw brought the member, opened at its table. */
const RESULT = "main [data-result]";

interface Stage {
  server: ServerHere;
  member: Client;
  username: string;
  visitor: Visitor;
}

/** A sheet, a menu or a picture over a screen. */
export interface Opening {
  /** The file in `client/` that has it. */
  from: string;
  name: string;
  path: string;
  /** What it needs, before its screen is there. */
  before?: (stage: Stage) => Promise<unknown>;
  /** What is done on the screen before it is opened. */
  steps?: (stage: Stage) => Promise<unknown>;
  /** What opens it; without one it comes by itself. */
  opener?: (visitor: Visitor) => Locator;
  /** How it is opened, if not by a press on the opener. */
  open?: (opener: Locator) => Promise<unknown>;
  /** Who comes: by default a member who knows the table. */
  comes?: "guest" | "newcomer";
}

type Key = Parameters<Visitor["button"]>[0];

const button =
  (key: Key) =>
  ({ page, words }: Visitor) =>
    page
      .getByRole("main")
      .getByRole("button", { name: words.like(key) })
      .first();
const inDialog =
  (key: Key) =>
  ({ page, words }: Visitor) =>
    page.getByRole("dialog").getByRole("button", { name: words.text(key), exact: true });
const at =
  (selector: string) =>
  ({ page }: Visitor) =>
    page.locator(selector).first();

const table = (key: string) => `/Lottery?key=${key}`;
const set = (name: string, value: string) => (stage: Stage) => operatorOf(stage.server)("setting:set", name, value);

/** The member has a passkey, and its sheet for another is open. */
async function withPasskey({ visitor: { page, button, words } }: Stage): Promise<void> {
  await BrowserAuthenticator.on(page);
  await page.goto("/Passkeys");
  await button("passkeys.add").click();
  await inDialog("passkeys.add")({ page, words } as Visitor).click();
  await page.locator("main li").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** The member's last proof is long ago. */
const age = ({ server, username }: Stage) =>
  withConnection(server.database, ({ run }) =>
    run(`update sessions set proven_at = 1 where member_id = (select id from members where username = '${username}')`),
  );

async function fillAccount({ visitor: { field, page } }: Stage): Promise<void> {
  await page.locator('select[name="bank_code"]').selectOption({ index: 1 });
  await field("bank.number").fill(NUMBER);
  await field("bank.holder").fill("Somebody");
}

/** A visit of an hour, of which nobody was reminded. */
async function stayLong({ member, visitor: { page } }: Stage): Promise<void> {
  await member.must(setLimits, { remind_minutes: "1" });
  await page.goto("/Fair");
  const visit = { mark: member.token!.slice(-8), what: { seen: HOUR_MS, remindedAt: 0, net: 0 } };
  await page.evaluate((visit) => sessionStorage.setItem("seen", visit), JSON.stringify(visit));
}

/** Every sheet, menu and picture that the app opens. */
export const OPENINGS: readonly Opening[] = [
  {
    from: "components/ProofSheet.tsx",
    name: "the question who one is",
    path: "/Passkeys",
    before: age,
    steps: ({ visitor }) => button("passkeys.add")(visitor).click(),
    opener: inDialog("passkeys.add"),
  },
  {
    from: "screens/listing/FilterSheet.tsx",
    name: "the filters",
    path: "/nHomeList",
    opener: button("listing.filter"),
  },
  { from: "screens/listing/CitySheet.tsx", name: "the cities", path: "/Home", opener: button("city.pick") },
  {
    from: "screens/listing/ListingDetail.tsx",
    name: "the way to a booking",
    path: "/nHomeDetail?id=lst_2",
    opener: button("listing.contactButton"),
  },
  {
    from: "screens/listing/PictureSlides.tsx",
    name: "a picture of a listing",
    path: "/nHomeDetail?id=lst_4",
    opener: at("main section button"),
  },
  {
    from: "screens/listing/Gallery.tsx",
    name: "a picture of the gallery",
    path: "/Gallery",
    opener: at("main li button"),
  },
  {
    from: "screens/lottery/CartPanel.tsx",
    name: "the cart",
    path: table(TEN_SECONDS.key),
    opener: at('[data-option="A"]'),
  },
  {
    from: "screens/lottery/DrawStats.tsx",
    name: "the past draws",
    path: table(TEN_SECONDS.key),
    opener: button("round.stats"),
  },
  {
    from: "screens/lottery/HowToPlay.tsx",
    name: "how to play",
    path: table(TEN_SECONDS.key),
    opener: button("guide.title"),
  },
  {
    from: "screens/lottery/OwnStrip.tsx",
    name: "my bets",
    path: table(TEN_SECONDS.key),
    before: ({ member }) => bet(member, "A,18"),
    // It opens by itself, and lies over the table until it is closed.
    steps: async ({ visitor }) => {
      await visitor.page.locator(RESULT).waitFor();
      await visitor.button("action.close").click();
    },
    opener: at("main button.bg-felt-deep:enabled"),
  },
  {
    from: "screens/lottery/ResultPanel.tsx",
    name: "what a draw brought",
    path: table(TEN_SECONDS.key),
    before: ({ member }) => bet(member, "A,18"),
  },
  {
    from: "screens/lottery/TableNote.tsx",
    name: "why a table rests",
    path: table(RESTING.key),
    opener: button("round.pausedFrom"),
  },
  {
    from: "screens/lottery/FirstMinutes.tsx",
    name: "the first minutes",
    path: table(TEN_SECONDS.key),
    comes: "newcomer",
  },
  {
    from: "screens/member/AvatarSheet.tsx",
    name: "the pictures of a member",
    path: "/Infomation",
    opener: at("main button"),
  },
  {
    from: "screens/member/Infomation.tsx",
    name: "the name",
    path: "/Infomation",
    opener: at('main a[href="/Setname"]'),
  },
  {
    from: "screens/member/Infomation.tsx",
    name: "the sex",
    path: "/Infomation",
    opener: at('main a[href="/Setsex"]'),
  },
  {
    from: "screens/member/Infomation.tsx",
    name: "the account",
    path: "/Infomation",
    opener: at('main a[href="/Setbank"]'),
  },
  {
    from: "screens/member/RealName.tsx",
    name: "the name once more",
    path: "/Setname",
    steps: ({ visitor: { page } }) => page.locator('input[name="name"]').fill("Somebody"),
    opener: inDialog("realName.save"),
  },
  {
    from: "screens/payments/BankAccount.tsx",
    name: "the account once more",
    path: "/Setbank",
    before: ({ member }) => member.must(setPayPassword, { paypassword: PIN }),
    steps: fillAccount,
    opener: inDialog("bank.save"),
  },
  {
    from: "screens/payments/PasscodeSheet.tsx",
    name: "the passcode",
    path: "/Withdraw",
    before: ({ member }) => prepare(member, 500),
    steps: ({ visitor }) => visitor.field("withdraw.amount").fill("200"),
    opener: button("withdraw.send"),
  },
  {
    from: "screens/session/AddPasskey.tsx",
    name: "a new passkey",
    path: "/Passkeys",
    opener: button("passkeys.add"),
  },
  {
    from: "screens/session/RenamePasskey.tsx",
    name: "another name of a passkey",
    path: "/Passkeys",
    before: withPasskey,
    opener: button("passkeys.rename"),
  },
  {
    from: "screens/session/RemovePasskey.tsx",
    name: "the end of a passkey",
    path: "/Passkeys",
    before: withPasskey,
    opener: button("passkeys.remove"),
  },
  {
    from: "screens/session/EndSheet.tsx",
    name: "the end of sessions",
    path: "/Sessions",
    before: ({ member, username }) => member.must(doLogin, { username, password: `${username} says` }),
    opener: button("sessions.endAll"),
  },
  {
    from: "screens/session/Invites.tsx",
    name: "the code of an invitation",
    path: "/Invites",
    before: set("member_invites", "1"),
    steps: ({ visitor }) => button("invites.make")(visitor).click(),
    opener: at("main li button"),
  },
  {
    from: "screens/session/Agreement.tsx",
    name: "the agreement",
    path: "/Register",
    opener: button("session.readAgreement"),
    comes: "guest",
  },
  {
    from: "screens/site/LanguagePicker.tsx",
    name: "the first question",
    path: "/Fair",
    before: async ({ visitor: { page } }) => {
      await page.goto("/About");
      await page.evaluate(() => localStorage.removeItem("viodeLang"));
    },
  },
  { from: "screens/site/Logout.tsx", name: "the way out", path: "/Setting", opener: button("session.logout") },
  { from: "screens/wallet/BreakSheet.tsx", name: "a break", path: "/Limits", opener: at('main [role="group"] button') },
  { from: "screens/wallet/Offers.tsx", name: "a plan", path: "/Plans", opener: button("plan.buy") },
  { from: "screens/wallet/Reminder.tsx", name: "the reminder", path: "/About", before: stayLong },
  {
    from: "screens/wheel/PrizeSheet.tsx",
    name: "a prize",
    path: "/luckDraw",
    steps: ({ visitor: { page } }) => page.locator('main .size-75 button:not([aria-disabled="true"])').waitFor(),
    opener: button("wheel.go"),
  },
  {
    from: "screens/video/PreviewOffer.tsx",
    name: "the end of a preview",
    path: "/PlayVideo?id=vid_1",
    opener: at('main input[type="range"]'),
    open: (line) => line.fill("18"),
  },
  {
    from: "screens/video/PreviewOffer.tsx",
    name: "the plans over a video",
    path: "/PlayVideo?id=vid_1",
    opener: at('main input[type="range"]'),
    open: async (line) => {
      await line.fill("18");
      await line.page().getByRole("dialog").getByRole("button").nth(1).click();
      await line.page().getByRole("dialog").locator("ul").first().waitFor();
    },
  },
  {
    from: "screens/video/ControlBar.tsx",
    name: "the speeds",
    path: "/PlayVideo?id=vid_1",
    opener: button("player.speed"),
  },
  {
    from: "screens/video/ControlBar.tsx",
    name: "the qualities",
    path: "/PlayVideo?id=vid_1",
    opener: button("player.quality"),
  },
  {
    from: "screens/video/ControlBar.tsx",
    name: "the captions",
    path: "/PlayVideo?id=vid_1",
    opener: button("player.captions"),
  },
  // Last, because it comes on each visit to Home from now on.
  {
    from: "screens/site/HomeExtras.tsx",
    name: "the announcement",
    path: "/Home",
    before: async (stage) => {
      await set("pop_content", "<p>Open late today</p>")(stage);
      await set("ispop", "1")(stage);
    },
  },
];

/** What lies over a screen: a sheet, a menu, the open cart, or a result. Only what passes by itself is no modal dialog. */
export const layersOf = (page: Page): Locator =>
  page.locator(`[role="dialog"]:not([aria-modal="false"]), [role="menu"], main form:has([name="stake"]), ${RESULT}`);

/** How somebody comes for an opening: under the name of this machine, because passkeys work nowhere else. */
export const comingTo = ({ comes }: Opening, { address }: ServerHere, { token }: Client) => ({
  address: address.replace("127.0.0.1", "localhost"),
  isNew: comes === "newcomer",
  ...(comes !== "guest" && { token: token! }),
});

/** Goes to the screen of an opening. The opener, if there is one, stands in the middle of it and has the focus. */
export async function comeTo({ path, before, steps, opener }: Opening, stage: Stage): Promise<Locator | undefined> {
  const { page } = stage.visitor;
  await before?.(stage);
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  await steps?.(stage);
  const pressed = opener?.(stage.visitor);
  await pressed?.waitFor();
  await settle(page);
  await pressed?.evaluate((it: HTMLElement) => {
    it.scrollIntoView({ block: "center" });
    it.focus({ preventScroll: true });
  });
  return pressed;
}

/** Opens it, over so many that are open already, and waits until it stands. */
export async function openOver(page: Page, { open }: Opening, pressed: Locator | undefined, below: number) {
  if (pressed) await (open?.(pressed) ?? pressed.press("Enter"));
  await layersOf(page).nth(below).waitFor();
  await layersInHistory(page, below + 1);
  // What it takes the place of fades away.
  await layersOf(page)
    .nth(below + 1)
    .waitFor({ state: "detached" });
  await standsStill(layersOf(page).nth(below));
}
