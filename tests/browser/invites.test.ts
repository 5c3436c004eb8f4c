import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";

const test = browserTest({ furnish: (server) => operatorOf(server)("setting:set", "member_invites", "1") });

describe("an invitation of a member's own", () => {
  test("is made, shown as a QR code of its link, and lets one person in", async ({ enter, come }) => {
    const { page, words, button } = await enter("host_1");
    await page.goto("/Mine");
    await page.locator('main a[href="/Invites"]').click();
    await page.getByText(words.text("invites.empty")).waitFor();
    await button("invites.make").click();
    await page.getByText(words.text("invites.open")).waitFor();
    expect(await button("invites.make").count()).toBe(0);
    await page.locator("main li button").first().click();
    const link = await page.getByRole("dialog").locator("[data-address]").getAttribute("data-address");
    const guest = await come({});
    await guest.page.goto(link!);
    const code = new URL(link!).searchParams.get("invite");
    expect(await guest.field("session.code").inputValue()).toBe(code);
    await guest.field("session.username").fill("invited_1");
    await guest.field("session.password").fill("long enough words");
    await guest.button("session.register").click();
    await guest.page.waitForURL(/\/Home/);
    await page.goto("/Invites");
    await page.getByText(`${words.text("invites.used")} ·`).waitFor();
    expect(await page.locator("main li button").count()).toBe(0);
  });
});
