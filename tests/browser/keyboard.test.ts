import { describe } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { INVITE } from "../support/server-process.ts";
import { PASSWORD, type Visitor } from "../support/visitor.ts";

const test = browserTest();

/** Presses Tab until the element, with this text if any is given, has the focus. */
async function tabTo({ page }: Visitor, selector: string, label?: string | RegExp): Promise<void> {
  const source = label instanceof RegExp ? label.source : label && `^${label}$`;
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

    await press('a[href="/Mine"]');
    await page.waitForURL(/\/Mine/);
    await press("button", words.text("mine.recharge"));
    await page.waitForURL(/\/Recharge/);
    await type('[name="money"]', "500");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/Channel/);
    await press("button", /sandbox/);
    const pay = page.frameLocator("iframe").locator("button.pay");
    await pay.waitFor();
    await pay.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname !== "/Channel");

    await page.goto("/Game");
    await page.locator('a[href*="/Lottery?"]').first().waitFor();
    await press('a[href*="/Lottery?"]');
    await visitor.waitForSeconds(4);
    await press('[data-option="A"]');
    await press('[data-option="B"]');
    await type('[name="stake"]', "10");
    await page.keyboard.press("Enter");
    await page.getByText(words.like("cart.placed")).waitFor();
    await page.getByText(words.like("own.result")).first().waitFor();
    await press('a[href^="/Fair"]');
    await page.getByText(words.text("fair.good")).waitFor();
  });
});
