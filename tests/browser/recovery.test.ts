import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import type { Visitor } from "../support/visitor.ts";

const test = browserTest();

const CODE = /^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/;

/** Makes recovery codes on the screen, and returns what it shows. */
async function makeCodes({ page, words, button }: Visitor): Promise<string[]> {
  await page.goto("/Mine");
  await page.locator('a[href="/Security"]').click();
  await page.locator('a[href="/RecoveryCodes"]').click();
  await page.getByText(words.text("recovery.none")).waitFor();
  await button("recovery.make").click();
  await page.getByText(words.text("recovery.once")).waitFor();
  return page
    .getByRole("list", { name: words.text("recovery.list") })
    .getByRole("listitem")
    .allInnerTexts();
}

describe("a member who lost the password", () => {
  test("comes back with a recovery code, from the login screen", async ({ enter, come }) => {
    const codes = await makeCodes(await enter("anna_1"));
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(CODE);
    const phone = await come();
    const { page, words } = phone;
    await page.goto("/Login");
    await page.getByRole("link", { name: words.text("recover.lost") }).click();
    await page.waitForURL(/\/Recover/);
    await phone.button("recover.send").click();
    await page.getByText(words.text("recover.enterCode")).waitFor();
    await phone.field("session.username").fill("anna_1");
    await phone.field("recover.code").fill("ABCD EFGH");
    await phone.field("password.new").fill("battery staple");
    await phone.button("recover.send").click();
    await page.getByRole("alert").waitFor();
    await phone.field("recover.code").fill(codes[0]!.toLowerCase().replaceAll("-", " "));
    await phone.button("recover.send").click();
    await page.waitForURL(/\/Home/);
    await page.goto("/Security");
    await page.getByText(words.like("security.codesLeft", { left: "9" })).waitFor();
    await page
      .getByRole("list", { name: words.text("security.recent") })
      .getByRole("listitem")
      .first()
      .waitFor();
  });

  test("sees a set once: it is gone with the screen, and the next one replaces it", async ({ enter }) => {
    const visitor = await enter("berta_1");
    const { page, words } = visitor;
    const [code] = await makeCodes(visitor);
    await visitor.button("recovery.saved").click();
    await page.waitForURL(/\/Security/);
    await page.locator('a[href="/RecoveryCodes"]').click();
    await page.getByText(words.text("recovery.replaceHint")).waitFor();
    expect(await page.getByText(code!).count()).toBe(0);
  });
});

describe("the security screen", () => {
  test("says what failed to load, and loads it again", async ({ enter }) => {
    const { page, button } = await enter("clara_1");
    await page.route("**/api/member/security*", (route) => route.abort());
    await page.goto("/Security");
    const again = button("action.retry").first();
    await again.waitFor();
    await page.unroute("**/api/member/security*");
    await again.click();
    await page.locator('a[href="/SetLoginPassword"]').waitFor();
  });

  test("is where “Not you?” of a message leads", async ({ enter }) => {
    const visitor = await enter("dora_1");
    await makeCodes(visitor);
    const { page, words } = visitor;
    await page.goto("/Messages");
    await page
      .getByRole("link", { name: words.text("messages.notYou") })
      .first()
      .click();
    await page.waitForURL(/\/Security/);
  });
});
