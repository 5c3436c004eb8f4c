import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import { messagesOf } from "../server/http/endpoints.ts";
import { type Visitor } from "../support/visitor.ts";

let phone: Visitor;
let laptop: Visitor;
let members = 0;
const test = browserTest();
test.beforeEach(async ({ enter, come }) => {
  const username = `roamer_${++members}`;
  phone = await enter(username);
  laptop = await come({ viewport: { width: 1280, height: 800 } });
  await logIn(laptop, username);
});

async function logIn(visitor: Visitor, username: string): Promise<void> {
  await visitor.page.goto("/Login");
  await visitor.field("session.username").fill(username);
  await visitor.field("session.password").fill(`${username} says`);
  await visitor.button("session.login").click();
  await visitor.page.waitForURL(/\/Home/);
}

const cards = ({ page }: Visitor) => page.locator("main li");
const sheetButton = ({ page, words }: Visitor) =>
  page.getByRole("dialog").getByRole("button", { name: words.text("session.logout"), exact: true });

describe("a member's devices", () => {
  test("are listed from the security screen, by readable names, with this one marked", async () => {
    const { page, words } = phone;
    await page.goto("/Security");
    await page.getByRole("link", { name: words.text("sessions.title") }).click();
    await page.waitForURL(/\/Sessions/);
    await expect.poll(() => cards(phone).count()).toBe(2);
    const [here, there] = [cards(phone).nth(0), cards(phone).nth(1)];
    await here.getByText(words.text("sessions.here")).waitFor();
    expect(await here.getByRole("button").count()).toBe(0);
    await there.getByRole("heading", { name: /^Chrome on / }).waitFor();
    await there.getByText("127.0.0.1").waitFor();
  });

  test("are logged out one by one: the other opens login at once, this one stays", async () => {
    await laptop.page.goto("/Mine");
    await phone.page.goto("/Sessions");
    await cards(phone).nth(1).getByRole("button").click();
    await sheetButton(phone).click();
    await phone.page.getByText(phone.words.text("sessions.ended")).first().waitFor();
    await laptop.page.waitForURL(/\/Login/);
    expect(await laptop.page.evaluate(() => localStorage.getItem("token"))).toBe(null);
    await expect.poll(() => cards(phone).count()).toBe(1);
    await phone.page.getByText(phone.words.text("sessions.onlyHere")).waitFor();
  });

  test("are logged out all at once, after a question that can be declined", async ({ come }) => {
    const third = await come();
    await logIn(third, `roamer_${members}`);
    await phone.page.goto("/Sessions");
    await expect.poll(() => cards(phone).count()).toBe(3);
    await phone.button("sessions.endAll").click();
    await phone.page.getByText(phone.words.text("sessions.askAll")).waitFor();
    await phone.button("action.cancel").click();
    await phone.page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await cards(phone).count()).toBe(3);
    await phone.button("sessions.endAll").click();
    await sheetButton(phone).click();
    await Promise.all([laptop, third].map(({ page }) => page.waitForURL(/\/Login/)));
    await expect.poll(() => cards(phone).count()).toBe(1);
  });

  test("that could not be logged out say so, and can be retried", async () => {
    const { page, words } = phone;
    await page.goto("/Sessions");
    await cards(phone).nth(1).getByRole("button").click();
    await page.route(/endSession/, (route) => route.abort());
    await sheetButton(phone).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.unroute(/endSession/);
    await sheetButton(phone).click();
    await page.getByText(words.text("sessions.ended")).first().waitFor();
    await laptop.page.waitForURL(/\/Login/);
    await expect.poll(() => cards(phone).count()).toBe(1);
  });
});

describe("where one session is allowed", () => {
  test.afterEach(({ server }) => operatorOf(server)("setting:set", "single_session", "0"));

  test("a new login ends the others, which say so before login opens", async ({ come, server }) => {
    const third = await come();
    await operatorOf(server)("setting:set", "single_session", "1");
    await Promise.all([phone, laptop].map(({ page }) => page.goto("/Mine")));
    await Promise.all([phone, laptop].map(({ page }) => page.locator("h1").waitFor()));
    const notice = laptop.page.getByText(messagesOf("en_us").refusal.session!.kicked!).first().waitFor();
    await logIn(third, `roamer_${members}`);
    await notice;
    await Promise.all([phone, laptop].map(({ page }) => page.waitForURL(/\/Login/)));
    await third.page.goto("/Sessions");
    await expect.poll(() => cards(third).count()).toBe(1);
  });
});

describe("a locked member", () => {
  test("is told why, at login and at each attempt, and is led to a service that does not send back to login", async ({
    server,
  }) => {
    const { page, words } = phone;
    const name = `roamer_${members}`;
    await page.goto("/Mine");
    await page.locator("h1").waitFor();
    await operatorOf(server)("member:lock", name, "--reason", "Two accounts");
    await page.waitForURL(/\/Login/);
    const why = page.getByRole("main").getByText(/Two accounts/);
    await why.waitFor();
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBe(null);
    const service = page.getByRole("link", { name: words.text("service.contact") });
    const isServed = async () => {
      await service.click();
      await page.waitForURL(/\/ServiceOnline/);
      await why.waitFor();
      expect(await page.getByRole("link", { name: words.text("action.login"), exact: true }).count()).toBe(0);
    };
    await isServed();
    await page.goto("/Login");
    await phone.field("session.username").fill(name);
    await phone.field("session.password").fill(`${name} says`);
    await phone.button("session.login").click();
    await why.waitFor();
    await isServed();
  });
});
