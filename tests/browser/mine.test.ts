import { describe, expect } from "vitest";
import { doLogin } from "#shared/contract/session.ts";
import { browserTest } from "../support/browser-test.ts";
import { Client } from "../support/client.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import type { Visitor } from "../support/visitor.ts";

let visitor: Visitor;
const test = browserTest().extend("resident", { scope: "file" }, async ({ server }) => {
  const member = await new Client(server.address).register("at_home");
  await member.topUp(250);
  return member;
});
test.beforeEach(async ({ resident, come }) => {
  visitor = await come({ token: resident.token! });
  await visitor.page.goto("/Mine");
  await visitor.page.getByText("250").first().waitFor();
});

const balance = () => visitor.page.locator("main .figures").first();
const menu = () => visitor.page.locator("main a");
const says = (text: string) => visitor.page.getByText(text).first().waitFor();

describe("the member's own screen", () => {
  test("shows the account and its balance, and each of its entries leads to a screen and back", async () => {
    const { page, words } = visitor;
    await page.getByText("at_home").waitFor();
    await says(words.text("mine.noMember"));
    const targets = await menu().evaluateAll((links) => links.map((link) => link.getAttribute("href")!));
    expect(targets).toEqual(expect.arrayContaining(["/Withdraw", "/luckDraw", "/Saved", "/Messages"]));
    expect(targets).toEqual(expect.arrayContaining(["/Personalreport", "/GameRecord", "/Infomation", "/Notice"]));
    expect(targets).toEqual(expect.arrayContaining(["/ServiceOnline", "/Setting", "/Limits", "/Plans"]));
    for (const target of new Set(targets)) {
      await page.locator(`main a[href="${target}"]`).first().click();
      await page.waitForURL((url) => url.pathname === target);
      await page.locator("h1").waitFor();
      await page.getByRole("button", { name: words.text("action.back") }).click();
      await page.waitForURL(/\/Mine/);
    }
  });

  test("counts messages on every device until they are read on one", async ({ resident, server, come }) => {
    const { token } = await new Client(server.address).must(doLogin, { username: "at_home", password: "at_home says" });
    expect(token).not.toBe(resident.token);
    const other = await come({ token });
    await other.page.goto("/Mine");
    const count = ({ page }: Visitor) => page.locator('main a[href="/Messages"]').getByText("1 new message");
    const loadedAt = await visitor.page.evaluate(() => performance.timeOrigin);
    await operatorOf(server)("member:rename", "at_home", "--name", "At Home", "--reason", "As asked");
    for (const device of [visitor, other]) await count(device).waitFor({ state: "attached" });
    await other.page.locator('main a[href="/Messages"]').click();
    await other.page.getByText("As asked").waitFor();
    await count(visitor).waitFor({ state: "detached" });
    expect(await visitor.page.evaluate(() => performance.timeOrigin)).toBe(loadedAt);
  });

  test("shows messages by what they are about and by period, and Back finds them so", async ({ server }) => {
    const { page, words, field } = visitor;
    await operatorOf(server)("member:rename", "at_home", "--name", "At Home", "--reason", "By its topic");
    await page.goto("/Messages");
    const message = page.getByText("By its topic");
    await message.waitFor();
    const about = field("messages.about");
    await about.selectOption({ label: words.text("mine.plans") });
    await message.waitFor({ state: "detached" });
    await page.getByRole("link", { name: words.text("security.all") }).click();
    await message.waitFor();
    await field("history.period").selectOption({ label: words.text("history.week") });
    await about.selectOption({ label: words.text("security.title") });
    await message.waitFor();
    await page
      .getByRole("link", { name: words.text("security.title"), exact: true })
      .first()
      .click();
    await page.waitForURL(/\/Security/);
    await page.goBack();
    await message.waitFor();
    expect([await about.inputValue(), await field("history.period").inputValue()]).toEqual(["security", "7"]);
  });

  test("refetches the balance at a tap, and says when it could not", async () => {
    const { page, words } = visitor;
    await page.getByRole("button", { name: words.text("mine.refresh") }).click();
    await says(words.text("state.refreshed"));
    await page.route(/getUserInfo/, (route) => route.abort());
    await page.getByRole("button", { name: words.text("mine.refresh") }).click();
    await says(words.text("state.away"));
    expect(await balance().textContent()).toBe("250");
  });

  test("offers no top-up and no online service while the house has none, and says whom to contact", async ({
    server,
  }) => {
    const { page, words, button } = visitor;
    const service = page.locator('main a[href="/ServiceOnline"]');
    await service.waitFor();
    await Promise.all(
      [
        ["close_recharge", "1"],
        ["iskefu", "0"],
      ].map((pair) => operatorOf(server)("setting:set", ...pair)),
    );
    for (const path of ["/Channel?money=100", "/Recharge"]) {
      await page.goto(path);
      await says(words.text("recharge.closed"));
      expect(await page.locator("input").count()).toBe(0);
      await service.waitFor({ state: "detached" });
    }
    await page.goto("/Mine");
    await page.waitForLoadState("networkidle");
    await service.waitFor({ state: "detached" });
    await button("mine.recharge").click();
    await says(words.text("mine.depositSupport"));
    expect(new URL(page.url()).pathname).toBe("/Mine");
  });
});
