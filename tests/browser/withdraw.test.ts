import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

const PIN = "246810";
const NUMBER = "1903 6624 8750";

let browser: Browser;
let server: ServerProcess;
let visitor: Visitor;
let members = 0;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  visitor = await Visitor.come(browser, server.address);
  await visitor.register(`saver_${++members}`);
});
afterEach(() => visitor.close());

/** Runs one of the operator's commands, which has to be done. */
async function operator(...words: string[]): Promise<string> {
  const { code, out } = await server.run("server/admin/main.ts", ...words);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${code} ${out}`);
  return out;
}

/** The newest withdrawal, as the operator sees it. */
const newest = async () => (JSON.parse(await operator("withdraw:list", "--json")) as { id: string }[])[0]!.id;

/** Sets the passcode the way a program does; its own screens have their own story. */
async function setPasscode(): Promise<void> {
  const status = await visitor.page.evaluate(async (paypassword) => {
    const headers = { token: btoa(localStorage.getItem("token")!), "x-data-encoding": "json" };
    const body = new URLSearchParams({ paypassword });
    const response = await fetch("/api/member/setPayPassword", { method: "POST", headers, body });
    return ((await response.json()) as { code: number }).code;
  }, PIN);
  expect(status).toBe(200);
}

async function bindAccount(): Promise<void> {
  const { page, words } = visitor;
  await page.goto("/Setbank");
  await page.getByRole("link", { name: words.text("bank.add") }).click();
  await page.getByLabel(words.text("bank.bank")).selectOption({ label: "ACB" });
  await visitor.field("bank.number").fill(NUMBER);
  await visitor.field("bank.holder").fill("Saver One");
  await visitor.button("bank.save").click();
  await page.getByText("**** 8750").waitFor();
}

/** From the amount to the passcode; the answer is for the test to look at. */
async function askFor(amount: string, pin = PIN): Promise<void> {
  const { page } = visitor;
  await visitor.field("withdraw.amount").fill(amount);
  await visitor.button("withdraw.send").click();
  await visitor.field("withdraw.passcode").fill(pin);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: visitor.words.text("action.confirm") })
    .click();
}

describe("withdrawing", () => {
  it("goes from a new member to a paid withdrawal, with the operator in between", async () => {
    const { page, words } = visitor;
    await visitor.topUp(1_000);
    await page.goto("/Withdraw");
    await page.getByRole("link", { name: words.text("withdraw.stepName") }).waitFor();
    await page.getByRole("link", { name: words.text("bank.add") }).click();
    await page.getByRole("link", { name: words.text("bank.setPasscode") }).waitFor();
    await setPasscode();
    await bindAccount();

    await page.goto("/Withdraw");
    await visitor.button("withdraw.whole").click();
    expect(await visitor.field("withdraw.amount").inputValue()).toBe("1000");
    await askFor("400");
    await page.waitForURL(/\/WithdrawRecord/);
    const card = page.getByRole("listitem").filter({ hasText: "400.00" });
    await card.getByText("In review").waitFor();

    const id = await newest();
    await operator("withdraw:approve", id);
    await card.getByText("Approved").waitFor();
    await operator("withdraw:pay", id);
    await card.getByText("Paid", { exact: true }).waitFor();
    await page.goto("/Mine");
    await expect.poll(() => page.locator("main .figures").first().textContent()).toBe("600.00");
    expect(visitor.faults).toEqual([]);
  });

  it("that was refused comes back, with the reason", async () => {
    const { page } = visitor;
    await visitor.topUp(500);
    await setPasscode();
    await bindAccount();
    await page.goto("/Withdraw");
    await askFor("500");
    await page.waitForURL(/\/WithdrawRecord/);
    await operator("withdraw:reject", await newest(), "--reason", "The bank is closed");
    await page.getByText("The bank is closed").waitFor();
    await page.goto("/Withdraw");
    await expect.poll(() => page.locator("main .figures").first().textContent()).toBe("500.00");
  });

  it("says what is wrong with an amount and a passcode, and keeps what was typed", async () => {
    const { page, words } = visitor;
    await visitor.topUp(500);
    await setPasscode();
    await bindAccount();
    await page.goto("/Withdraw");
    await visitor.button("withdraw.send").click();
    await page.getByText(words.text("withdraw.wrong")).waitFor();
    await visitor.field("withdraw.amount").fill("99");
    await visitor.button("withdraw.send").click();
    await page.locator('input[name="money"][aria-invalid="true"]').waitFor();
    await visitor.field("withdraw.amount").fill("501");
    await visitor.button("withdraw.send").click();
    await page.getByText(words.text("withdraw.short")).waitFor();
    await askFor("100", "000000");
    await page
      .getByRole("dialog")
      .getByText(/passcode/i)
      .last()
      .waitFor();
    await page.reload();
    expect(await visitor.field("withdraw.amount").inputValue()).toBe("100");
  });

  it("says why while it is closed, and whom to ask, on the open screen", async () => {
    const { page, words } = visitor;
    await page.goto("/Withdraw");
    await page.getByRole("link", { name: words.text("withdraw.stepName") }).waitFor();
    try {
      await operator("setting:set", "close_withdraw_reason", "Moving banks");
      await operator("setting:set", "close_number", "+84 900");
      await operator("setting:set", "close_withdraw", "1");
      await page.getByText("Moving banks").waitFor();
      await page.getByText(words.like("withdraw.contact", { contact: "+84 900" })).waitFor();
    } finally {
      await operator("setting:set", "close_withdraw", "0");
    }
    await page.getByRole("link", { name: words.text("withdraw.stepName") }).waitFor();
    expect(await page.getByText("Moving banks").count()).toBe(0);
  });
});

describe("binding an account", () => {
  it("says at each field what is missing, and takes a number as people write it", async () => {
    const { page, words } = visitor;
    await setPasscode();
    await page.goto("/BindCard");
    await visitor.button("bank.save").click();
    await page.getByText(words.text("bank.fill")).waitFor();
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(3);
    await bindAccount();
    await page.goto("/BindCard");
    await page.waitForURL(/\/Setbank/);
  });
});
