import { describe, expect } from "vitest";
import { setName, setPayPassword } from "#shared/contract/member.ts";
import { browserTest } from "../support/browser-test.ts";
import type { Client } from "../support/client.ts";
import { bindAccount, NUMBER, PIN } from "../support/withdrawal-steps.ts";
import { messagesOf } from "../server/http/endpoints.ts";
import type { Visitor } from "../support/visitor.ts";

let member: Client;
let visitor: Visitor;
let members = 0;
const test = browserTest();
test.beforeEach(async ({ join, come }) => {
  member = await join(`once_${++members}`);
  visitor = await come({ token: member.token! });
});

const { refusal } = messagesOf("en_us");
const alert = (text: string) => visitor.page.getByRole("alert").filter({ hasText: text }).waitFor();

async function fillAccount(): Promise<void> {
  const { page, words, field } = visitor;
  await page.getByRole("combobox", { name: words.text("bank.bank") }).selectOption({ label: "ACB" });
  await field("bank.number").fill(NUMBER);
}

const nameField = () => visitor.page.getByRole("textbox", { name: visitor.words.text("info.name") });

/** Reads the account and the name once more, and confirms that they are final. */
async function bind(): Promise<void> {
  await visitor.button("bank.save").click();
  await visitor.page.getByRole("dialog").getByText(visitor.words.text("bank.check")).waitFor();
  await visitor.button("action.confirm").click();
}

/** From now on the page cannot fetch its member: changes elsewhere are unknown to it when it saves. */
const keepUnaware = () => visitor.page.route("**/api/member/getUserInfo*", () => {});
const letKnow = () => visitor.page.unrouteAll({ behavior: "ignoreErrors" });

describe("a value that is set once", () => {
  test("a name that was set on another device meanwhile is refused, and the typed text stays", async () => {
    await visitor.page.goto("/Setname");
    await nameField().fill("Second Name");
    await keepUnaware();
    await member.must(setName, { name: "First Name" });
    await visitor.button("realName.save").click();
    await visitor.button("action.confirm").click();
    await alert(refusal.name!.set!);
    expect(await nameField().inputValue()).toBe("Second Name");
    await letKnow();
    await visitor.page.reload();
    await visitor.page.getByRole("dialog").getByText("First Name").waitFor();
    expect(await nameField().count()).toBe(0);
  });

  test("a passcode that was set on another device meanwhile is refused", async () => {
    await visitor.page.goto("/SetPayPassword");
    await visitor.field("passcode.first").fill("135790");
    await visitor.field("passcode.repeat").waitFor();
    await keepUnaware();
    await member.must(setPayPassword, { paypassword: PIN });
    await visitor.field("passcode.repeat").fill("135790");
    await alert(refusal.passcode!.set!);
    expect(new URL(visitor.page.url()).pathname).toBe("/SetPayPassword");
  });

  test("an account asks for a passcode first, and is bound once", async () => {
    const { page, words, field } = visitor;
    await page.goto("/Setbank");
    await page.getByText(words.text("bank.needPasscode")).waitFor();
    await page.getByRole("link", { name: words.text("bank.setPasscode") }).click();
    await page.waitForURL(/\/SetPayPassword/);
    await member.must(setPayPassword, { paypassword: PIN });
    await page.goto("/BindCard");
    await fillAccount();
    await field("bank.holder").fill("Somebody");
    await keepUnaware();
    await bindAccount(member, "Somebody Else");
    await bind();
    await alert(refusal.bank!.bound!);
    expect(await field("bank.number").inputValue()).toBe(NUMBER);
    await letKnow();
    await page.goto("/BindCard");
    await page.getByText("**** 8750").waitFor();
    expect(await page.content()).not.toContain("190366248750");
  });

  test("an account says at each field what is missing, and its holder is the real name once that is known", async () => {
    const { page, words, field } = visitor;
    await member.must(setPayPassword, { paypassword: PIN });
    await page.goto("/BindCard");
    await visitor.button("bank.save").click();
    await page.getByText(words.text("bank.fill")).waitFor();
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(3);
    await fillAccount();
    await field("bank.number").fill("12-34");
    await field("bank.holder").fill("Somebody");
    await field("bank.mobile").fill("call me");
    await visitor.button("bank.save").click();
    await page.getByText(words.text("bank.wrongMobile")).waitFor();
    await page.locator('[name="bankid"]:focus').waitFor();
    await member.must(setName, { name: "First Name" });
    await page.reload();
    await field("bank.holder").waitFor();
    await expect.poll(() => field("bank.holder").inputValue()).toBe("First Name");
    expect(await field("bank.holder").isEditable()).toBe(false);
    await fillAccount();
    await bind();
    // Without a previous screen it leads to the one below the sheet.
    await page.waitForURL(/\/Infomation/);
    await page.getByText(words.text("info.bound"), { exact: true }).waitFor();
  });
});

describe("changing the passcode", () => {
  test("is open only where the operator allows it; else customer service is one tap away", async () => {
    const { page, words } = visitor;
    await member.must(setPayPassword, { paypassword: PIN });
    await page.goto("/EditPayPassword");
    await page.getByText(words.text("passcode.closed")).waitFor();
    expect(await visitor.field("passcode.old").count()).toBe(0);
    await page.getByRole("link", { name: words.text("mine.service") }).click();
    await page.waitForURL(/\/ServiceOnline/);
  });
});
