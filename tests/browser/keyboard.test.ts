import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { INVITE, TEN_SECONDS } from "../support/server-process.ts";
import { PASSWORD, type Visitor } from "../support/visitor.ts";
import { NUMBER, PIN } from "../support/withdrawal-steps.ts";

/** On a busy machine every press takes its time. */
const test = browserTest({ games: [{ ...TEN_SECONDS, key: "k3-30s", name: "Half a minute", periodS: 30 }] });

/** Presses Tab until the element, with this text if any is given, has the focus. */
async function tabTo({ page }: Visitor, selector: string, label?: string | RegExp): Promise<void> {
  const source = label instanceof RegExp ? label.source : label && `^${label}$`;
  const wanted = page.locator(selector).filter(source ? { hasText: new RegExp(source, "i") } : {});
  await wanted.first().waitFor();
  for (let presses = 0; presses < 80; presses++) {
    const isThere = ([wanted, source]: [string, string | undefined]) => {
      const { activeElement: focused } = document;
      return !!focused?.matches(wanted) && (!source || new RegExp(source, "i").test(focused.textContent.trim()));
    };
    if (await page.evaluate(isThere, [selector, source] as [string, string | undefined])) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${selector} ${source ?? ""}`);
}

/** Presses Tab until the button that pays has the focus, inside the channel's frame. */
async function tabIntoFrame({ page }: Visitor): Promise<void> {
  const pay = page.frameLocator("iframe").locator("button.pay");
  await pay.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if (await pay.evaluate((button) => document.hasFocus() && document.activeElement === button)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("no Tab leads into the frame");
}

/** How many presses of Tab, and of Enter at the end, something takes. */
async function pressesFor(page: Visitor["page"], steps: (tab: (selector: string) => Promise<void>) => Promise<void>) {
  let presses = 0;
  const isThere = (selector: string) => document.activeElement?.matches(selector) ?? false;
  await steps(async (selector) => {
    for (; !(await page.evaluate(isThere, selector)) && presses < 80; presses++) await page.keyboard.press("Tab");
  });
  await page.keyboard.press("Enter");
  return presses + 1;
}

/** The option that has the focus. */
const focused = (page: Visitor["page"]) => page.evaluate(() => document.activeElement?.getAttribute("data-option"));

describe("by keyboard alone", () => {
  test("register, top up, bet and check the draw", async ({ come }) => {
    const visitor = await come({ viewport: { width: 1280, height: 800 } });
    const { page, words } = visitor;
    const type = async (selector: string, typed: string) => {
      await tabTo(visitor, selector);
      await page.keyboard.type(typed);
    };
    const press = async (selector: string, label?: string | RegExp) => {
      await tabTo(visitor, selector, label);
      await page.keyboard.press("Enter");
    };
    await page.goto("/Register");
    await page.locator("h1").waitFor();
    await type('[name="username"]', "no_mouse");
    await type('[name="password"]', PASSWORD);
    await type('[name="code"]', INVITE);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/Home/);

    // What is still loading would take the focus away with it.
    await page.locator('main a[href*="/Lottery?"]').first().waitFor();
    await press('a[href="/Mine"]');
    await page.waitForURL(/\/Mine/);
    await press("button", words.text("mine.recharge"));
    await page.waitForURL(/\/Recharge/);
    await type('[name="money"]', "500");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/Channel/);
    await tabIntoFrame(visitor);
    await page.keyboard.press("Enter");
    await press("button", words.text("channel.return"));
    await page.waitForURL((url) => url.pathname !== "/Channel");

    await page.goto("/Game");
    await page.locator('a[href*="/Lottery?"]').first().waitFor();
    await press('a[href*="/Lottery?"]');
    await visitor.waitForSeconds(20);
    await press('[data-option="A"]');
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await type('[name="stake"]', "10");
    await page.keyboard.press("Enter");
    await page.getByText(words.like("cart.placed")).waitFor();
    await page.getByText(words.like("own.result")).first().waitFor();
    await press('a[href^="/Fair"]');
    await page.getByText(words.text("fair.numbers")).waitFor();
  });

  test("a bet takes twelve presses from the start of the table, and the focus stays on the board", async ({
    enter,
  }) => {
    const visitor = await enter("few_presses", 1_000);
    const { page, words } = visitor;
    await visitor.openTable(20);
    await page.locator("[data-option]").first().waitFor();
    let presses = 0;
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      presses += keys.length;
    };
    await page.locator("h1").focus();
    await press("Tab", "Enter");
    expect(await focused(page)).toBe("A");
    await press("Enter", "ArrowRight", "Enter");
    expect(await focused(page)).toBe("B");
    // The cart is there a moment after its first option lights up; no finger is as fast as this test.
    await page.locator('[name="stake"]').waitFor();
    while (!(await page.evaluate(() => document.activeElement?.matches('[name="stake"]')))) await press("Tab");
    await press("1", "0", "Enter");
    await page.getByText(words.like("cart.placed")).waitFor();
    expect(presses).toBeLessThanOrEqual(12);
    await expect.poll(() => focused(page)).toBe("B");
    await expect.poll(() => visitor.balance()).toBe(98_000);
    const moves = { ArrowDown: "D", ArrowLeft: "C", ArrowUp: "A", End: "18", Home: "A" };
    const reached: Record<string, unknown> = {};
    for (const key of Object.keys(moves)) {
      await page.keyboard.press(key);
      reached[key] = await focused(page);
    }
    expect(reached).toEqual(moves);
  });

  test("logging in takes four presses besides what is typed, from the start of the screen", async ({ come, join }) => {
    await join("hands_full");
    const { page } = await come();
    await page.goto("/Login");
    await page.locator("h1").focus();
    const presses = await pressesFor(page, async (tab) => {
      await tab('[name="username"]');
      await page.keyboard.insertText("hands_full");
      await tab('[name="password"]');
      await page.keyboard.insertText("hands_full says");
    });
    await page.waitForURL(/\/Home/);
    expect(presses).toBeLessThanOrEqual(4);
  });

  test("a first withdrawal takes eight presses besides what is typed, a later one three", async ({ enter }) => {
    const { page } = await enter("hands_full_2", 1_000);
    await page.goto("/Withdraw");
    await page.locator('[name="bankid"]').waitFor();
    await page.locator("h1").focus();
    const first = await pressesFor(page, async (tab) => {
      await tab('[name="money"]');
      await page.keyboard.insertText("400");
      await tab("select");
      await page.keyboard.type("ACB");
      await tab('[name="bankid"]');
      await page.keyboard.insertText(NUMBER);
      await tab('[name="username"]');
      await page.keyboard.insertText("Hands Full");
    });
    await page.locator('[name="paypwd"]:focus').waitFor();
    await page.keyboard.type(PIN);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/WithdrawRecord/);

    await page.goto("/Withdraw");
    await page.locator('[name="money"]').waitFor();
    await page.locator("h1").focus();
    const later = await pressesFor(page, async (tab) => {
      await tab('[name="money"]');
      await page.keyboard.insertText("500");
    });
    await page.locator('[name="paypwd"]:focus').waitFor();
    // The sixth digit sends it.
    await page.keyboard.type(PIN);
    await page.waitForURL(/\/WithdrawRecord/);
    expect(first + 1).toBeLessThanOrEqual(8);
    expect(later).toBeLessThanOrEqual(3);
  });
});
