import { describe, expect } from "vitest";
import type { TextKey } from "#client/text/i18n.ts";
import { browserTest } from "../support/browser-test.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import { type Visitor } from "../support/visitor.ts";

let visitor: Visitor;
let visitors = 0;
const test = browserTest();
test.beforeEach(async ({ enter }) => {
  visitor = await enter(`person_${++visitors}`);
  await visitor.page.goto("/Infomation");
});

const shown = (key: TextKey) => visitor.page.getByText(visitor.words.text(key)).first().waitFor();
const row = (key: TextKey) => visitor.page.getByText(visitor.words.text(key), { exact: true });
const nameField = () => visitor.page.getByRole("textbox", { name: visitor.words.text("info.name") });
const isAt = (path: string) => visitor.page.waitForURL((url) => url.pathname === path);

describe("personal info", () => {
  test("has a real name that is set once", async () => {
    const { page } = visitor;
    await row("info.name").click();
    await isAt("/Setname");
    await visitor.button("realName.save").click();
    await shown("realName.enter");
    await nameField().fill("Mia\u200bTran");
    await visitor.button("realName.save").click();
    await visitor.button("action.confirm").click();
    await page.getByText("Some of these characters cannot be used here").waitFor();
    await nameField().fill("  Mia Trần ");
    await visitor.button("realName.save").click();
    // It is final, so it is shown once more.
    await page.getByRole("dialog").getByText("Mia Trần", { exact: true }).waitFor();
    await visitor.button("action.confirm").click();
    await shown("realName.saved");
    await isAt("/Infomation");
    await page.locator("main").getByText("Mia Trần", { exact: true }).waitFor();
    expect(await page.locator('a[href="/Setname"]').count()).toBe(0);
    await page.goto("/Setname");
    await shown("realName.set");
  });

  test("has a sex that can be set and cleared", async () => {
    const shownSex = () => visitor.page.locator('a[href="/Setsex"]').textContent();
    for (const choice of ["sex.woman", "sex.unset"] as const) {
      await visitor.page.locator('a[href="/Setsex"]').click();
      await isAt("/Setsex");
      await visitor.field(choice).check();
      await visitor.button("action.confirm").click();
      await isAt("/Infomation");
      const shown = choice === "sex.unset" ? "info.unset" : choice;
      await expect.poll(shownSex).toContain(visitor.words.text(shown));
    }
  });

  test("has a picture, chosen among the stock ones", async () => {
    const { page, words } = visitor;
    await page.getByRole("button", { name: words.text("info.avatar") }).click();
    const picture = (number: number) =>
      page.getByRole("button", {
        name: words.text("info.avatarNumber").replace("{{number}}", `${number}`),
        exact: true,
      });
    await picture(20).waitFor();
    expect(await page.locator("[aria-pressed]").count()).toBe(20);
    await picture(13).click();
    await shown("info.avatarSaved");
    await page.getByRole("dialog", { name: words.text("info.chooseAvatar") }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: words.text("info.avatar") }).click();
    await picture(13).and(page.locator('[aria-pressed="true"]')).waitFor();
  });
});

describe("the login password", () => {
  const fill = async (old: string, next: string, repeat = next) => {
    await visitor.field("password.old").fill(old);
    await visitor.field("password.new").fill(next);
    await visitor.field("password.repeat").fill(repeat);
    await visitor.button("password.save").click();
  };

  test("is changed, and another device is logged out", async ({ come }) => {
    const password = `person_${visitors} says`;
    const other = await come();
    await other.page.goto("/Login");
    await other.field("session.username").fill(`person_${visitors}`);
    await other.field("session.password").fill(password);
    await other.button("session.login").click();
    await other.page.waitForURL(/\/Home/);
    await visitor.page.goto("/Security");
    await visitor.page.locator('a[href="/SetLoginPassword"]').click();
    await fill(password, "battery staple");
    await shown("password.saved");
    await isAt("/Security");
    await other.page.goto("/Mine");
    await other.page.waitForURL(/\/Login/);
    expect(await other.page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  });

  test("stays when something is missing, different, too short or wrong, and so does the typed text", async () => {
    const { page } = visitor;
    await page.goto("/SetLoginPassword");
    await visitor.button("password.save").click();
    await shown("password.fill");
    await fill("my own words", "battery staple", "battery stable");
    await shown("password.mismatch");
    await fill("my own words", "short");
    await page.locator('[name="new_password"][aria-invalid="true"]').waitFor();
    await fill("a guess", "battery staple");
    await page.getByText("The current password is wrong").waitFor();
    await page.locator('[name="old_password"]:focus').waitFor();
    expect(await visitor.field("password.new").inputValue()).toBe("battery staple");
  });
});

describe("the payment passcode", () => {
  const press = async (digits: string) => {
    for (const digit of digits) await visitor.page.getByRole("button", { name: digit, exact: true }).click();
  };
  const set = async () => {
    await visitor.page.goto("/Security");
    await visitor.page.locator('a[href="/SetPayPassword"]').click();
    await press("246810");
    await visitor.field("passcode.repeat").waitFor();
    await press("246810");
    await shown("passcode.saved");
    await isAt("/Security");
  };

  test("is set on the pad, and then exists", async () => {
    await set();
    await visitor.page.goto("/SetPayPassword");
    await shown("passcode.already");
    await shown("passcode.closed");
    expect(await visitor.page.locator('a[href="/EditPayPassword"]').count()).toBe(0);
    await visitor.page.locator('a[href="/ServiceOnline"]').click();
    await isAt("/ServiceOnline");
  });

  test("is not set when it is short or differs the second time", async () => {
    const { page } = visitor;
    await page.goto("/SetPayPassword");
    await press("2468");
    await visitor.field("passcode.first").press("Enter");
    await shown("withdraw.sixDigits");
    await page.getByRole("button", { name: visitor.words.text("passcode.delete") }).click();
    await press("810");
    await visitor.field("passcode.repeat").waitFor();
    await press("135790");
    await shown("passcode.mismatch");
    await expect.poll(() => visitor.field("passcode.first").inputValue()).toBe("");
  });

  test("is changed by keyboard and by pasting, where the operator allows it", async ({ server }) => {
    await set();
    await operatorOf(server)("setting:set", "edit_paypwd", "1");
    const { page } = visitor;
    await page.goto("/EditPayPassword");
    await visitor.field("passcode.old").focus();
    await page.keyboard.type("000000");
    await visitor.field("passcode.first").waitFor();
    await page.keyboard.type("13 57-90");
    await visitor.field("passcode.repeat").fill("135790");
    // Only the wrong one has to be typed again.
    await page.getByText("Wrong payment passcode").waitFor();
    await visitor.field("passcode.old").fill("246810");
    await shown("passcode.changed");
    await page.waitForURL((url) => url.pathname !== "/EditPayPassword");
    expect(new URL(page.url()).pathname).toBe("/Home");
    await operatorOf(server)("setting:set", "edit_paypwd", "0");
  });
});
