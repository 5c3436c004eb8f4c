import { describe, expect } from "vitest";
import type { TextKey } from "#client/text/i18n.ts";
import { BrowserAuthenticator } from "../support/browser-authenticator.ts";
import { browserTest } from "../support/browser-test.ts";
import { Client } from "../support/client.ts";
import { withConnection } from "../support/own-connection.ts";
import type { ServerHere } from "../support/server-here.ts";
import { bindAccount, prepare, rulesFor } from "../support/withdrawal-steps.ts";
import type { Visitor } from "../support/visitor.ts";

const test = browserTest();

/** The site under its name of this machine, where passkeys work. */
const named = ({ address }: ServerHere) => address.replace("127.0.0.1", "localhost");

/** All proofs of members are old. */
const age = ({ database }: ServerHere) =>
  withConnection(database, ({ run }) => run("update sessions set proven_at = 1"));

const sheetOf = ({ page, words }: Visitor, key: TextKey) =>
  page.getByRole("dialog", { name: words.text(key), exact: true });
const pressIn = (visitor: Visitor, sheet: TextKey, key: TextKey) =>
  sheetOf(visitor, sheet)
    .getByRole("button", { name: visitor.words.text(key), exact: true })
    .click();

async function addPasskey(visitor: Visitor): Promise<void> {
  const { page, button, words } = visitor;
  await page.goto("/Passkeys");
  await button("passkeys.add").click();
  await pressIn(visitor, "passkeys.add", "passkeys.add");
  await page.getByText(words.text("passkeys.added")).first().waitFor();
  await sheetOf(visitor, "passkeys.add").waitFor({ state: "detached" });
}

const card = ({ page }: Visitor) => page.locator("main li");

describe("a passkey", () => {
  test("is added, logs in, confirms a withdrawal and is removed, all without a password", async ({
    server,
    join,
    come,
  }) => {
    const member = await join("keeper_one", 1_000);
    const visitor = await come({ token: member.token!, address: named(server) });
    const { page, words, button, field } = visitor;
    const device = await BrowserAuthenticator.on(page);
    await page.goto("/Security");
    await page.getByRole("link", { name: words.text("passkeys.title") }).click();
    await page.getByText(words.text("passkeys.empty")).waitFor();
    await addPasskey(visitor);
    await card(visitor)
      .getByRole("heading", { name: /^Chrome on / })
      .waitFor();
    await card(visitor).getByText(words.text("passkeys.never")).waitFor();
    expect(await device.count()).toBe(1);
    await bindAccount(member);

    // Here the button alone logs in: no request waits for a choice from the name's list.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
    });
    await page.goto("/Setting");
    await button("session.logout").click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: words.text("session.logout"), exact: true })
      .click();
    await page.waitForURL(/\/Login/);
    await button("session.byPasskey").click();
    await page.waitForURL(/\/Home/);

    await page.goto("/Withdraw");
    await field("withdraw.amount").fill("300");
    await button("withdraw.send").click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: words.text("proof.byPasskey") })
      .click();
    await page.waitForURL(/\/WithdrawRecord/);
    const token = await page.evaluate(() => localStorage.getItem("token"));
    expect((await rulesFor(new Client(server.address, token!))).used_today).toBe(1);

    await age(server);
    await page.goto("/Passkeys");
    await card(visitor)
      .getByRole("button", { name: /^Remove/ })
      .click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: words.text("passkeys.remove"), exact: true })
      .click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: words.text("proof.byPasskey") })
      .click();
    await page.getByText(words.text("passkeys.empty")).waitFor();
  });

  test("logs in from the list of the name's field, where the browser has one", async ({ server, join, come }) => {
    const member = await join("keeper_two");
    const visitor = await come({ token: member.token!, address: named(server) });
    const { page, words } = visitor;
    await BrowserAuthenticator.on(page);
    await addPasskey(visitor);
    await page.evaluate(() => localStorage.removeItem("token"));
    // The virtual device answers at once what a person would choose from the list.
    await page.goto("/Login");
    await page.waitForURL(/\/Home/);
    await page.getByText(words.text("session.welcome").replace("{{name}}", "keeper_two")).waitFor();
  });

  test("is renamed, and an empty name is refused at its field", async ({ server, join, come }) => {
    const member = await join("keeper_three");
    const visitor = await come({ token: member.token!, address: named(server) });
    const { page, button, field, words } = visitor;
    await BrowserAuthenticator.on(page);
    await addPasskey(visitor);
    await card(visitor)
      .getByRole("button", { name: /^Rename/ })
      .click();
    await field("passkeys.name").fill(" ");
    await button("passkeys.save").click();
    await page.locator('[name="name"][aria-invalid="true"]').waitFor();
    await field("passkeys.name").fill("My laptop");
    await button("passkeys.save").click();
    await page.getByText(words.text("passkeys.renamed")).first().waitFor();
    await card(visitor).getByRole("heading", { name: "My laptop" }).waitFor();
  });
});

describe("a passkey that does not come", () => {
  test("leaves the member where they were, with words: not verified, there already, not answered", async ({
    server,
    join,
    come,
  }) => {
    const member = await join("keeper_four");
    const visitor = await come({ token: member.token!, address: named(server) });
    const { page, words, button } = visitor;
    const device = await BrowserAuthenticator.on(page);
    await addPasskey(visitor);
    await button("passkeys.add").click();
    await pressIn(visitor, "passkeys.add", "passkeys.add");
    await sheetOf(visitor, "passkeys.add").getByText(words.text("passkeys.there")).waitFor();
    await pressIn(visitor, "passkeys.add", "action.close");
    await device.verify(false);
    await age(server);
    await card(visitor)
      .getByRole("button", { name: /^Remove/ })
      .click();
    await pressIn(visitor, "passkeys.remove", "passkeys.remove");
    await pressIn(visitor, "proof.title", "proof.byPasskey");
    const proof = sheetOf(visitor, "proof.title");
    await proof.getByText(words.text("passkeys.stopped")).waitFor();
    await pressIn(visitor, "proof.title", "proof.byPassword");
    await proof.getByLabel(words.text("session.password"), { exact: true }).fill("keeper_four says");
    await pressIn(visitor, "proof.title", "action.confirm");
    await page.getByText(words.text("passkeys.empty")).waitFor();
  });

  test("takes no money twice when the answer to its withdrawal was lost", async ({ server, join, come }) => {
    const member = await join("keeper_five");
    await prepare(member, 1_000);
    const visitor = await come({ token: member.token!, address: named(server) });
    const { page, button, field } = visitor;
    await BrowserAuthenticator.on(page);
    await addPasskey(visitor);
    await page.goto("/Withdraw");
    await field("withdraw.amount").fill("300");
    await button("withdraw.send").click();
    await page.route("**/setUserWirhdraw", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await pressIn(visitor, "withdraw.title", "proof.byPasskey");
    await sheetOf(visitor, "withdraw.title").getByRole("alert").waitFor();
    await page.unroute("**/setUserWirhdraw");
    await pressIn(visitor, "withdraw.title", "proof.byPasskey");
    await page.waitForURL(/\/WithdrawRecord/);
    expect((await rulesFor(member)).used_today).toBe(1);
  });
});

describe("passkeys are not offered", () => {
  test("at an IP address, which the screen says, nor on its login screen", async ({ enter, come }) => {
    const { page } = await enter("keeper_six");
    await page.goto("/Passkeys");
    await page.getByText("Passkeys do not work at an IP address. Please open this site by its name").waitFor();
    const guest = await come();
    await guest.page.goto("/Login");
    await guest.button("session.login").waitFor();
    await guest.page.waitForLoadState("networkidle");
    expect(await guest.button("session.byPasskey").count()).toBe(0);
  });

  test("by a browser that has none, which the screen says", async ({ server, join, come }) => {
    const member = await join("keeper_seven");
    const { page, words } = await come({ token: member.token!, address: named(server) });
    await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
    await page.goto("/Passkeys");
    await page.getByText(words.text("passkeys.unsupported")).waitFor();
  });
});
