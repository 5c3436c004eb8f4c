import { describe, expect } from "vitest";
import { messagesOf } from "../server/http/endpoints.ts";
import { browserTest } from "../support/browser-test.ts";
import { SSO_SECRET, ticketFor } from "../support/partner.ts";
import type { StoryServer } from "../support/server-process.ts";
import type { Visitor } from "../support/visitor.ts";

let visitor: Visitor;
let server: StoryServer;
/** Every address that the browser requested, and every ticket in a header, from now on. */
let asked: { url: string; tokensso: string | undefined }[];

const test = browserTest({
  furnish: async (server) => {
    const { code, out } = await server.commandWith(SSO_SECRET, "setting:set", "sso_secret", "-");
    if (code !== 0) throw new Error(out);
  },
});
test.beforeEach(({ visitor: guest, server: started }) => {
  [visitor, server] = [guest, started];
  asked = [];
  visitor.page.on("request", (request) => {
    asked.push({ url: request.url(), tokensso: request.headers()["tokensso"] });
  });
});

const FAILED = messagesOf("en_us").refusal.login!.ticket!;
const ticket = (username: string, ageMs = 0) => ticketFor(username, server.clock.now() - ageMs);
const link = (path: string, username: string, sso = ticket(username)) =>
  `${path}${path.includes("?") ? "&" : "?"}sso=${sso}&username=${username}`;
const isAt = (path: string) => visitor.page.waitForURL((url) => url.pathname + url.search === path);
const stored = (name: string) => visitor.page.evaluate((name) => localStorage.getItem(name), name);
const welcome = (name: string) => visitor.page.getByText(visitor.words.like("session.welcome", { name })).waitFor();

describe("a partner's link", () => {
  test("logs a new member in, on the page that it names, and leaves a clean address", async () => {
    const { page } = visitor;
    const sso = ticket("guest_1");
    await page.goto(link("/Setting?from=partner", "guest_1", sso));
    await isAt("/Setting?from=partner");
    await welcome("guest_1");
    await page.getByText(visitor.words.like("setting.signedIn", { name: "guest_1" })).waitFor();
    expect([await stored("tokensso"), await page.evaluate(() => window.history.length)]).toEqual([sso, 2]);
    const own = asked.filter(({ url }) => /\/api\/member\/(getUserInfo|checkloginout)/.test(url));
    expect(own.length).toBeGreaterThan(0);
    expect(own.every(({ tokensso }) => tokensso === sso)).toBe(true);
    // Apart from the page itself, no address has the ticket in it.
    expect(asked.slice(1).filter(({ url }) => url.includes(sso))).toEqual([]);
  });

  test("survives a reload, and opening the bare address", async () => {
    const { page } = visitor;
    await page.goto(link("/", "guest_2"));
    await isAt("/Home");
    await page.reload();
    await page.goto("/Mine");
    await page.getByText("guest_2").first().waitFor();
    expect(await stored("tokensso")).not.toBeNull();
  });

  test("keeps the connection open, on which pushes come at once", async () => {
    const { page } = visitor;
    await page.goto(link("/Mine", "guest_3"));
    await welcome("guest_3");
    await server.command("member:credit", "guest_3", "77", "--reason", "A gift");
    const balance = page.getByText("77").first();
    await expect.poll(() => balance.isVisible()).toBe(true);
  });

  test("works once: a visitor who uses it again is told so at the login", async ({ come }) => {
    const { page } = visitor;
    const address = link("/Mine", "guest_4");
    await page.goto(address);
    await welcome("guest_4");
    const other = await come();
    await other.page.goto(address);
    await other.page.waitForURL(/\/Login$/);
    await other.page.getByRole("alert").getByText(FAILED).waitFor();
    expect(await other.page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  });

  test("that has expired logs nobody in, and login leads to its target", async () => {
    const { page } = visitor;
    await visitor.register("anna_1");
    await visitor.device.clearCookies();
    await page.evaluate(() => localStorage.removeItem("token"));
    await page.goto(link("/Setting", "anna_1", ticket("anna_1", 61_000)));
    await page.waitForURL(/\/Login$/);
    await page.getByRole("alert").getByText(FAILED).waitFor();
    expect([await stored("token"), page.url().includes("sso")]).toEqual([null, false]);
    await visitor.field("session.username").fill("anna_1");
    await visitor.field("session.password").fill("long enough 1");
    await visitor.button("session.login").click();
    await isAt("/Setting");
  });

  test("leaves the logged-in member where they are without a signature, and until they choose to switch", async () => {
    const { page } = visitor;
    await visitor.register("anna_2");
    const token = await stored("token");
    await page.goto(link("/Setting", "anna_2", "a.b.c"));
    await page.getByText(FAILED).waitFor();
    await isAt("/Setting");
    expect(await stored("token")).toBe(token);
    await page.goto(link("/Setting", "guest_5"));
    await page.getByRole("button", { name: visitor.words.like("session.switchStay", { name: "anna_2" }) }).click();
    await isAt("/Setting");
    expect(await stored("token")).toBe(token);
    await page.goto(link("/Setting", "guest_5"));
    await page.getByRole("button", { name: visitor.words.like("session.switchGo", { name: "guest_5" }) }).click();
    await page.getByText(visitor.words.like("setting.signedIn", { name: "guest_5" })).waitFor();
    expect(await stored("token")).not.toBe(token);
  });
});

describe("a member who came by a link", () => {
  test("has no password to change, and leaves nothing behind at logout", async () => {
    const { page, words } = visitor;
    await page.goto(link("/Security", "guest_6"));
    await page.getByText(words.text("setting.byPartner")).waitFor();
    expect(await page.locator('a[href="/SetLoginPassword"]').count()).toBe(0);
    await page.goto("/SetLoginPassword");
    await page.getByText(words.text("password.none")).waitFor();
    await page.goto("/Setting");
    await visitor.button("session.logout").click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: words.text("session.logout"), exact: true })
      .click();
    await page.waitForURL(/\/Login$/);
    expect([await stored("token"), await stored("tokensso")]).toEqual([null, null]);
  });
});
