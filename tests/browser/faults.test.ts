import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

const TOP_UP = 1_000;
/** How long a screen may take to be right again once the connection is back, on a slow machine. */
const SOON_MS = 3_000;

let browser: Browser;
let server: ServerProcess;
let visitor: Visitor;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await ServerProcess.start();
});
afterEach(async () => {
  await visitor.close();
  await server.close();
});

async function come(): Promise<void> {
  visitor = await Visitor.come(browser, server.address);
  await visitor.register("unlucky");
  await visitor.topUp(TOP_UP);
  await visitor.openTable();
}

/** Opens the app of the same member through another address. */
async function comeBy(address: string): Promise<void> {
  await come();
  const token = (await visitor.page.evaluate(() => localStorage.getItem("token")))!;
  await visitor.close();
  visitor = await Visitor.come(browser, address, { token });
  await visitor.openTable();
}

const banner = () => visitor.page.getByText(visitor.words.text("state.lineAway"));
describe("a fault", () => {
  it("a server killed in mid-round and restarted: the screen is right again by itself", async () => {
    await come();
    await visitor.bet(["A", "B", "C", "D"], 50);
    await server.kill();
    await banner().waitFor();
    await server.start();
    await banner().waitFor({ state: "detached", timeout: SOON_MS });
    await expect.poll(() => visitor.balance(), { timeout: 25_000 }).toBe((TOP_UP - 200 + 195) * 100);
    await visitor.waitForSeconds(2);
    await visitor.bet(["A"], 10);
  });

  it("a connection cut for 20 s: a banner says so and goes, and the round on screen is the current one", async () => {
    await using cable = await CuttableProxy.lay(server.address);
    await comeBy(cable.address);
    const before = await visitor.roundShown();
    cable.cut();
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    expect(await banner().isVisible()).toBe(true);
    cable.mend();
    await banner().waitFor({ state: "detached", timeout: SOON_MS });
    await expect.poll(() => visitor.roundShown(), { timeout: SOON_MS }).not.toBe(before);
    await visitor.waitForSeconds(2);
    await visitor.bet(["C"], 10);
    await expect.poll(() => visitor.balance(), { timeout: 15_000 }).toBeGreaterThan(0);
  });

  it("a forced logout by the operator's command: the reason is shown, then login", async () => {
    await come();
    const done = await server.run("server/admin/main.ts", "member:kick", "unlucky", "--reason", "Please log in again");
    expect(done.code).toBe(0);
    await visitor.page.getByText("Please log in again").waitFor({ timeout: SOON_MS });
    await visitor.page.waitForURL(/\/Login/);
    expect(await visitor.page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  });

  it("a bet beyond the balance: refused with a reason, and the cart stays", async () => {
    await come();
    await visitor.choose(["A", "7"], TOP_UP);
    await visitor.button("cart.place").click();
    await visitor.page.getByText(visitor.words.text("cart.insufficient")).first().waitFor();
    expect(await visitor.field("cart.stake").inputValue()).toBe(String(TOP_UP));
    expect(await visitor.page.locator('[data-option][aria-pressed="true"]').count()).toBe(2);
    expect(await visitor.balance()).toBe(TOP_UP * 100);
  });

  it("a refusal by the server: its own text, and the cart stays", async () => {
    await come();
    await visitor.page.route("**/api/game/placeOrder", async (route) => {
      const form = new URLSearchParams(route.request().postData() ?? "");
      form.set("expect", "20260302-0001");
      await route.continue({ postData: form.toString() });
    });
    await visitor.choose(["A"], 10);
    await visitor.button("cart.place").click();
    await visitor.page.getByText("Betting on this round is closed").first().waitFor();
    expect(await visitor.field("cart.stake").inputValue()).toBe("10");
    expect(await visitor.balance()).toBe(TOP_UP * 100);
  });

  it("a slow answer, tapped twice: one bet; and a lost answer is retried, and counts once", async () => {
    await come();
    const keys: (string | undefined)[] = [];
    await visitor.page.route("**/api/game/placeOrder", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      const answer = await route.fetch();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      if (keys.length === 1) await route.abort();
      else await route.fulfill({ response: answer });
    });
    await visitor.choose(["A"], 10);
    const place = visitor.page.getByRole("button", {
      name: new RegExp(`${visitor.words.text("cart.place")}|${visitor.words.text("cart.placing")}`),
    });
    await place.click();
    await place.click({ force: true });
    await visitor.page.getByText(visitor.words.like("cart.placed")).waitFor({ timeout: 10_000 });
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[0]).toBeTruthy();
    await visitor.page.goto("/GameRecord");
    await visitor.page.locator("main li").first().waitFor();
    expect(await visitor.page.locator("main ul").first().locator("> li").count()).toBe(1);
  });
});
