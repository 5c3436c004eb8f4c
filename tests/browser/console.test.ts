import { and, isNotNull, isNull } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rounds } from "#db/schema/lottery.ts";
import { COMMANDS } from "#server/admin/commands.ts";
import { UNATTENDED, type Given } from "#shared/console.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { BrowserAuthenticator } from "../support/browser-authenticator.ts";
import { faultsOf, leaveBrowser, newDevice, openBrowser, PHONE } from "../support/browser.ts";
import { axe } from "../support/console-axe.ts";
import { ConsoleHere } from "../support/console.ts";
import { PIXEL } from "../support/pictures.ts";
import type { Player, World } from "../support/world.ts";
import { ask } from "../server/admin/operate.ts";
import { activePlayer, city, listing, save } from "../server/listing/listing-world.ts";
import { orderBy, stripeWorld, tellByStripe } from "../server/payments/provider-world.ts";
import { asked, saver } from "../server/payments/purse.ts";

/** A site where something waits in every queue. */
async function furnish(w: World, stripe: Awaited<ReturnType<typeof stripeWorld>>["provider"]): Promise<void> {
  const mia = await saver(w, "mia_1", 1_000);
  for (const money of [300, 200]) await asked(mia, money);
  await mia.call("/support/send", { text: "Where is my money?" });
  await comment(w, await activePlayer(w, "nora_2"));
  const orderNo = await orderBy(mia, "stripe", 1_000);
  w.pass(31 * MINUTE_MS);
  await tellByStripe(w, stripe.expire(orderNo));
  await mia.call("/member/limits", { recharge_day: "500" });
  await tellByStripe(w, stripe.pay(orderNo));
  await w.game();
  await w.live(1_000);
  w.pass(57_500);
  await w.site.rounds.tick();
  const isClosed = and(isNotNull(rounds.closedAt), isNull(rounds.settledAt));
  const failed = { failedAt: w.now(), failure: "a stake is missing" };
  await w.deps.db.transact((tx) => tx.update(rounds).set(failed).where(isClosed));
}

async function comment(w: World, nora: Player): Promise<void> {
  await city(w, "Hanoi");
  await save(w, listing("one"));
  await nora.call("/xuanfei/comment", { id: "lst_1", text: "A fine evening", hearts: "5" });
}

describe.each([
  { name: "a desk", viewport: { width: 1280, height: 800 }, theme: "dark" as const },
  { name: "a phone", viewport: PHONE, theme: "light" as const },
])("the console on $name", ({ viewport, theme }) => {
  let w: World;
  let close: () => Promise<void>;
  let here: ConsoleHere;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    const made = await stripeWorld();
    ({ w, close } = made);
    await furnish(w, made.provider);
    here = await ConsoleHere.open(w);
    page = await (await newDevice(await openBrowser(), here.origin, { viewport, theme })).newPage();
    faults = faultsOf(page);
    await BrowserAuthenticator.on(page);
  });
  afterAll(async () => {
    await leaveBrowser(await openBrowser());
    await here.close();
    await close();
  });

  const told = (text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();
  const open = async (queue: string) => {
    await page.getByRole("navigation", { name: "Queues" }).getByRole("link", { name: queue }).click();
    await page.locator(".case").waitFor();
  };
  const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  const openCommand = async (name: string) => {
    await page.getByRole("link", { name: "Commands" }).click();
    await page.locator(`a[href="#/commands/${name}"]`).click();
    return page.getByRole("form", { name });
  };
  /** Presses a button by Enter while the console does not answer, and again: the focus stays, so it needs no other key. */
  const pressAgain = async (button: Locator) => {
    await button.waitFor();
    await page.context().setOffline(true);
    await button.press("Enter");
    const why = /^The console does not answer\. Is it still running\?$/;
    await page.getByRole("alert").filter({ hasText: why }).first().waitFor();
    expect([await axe(page), await isWide()]).toEqual([[], false]);
    await page.context().setOffline(false);
    await page.keyboard.press("Enter");
  };

  it("lets an invited operator in by passkey", async () => {
    await page.goto(await here.invite("anna", "owner"));
    await page.getByRole("button", { name: "Add a passkey" }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("heading", { name: "Queues" }).waitFor();
    await pressAgain(page.getByRole("button", { name: "Sign out" }));
    await pressAgain(page.getByRole("button", { name: "Sign in with a passkey" }));
    await page.getByRole("heading", { name: "Queues" }).waitFor();
    // The first look, before the sign-in, is answered so.
    faults.splice(0);
  });

  it("works through withdrawals by keyboard, with what happened before", async () => {
    await open("Withdrawals");
    await page.getByRole("region", { name: "Before" }).getByText("1000.00").first().waitFor();
    expect([await axe(page), await isWide()]).toEqual([[], false]);
    for (const term of ["Account number", "Account holder", "Not before", "Balance after it"])
      expect(await page.getByText(term, { exact: true }).count()).toBeGreaterThan(0);
    for (const term of ["bankid", "desc", "status text"])
      expect(await page.getByText(term, { exact: true }).count()).toBe(0);
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: "mia_1 · 300.00" }).waitFor();
    // One that comes meanwhile does not take the place of the one that is read.
    await asked(await saver(w, "lena_3", 1_000), 100);
    await page.getByRole("link", { name: "Withdrawals 3" }).waitFor();
    await page.getByRole("heading", { name: "mia_1 · 300.00" }).waitFor();
    // Twice is once, by key or button, and the page says meanwhile what is under way.
    const hold = Promise.withResolvers<void>();
    let sent = 0;
    await page.route("**/api/give", async (route) => {
      const { name, proof } = route.request().postDataJSON() as Given;
      if (name !== "withdraw:approve") return route.continue();
      if (proof === undefined) sent++;
      await hold.promise;
      await route.continue();
    });
    await page.keyboard.press("a");
    await page.keyboard.press("a");
    await told("Approve: under way…");
    await page.getByRole("button", { name: "Approve (a)" }).click({ force: true });
    expect([await axe(page), sent]).toEqual([[], 1]);
    hold.resolve();
    await told("wdr_1 over 300.00 is approved");
    expect(sent).toBe(1);
    await page.unroute("**/api/give");
    await page.getByRole("button", { name: "Paid out (p)" }).waitFor();
    await page.keyboard.press("p");
    await told("is paid");
    await page.getByRole("heading", { name: "mia_1 · 200.00" }).waitFor();
    await page.keyboard.press("r");
    await page.keyboard.type("The bank says no");
    // What failed keeps the case, the reason for it, and what was written.
    await page.route("**/api/give", (route) => route.abort());
    await page.keyboard.press("Enter");
    await told("The console does not answer.");
    await page.getByRole("heading", { name: "mia_1 · 200.00" }).waitFor();
    await page.unroute("**/api/give");
    await page.keyboard.press("Enter");
    await told("refused, and its amount returned");
    await page.getByRole("heading", { name: "lena_3 · 100.00" }).waitFor();
    await page.keyboard.press("r");
    await ask(w, "withdraw:reject", "wdr_3", "--reason", "By another operator");
    await page.getByText("This case was decided elsewhere.").waitFor();
    expect(await page.getByRole("form").count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    await page.getByRole("button", { name: "Next case" }).click();
    await page.getByText("Nothing waits here.").waitFor();
    const list = await ask<{ status_text: string; desc: string }[]>(w, "withdraw:list");
    expect(list.map(({ status_text, desc }) => [status_text, desc])).toEqual([
      ["refused", "By another operator"],
      ["refused", "The bank says no"],
      ["paid", ""],
    ]);
  });

  it("decides a top-up in doubt", async () => {
    await open("Top-ups in doubt");
    await page.getByRole("button", { name: "Credit (a)" }).click();
    await page.getByLabel("Reason, for the member to read").fill("It was ordered before the limit");
    await page.keyboard.press("Enter");
    await told("credited with");
    expect(await ask(w, "recharge:review")).toEqual([]);
  });

  it("answers a member, whose words it shows", async () => {
    await open("Messages");
    await page.getByText("Where is my money?").waitFor();
    await page.keyboard.press("a");
    await page.keyboard.type("On its way.");
    await page.keyboard.press("Enter");
    await told("mia_1 is answered");
    expect(await ask(w, "message:show", "mia_1")).toMatchObject([{ from: "member" }, { text: "On its way." }]);
  });

  it("decides a comment, and takes it back", async () => {
    await open("Comments");
    await page.getByText("A fine evening").first().waitFor();
    // Until the queue is read anew the act is under way, so that what is said next can be taken back at once. No other
    // queue holds it up.
    const read = Promise.withResolvers<void>();
    const reading = Promise.withResolvers<void>();
    const others = Promise.withResolvers<void>();
    await page.route("**/api/give", async (route) => {
      const { name } = route.request().postDataJSON() as Given;
      if (name === "comment:list") {
        reading.resolve();
        await read.promise;
      } else if (name.endsWith(":list")) await others.promise;
      await route.continue();
    });
    await page.keyboard.press("r");
    await reading.promise;
    await told("Hide: under way…");
    read.resolve();
    await told("cmt_1 is hidden");
    await page.keyboard.press("u");
    await told("cmt_1 is shown");
    others.resolve();
    await page.unrouteAll({ behavior: "wait" });
    expect(await ask(w, "comment:list")).toMatchObject([{ state: "shown" }]);
  });

  it("retries a failed round", async () => {
    await open("Failed rounds");
    await page.getByText("a stake is missing").waitFor();
    await page.keyboard.press("a");
    await told("is retried");
    expect(await ask(w, "round:failed")).toEqual([]);
  });

  it("shows a member, with every command for them", async () => {
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("link", { name: "nora_2" }).click();
    await page.getByText("member:lock", { exact: true }).click();
    const lock = page.getByRole("form", { name: "member:lock" });
    await lock.getByRole("textbox").fill("A test");
    await pressAgain(lock.getByRole("button", { name: "Do it" }));
    await told("nora_2 is locked");
    expect([await axe(page), await isWide()]).toEqual([[], false]);
  });

  it("changes a setting, whose meaning it says", async () => {
    await page.getByRole("link", { name: "Settings" }).click();
    const form = page.getByRole("form", { name: "spin_daily", exact: true });
    await form.getByText("Free spins of the prize wheel").waitFor();
    expect([await axe(page), await isWide()]).toEqual([[], false]);
    await form.getByRole("textbox").fill("2");
    await pressAgain(form.getByRole("button", { name: "Save" }));
    await form.getByText("set", { exact: true }).waitFor();
    // The button went away, and the focus stays in the form.
    expect(await form.getByRole("textbox").evaluate((it) => it === document.activeElement)).toBe(true);
    expect(await ask(w, "setting:list")).toContainEqual(expect.objectContaining({ name: "spin_daily", value: 2 }));
  });

  it("has a form for every command, and sends files", async () => {
    await page.getByRole("link", { name: "Commands" }).click();
    const names = Object.keys(COMMANDS);
    await page.locator(`a[href="#/commands/${names.at(-1)!}"]`).waitFor();
    for (const name of names) expect(await page.locator(`a[href="#/commands/${name}"]`).count()).toBe(1);
    await page.locator('a[href="#/commands/backup:check"]').click();
    await page.getByText("npm run admin -- backup:check FILE").waitFor();
    const form = await openCommand("plan:set");
    await form.getByLabel("List of plans (JSON)").setInputFiles(plans("plans.json", 30));
    await isSent(form).waitFor();
    await form.getByRole("button", { name: "Do it" }).click();
    await told("1 plans are on sale now");
    expect([await axe(page), await isWide()]).toEqual([[], false]);
  });

  const isSent = (form: Locator) => form.locator('progress[aria-label="Sent"][value="1"]');
  const plans = (name: string, ...days: number[]) => {
    const list = days.map((days) => ({ id: `plan_${days}`, name: `For ${days} days`, days, price: 100 }));
    return { name, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(list)) };
  };
  const whyNot = (input: Locator) => input.evaluate((it: HTMLInputElement) => it.validationMessage);

  it("gives no command without a file that was chosen for it", async () => {
    const form = await openCommand("message:answer");
    const [picture, doIt] = [form.getByLabel("Picture"), form.getByRole("button", { name: "Do it" })];
    await form.getByLabel("Name", { exact: false }).first().fill("mia_1");
    await form.getByLabel("Answer, for the member to read").fill("See here.");
    const file = { name: "here.png", mimeType: "image/png", buffer: Buffer.from(PIXEL) };
    // Not while it is being sent, and not when it could not be sent.
    const cut = Promise.withResolvers<void>();
    await page.route("**/api/files?*", async (route) => {
      await cut.promise;
      await route.abort();
    });
    await picture.setInputFiles(file);
    await doIt.click();
    expect(await whyNot(picture)).toBe("The file is still on its way.");
    cut.resolve();
    await form.getByRole("alert").filter({ hasText: "the file was not sent" }).waitFor();
    await doIt.click();
    expect([await whyNot(picture), await axe(page), await isWide()]).toEqual(["the file was not sent", [], false]);
    await page.unroute("**/api/files?*");
    // The same file may be chosen again.
    const choosing = page.waitForEvent("filechooser");
    await picture.click();
    expect([await picture.inputValue(), await whyNot(picture), await form.getByRole("alert").count()]).toEqual([
      "",
      "",
      0,
    ]);
    await (await choosing).setFiles(file);
    await isSent(form).waitFor();
    await doIt.click();
    await told("mia_1 is answered");
    const said = await ask<{ text: string; picture: string | null }[]>(w, "message:show", "mia_1");
    expect(said.map(({ text, picture }) => [text, picture !== null])).toEqual([
      ["Where is my money?", false],
      ["On its way.", false],
      ["See here.", false],
      ["", true],
    ]);
  });

  it("takes the file that was chosen last, also when an earlier one comes later", async () => {
    const form = await openCommand("plan:set");
    const input = form.getByLabel("List of plans (JSON)");
    const [hold, isLate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/api/files?name=early.json", async (route) => {
      const response = await route.fetch();
      await hold.promise;
      await route.fulfill({ response }).catch(() => undefined);
      isLate.resolve();
    });
    await input.setInputFiles(plans("early.json", 7));
    await input.setInputFiles(plans("last.json", 30, 90));
    await isSent(form).waitFor();
    hold.resolve();
    await isLate.promise;
    await page.unroute("**/api/files?name=early.json");
    await form.getByRole("button", { name: "Do it" }).click();
    await told("2 plans are on sale now");
    expect(await ask(w, "plan:list")).toMatchObject([{ days: 30 }, { days: 90 }]);
    // A file is taken once: another one has to be chosen.
    expect(await input.evaluate((it: HTMLInputElement) => [it.value, it.validity.valueMissing])).toEqual(["", true]);
    expect(await isSent(form).count()).toBe(0);
  });

  it("shows what goes on, and who did what", async () => {
    await page.getByRole("link", { name: "Live", exact: true }).click();
    await page.getByRole("img", { name: /Stakes and payouts/ }).waitFor();
    await pressAgain(page.getByRole("button", { name: "Add up the ledger" }));
    await told("All accounts together: 0.00");
    expect([await axe(page), await isWide()]).toEqual([[], false]);
    await page.getByRole("link", { name: "Who did what" }).click();
    await page.getByRole("cell", { name: "withdraw:approve" }).first().waitFor();
    expect([await axe(page), await isWide()]).toEqual([[], false]);
  });

  it("says when it looks by itself, which keeps no session alive", async () => {
    const other = await page.context().newPage();
    await other.clock.install();
    await other.goto(`${here.origin}/#/live`);
    await other.getByRole("heading", { name: "Live" }).waitFor();
    const nextLook = async () => {
      const asked = other.waitForRequest((one) => one.url().endsWith("/api/give"));
      await other.clock.runFor(10_000);
      return UNATTENDED in (await asked).headers();
    };
    await nextLook();
    expect(await nextLook()).toBe(true);
    await other.keyboard.press("Shift");
    expect([await nextLook(), await nextLook()]).toEqual([false, true]);
    await other.close();
  });

  it("finds no fault on any of its pages", () => {
    expect(faults).toEqual([]);
  });
});
