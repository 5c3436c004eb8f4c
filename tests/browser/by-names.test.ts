import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { TextKey } from "#client/text/i18n.ts";
import { browserTest } from "../support/browser-test.ts";
import { INVITE, TEN_SECONDS } from "../support/server-process.ts";
import { PASSWORD, type Visitor } from "../support/visitor.ts";
import { NUMBER, PIN } from "../support/withdrawal-steps.ts";

const NAME = "Twenty seconds";
const test = browserTest({ games: [{ ...TEN_SECONDS, key: "k3-20s", name: NAME, periodS: 20 }] });

type Role = Parameters<Page["getByRole"]>[0];

/** What somebody finds who hears roles and names, and sees nothing. */
function hearing({ page, words }: Visitor) {
  const find = (role: Role, key: TextKey) => page.getByRole(role, { name: words.text(key), exact: true });
  const press = (role: Role, key: TextKey) => find(role, key).click();
  const type = (key: TextKey, typed: string) => page.getByLabel(words.text(key), { exact: true }).fill(typed);
  const arrive = (key: TextKey) =>
    page.getByRole("heading", { level: 1, name: words.text(key), exact: true }).waitFor();
  /** One of the main screens. Its name may be followed by how much is new. */
  const tab = (key: TextKey) =>
    find("navigation", "tab.label")
      .getByRole("link", { name: new RegExp(`^${words.text(key)}`) })
      .click();
  const told = (key: TextKey) => page.getByRole("status").filter({ hasText: words.like(key) });
  return { find, press, type, arrive, tab, told };
}

async function register(visitor: Visitor): Promise<void> {
  const { press, type, arrive } = hearing(visitor);
  await visitor.page.goto("/Login");
  await press("link", "session.toRegister");
  await arrive("session.registerTitle");
  await type("session.username", "by_names");
  await type("session.password", PASSWORD);
  await type("session.code", INVITE);
  await press("button", "session.register");
}

async function topUp(visitor: Visitor): Promise<void> {
  const { press, type, arrive, tab } = hearing(visitor);
  const { page, words } = visitor;
  await tab("tab.mine");
  await arrive("mine.title");
  await press("button", "mine.recharge");
  await type("recharge.amount", "1000");
  await press("button", "recharge.pay");
  const paying = page.getByTitle(words.text("channel.frame"), { exact: true }).contentFrame();
  await paying.getByRole("button", { name: "Pay", exact: true }).click();
  await press("button", "channel.return");
  await arrive("mine.title");
}

/** Bets 10 on big, and waits until the result is told. Returns its round. */
async function betOnBig(visitor: Visitor): Promise<string> {
  const { find, press, type, tab, told } = hearing(visitor);
  const { page, words } = visitor;
  await tab("tab.game");
  await page.getByRole("link", { name: NAME }).click();
  // A bet takes its time on a busy machine, so it begins with a round that just did.
  await page.getByRole("timer", { name: /00:1[2-7]/ }).waitFor();
  await find("region", "option.group.evens")
    .getByRole("button", { name: new RegExp(`\\b${words.text("option.big")}\\b`) })
    .click();
  await type("cart.stake", "10");
  await press("button", "cart.place");
  await page.getByRole("dialog", { name: words.like("cart.placed") }).waitFor();
  const heard = await told("own.told").textContent();
  return /\d{8}-\d{4}/.exec(heard!)![0];
}

async function withdraw(visitor: Visitor): Promise<void> {
  const { find, press, type, arrive, tab } = hearing(visitor);
  await tab("tab.mine");
  await press("link", "mine.withdraw");
  await arrive("withdraw.title");
  await type("withdraw.amount", "400");
  await find("combobox", "bank.bank").selectOption({ label: "ACB" });
  await type("bank.number", NUMBER);
  await type("bank.holder", "By Names");
  await press("button", "withdraw.send");
  const sheet = find("dialog", "withdraw.title");
  const pad = sheet.getByRole("group", { name: visitor.words.text("passcode.pad") });
  for (const digit of PIN) await pad.getByRole("button", { name: digit, exact: true }).click();
  await sheet.getByRole("button", { name: visitor.words.text("withdraw.send") }).click();
  await arrive("withdrawRecord.title");
}

describe("by roles and names alone", () => {
  test("register, top up, bet, hear the result, open its proof and ask for a withdrawal", async ({ visitor }) => {
    const { page, words } = visitor;
    const { find, press, arrive, tab, told } = hearing(visitor);
    await register(visitor);
    await topUp(visitor);
    const round = await betOnBig(visitor);
    const result = find("region", "cart.title");
    await result.getByRole("heading", { name: words.like("own.result", { round }) }).waitFor();
    await result.getByRole("row", { name: new RegExp(`${words.text("option.big")} 10`) }).waitFor();

    await press("link", "round.check");
    await arrive("fair.title");
    await told("fair.numbers").waitFor();
    await press("button", "action.back");
    await press("button", "action.back");
    await tab("tab.mine");
    await press("link", "mine.history");
    await page.getByRole("link", { name: `${words.text("watch.order.show")} ${round}` }).click();
    await arrive("watch.title");
    const steps = page.getByRole("listitem").filter({ has: find("heading", "watch.order.receipt") });
    await steps.getByText(words.text("watch.order.taken")).waitFor();

    await press("button", "action.back");
    await press("button", "action.back");
    await withdraw(visitor);
    const asked = find("list", "withdrawRecord.list").getByRole("listitem");
    expect(await asked.textContent()).toContain("400");
  });
});
