import { describe, expect } from "vitest";
import { luckdrawLog } from "#shared/contract/wheel.ts";
import { routeOnce } from "../support/browser.ts";
import { browserTest, type Enter } from "../support/browser-test.ts";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import { offerPrizes, operate, PRIZE } from "../support/prizes.ts";

const TURN_AND_REST_MS = 5_500;

const test = browserTest({ furnish: offerPrizes });

/** A new member at the wheel, with one spin, and the requests that the server got with their keys. */
async function stand(enter: Enter, name: string, { address, isStill = false }: Standing = {}) {
  const visitor = await enter(name, 0, address === undefined ? {} : { address });
  const { page, words } = visitor;
  if (isStill) await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/luckDraw");
  const go = page.getByRole("button", { name: words.text("wheel.go") });
  await page.getByText("1 spin left").waitFor();
  // The commit stands in a head that this browser keeps: now words may be made.
  await page.getByRole("button", { name: words.text("wheel.go"), disabled: false }).waitFor();
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/luckdraw") keys.push(request.headers()["idempotency-key"]);
  });
  return { visitor, page, words, go, keys, result: page.getByRole("dialog"), ok: visitor.button("action.ok") };
}

interface Standing {
  address?: string;
  isStill?: boolean;
}

type Stand = Awaited<ReturnType<typeof stand>>;

/** The wheel's current rotation on the screen. */
const turnOf = ({ page }: Stand) => page.locator("[data-angle]").evaluate((wheel) => getComputedStyle(wheel).transform);
const winsIn = ({ page, words }: Stand) =>
  page.getByRole("region", { name: words.text("wheel.winners") }).getByRole("listitem");

async function balanceOf({ page, visitor }: Stand): Promise<number> {
  await page.goto("/Lottery?key=k3-10s&id=lot_1");
  await expect.poll(() => visitor.balance()).toBeGreaterThan(0);
  return visitor.balance();
}

/** How many spins the member's pair counts. */
async function spinsOf({ page, words }: Stand): Promise<string | null> {
  await page.goto("/FairWheel");
  return page.getByText(words.text("wheel.nonce"), { exact: true }).locator("xpath=following-sibling::*").textContent();
}

describe("the wheel", () => {
  test("turns, shows the prize once it stands, until OK; others see it then; no spin left locks it", async ({
    join,
    enter,
  }) => {
    const reader = await join("reader");
    const me = await stand(enter, "spinner");
    const other = await stand(enter, "onlooker");
    const from = Date.now();
    const answered = me.page.waitForResponse(/\/api\/luckdraw$/);
    await me.go.click();
    await answered;
    // Nobody is told while it turns: a page that is loaded anew may come too late to see that.
    const told = await reader.must(luckdrawLog);
    const early = await turnOf(me);
    await expect.poll(() => turnOf(me), { interval: 50 }).not.toBe(early);
    await me.page.getByText("1 spin left").waitFor();
    await other.page.getByText(other.words.text("wheel.noWinners")).waitFor();
    expect([told, await me.result.count(), await winsIn(me).count()]).toEqual([[], 0, 0]);

    await me.result.getByText(/You won Ten/).waitFor();
    expect(Date.now() - from).toBeGreaterThanOrEqual(TURN_AND_REST_MS);
    await me.page.keyboard.press("Escape");
    await me.page.mouse.click(5, 5);
    await me.page.waitForTimeout(300);
    expect(await me.result.isVisible()).toBe(true);
    await me.ok.click();
    await me.result.waitFor({ state: "detached" });
    await winsIn(me).first().waitFor();
    await winsIn(other).first().waitFor();
    expect(await winsIn(other).first().textContent()).toMatch(/points.*s\*\*\*r/);

    await me.page.getByText("0 spins left").waitFor();
    await me.page.getByText(/^Free spins come again at/).waitFor();
    expect(await me.go.getAttribute("aria-disabled")).toBe("true");
    await me.go.click({ force: true });
    await me.page.getByRole("link", { name: me.words.text("wheel.check") }).click();
    await me.page.getByRole("heading", { level: 1, name: me.words.text("wheel.check") }).waitFor();
    await me.visitor.button("action.back").click();
    await me.page.getByText("0 spins left").waitFor();
    expect([me.keys.length, await me.go.getAttribute("aria-disabled")]).toEqual([1, "true"]);
    await me.page.goto("/Game");
    await me.page.getByRole("link", { name: /0 spins left/ }).click();
    await me.page.getByRole("heading", { level: 1, name: me.words.text("wheel.title") }).waitFor();
    expect(await balanceOf(me)).toBe(PRIZE * 100);
  });

  test("resumes the same spin when the connection was cut before its answer came", async ({ server, enter }) => {
    await using cable = await CuttableProxy.lay(server.address);
    const me = await stand(enter, "cut_off", { address: cable.address });
    await routeOnce(me.page, "**/api/luckdraw", async (route) => {
      // The server has done it; its answer meets a cut connection.
      await route.fetch();
      cable.cut();
      await route.abort();
    });
    await me.go.click();
    // Unsure for two seconds, then asking again for as long as the connection is cut.
    const unsure = me.page.getByText(me.words.text("wheel.unsure"));
    const asking = me.page.getByText(me.words.text("wheel.again"));
    await unsure.or(asking).waitFor();
    await asking.waitFor();
    expect(await me.result.count()).toBe(0);
    cable.mend();
    await me.result.getByText(/You won Ten/).waitFor();
    await me.ok.click();
    expect([me.keys.length > 1, new Set(me.keys).size]).toEqual([true, 1]);
    expect(await spinsOf(me)).toBe("1");
    expect(await balanceOf(me)).toBe(PRIZE * 100);
  });

  test("resumes the same spin after a reload; its seed can be changed and checked", async ({ enter }) => {
    const me = await stand(enter, "reloader");
    let spins = 0;
    // The server spins, and the answer stays on its way.
    await routeOnce(me.page, "**/api/luckdraw", async (route) => {
      await route.fetch();
      spins++;
    });
    await me.go.click();
    await expect.poll(() => spins).toBe(1);
    // A socket that connects only now lets the app ask again, with the same key.
    const asked = me.keys.length;
    await me.page.reload();
    await me.page.getByText(me.words.text("wheel.again")).waitFor();
    expect(await winsIn(me).count()).toBe(0);
    await me.result.getByText(/You won Ten/).waitFor();
    await me.ok.click();
    await me.page.reload();
    await me.page.getByText("0 spins left").waitFor();
    expect([me.keys.length > asked, new Set(me.keys).size, await me.result.count()]).toEqual([true, 1, 0]);

    expect(await spinsOf(me)).toBe("1");
    const commit = await me.page.locator("code").first().textContent();
    await me.visitor.field("wheel.newWords").fill("not: these");
    await me.visitor.button("wheel.changeNow").click();
    await me.page.locator("[data-invalid]").first().waitFor();
    await me.visitor.field("wheel.newWords").fill("my-own-words");
    await me.visitor.button("wheel.changeNow").click();
    const before = me.page.locator("section", { hasText: me.words.text("wheel.pairBefore") });
    await before.getByText(me.words.text("fair.matches")).nth(1).waitFor();
    expect(await before.getByText(me.words.text("fair.matches")).count()).toBe(2);
    expect(await before.textContent()).toContain(commit);
    expect(await me.page.locator("section").first().textContent()).toContain("my-own-words");
    await before.getByText(me.words.text("wheel.kept")).waitFor();
    expect(await me.visitor.field("wheel.newWords").inputValue()).toMatch(/^[a-z]+(-[a-z]+){4}$/);
    expect(await me.page.getByRole("alert").count()).toBe(0);
  });

  test("shows the prize at once where motion is reduced, and says that it is switched off", async ({
    server,
    enter,
  }) => {
    const me = await stand(enter, "still_one", { isStill: true });
    await me.go.focus();
    const answered = me.page.waitForResponse(/\/api\/luckdraw$/);
    await me.page.keyboard.press("Enter");
    await answered;
    await me.result.getByText(/You won Ten/).waitFor({ timeout: TURN_AND_REST_MS - 500 });
    await me.ok.and(me.page.locator(":focus")).waitFor();
    await me.page.keyboard.press("Enter");
    await me.result.waitFor({ state: "detached" });
    await me.go.and(me.page.locator(":focus")).waitFor();
    await operate(server, "setting:set", "isluckdraw", "0");
    await me.page.getByText(me.words.text("wheel.off")).waitFor();
    await operate(server, "setting:set", "isluckdraw", "1");
    await me.go.waitFor();
  });

  test("locks where the balance does not cover another spin, and leads to a top-up", async ({ server, enter }) => {
    await operate(server, "setting:set", "spin_price", String(PRIZE + 1));
    const { go, ok, page, words } = await stand(enter, "short_one", { isStill: true });
    const chances = page.getByRole("heading", { name: words.text("wheel.chances") });
    const top = (await chances.boundingBox())!.y;
    await go.click();
    await ok.click();
    await page.getByText(words.like("wheel.short")).waitFor();
    expect(await go.getAttribute("aria-disabled")).toBe("true");
    await expect.poll(async () => (await chances.boundingBox())!.y).toBe(top);
    await page
      .getByRole("main")
      .getByRole("link", { name: words.text("mine.recharge") })
      .click();
    await page.waitForURL(/\/Recharge/);
  });
});
