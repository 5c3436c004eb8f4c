import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ROWS } from "#client/routes.tsx";
import { launchBrowser } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

const USERNAME = "comes_back";
/** Open to anyone, whatever the site requires. */
const ALWAYS = ["/Login", "/Register", "/Language", "/ServiceOnline", "/ServicePage", "/Fair"];
/** Open to anyone until the site requires a login. */
const UNTIL_ASKED = ["/Home", "/nHomeList", "/nHomeDetail", "/Choose", "/List"];

let browser: Browser;
let server: ServerProcess;
let visitor: Visitor;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start()]);
  await new Client(server.address).register(USERNAME);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  visitor = await Visitor.come(browser, server.address);
});
afterEach(() => visitor.close());

/** Where a visitor of a screen ends up. */
async function ask(path: string, page = visitor.page): Promise<string> {
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  return new URL(page.url()).pathname;
}

/** Those of the screens that lead elsewhere, each opened by its address and on its own page. */
async function sentAway(paths: string[]): Promise<string[]> {
  const places = await Promise.all(paths.map(async (path) => ask(path, await visitor.device.newPage())));
  expect(places.filter((place, i) => place !== paths[i] && place !== "/Login")).toEqual([]);
  return paths.filter((path, i) => places[i] !== path);
}

async function logIn(): Promise<void> {
  await visitor.field("session.username").fill(USERNAME);
  await visitor.field("session.password").fill(`${USERNAME} says`);
  await visitor.button("session.login").click();
}

describe("a guest", () => {
  it("is asked to log in exactly where the contract says so, and no other screen is public", () => {
    const kinds = Object.groupBy(ROWS, ({ entry }) => entry);
    const pathsOf = (entry: "free" | "site") => kinds[entry]!.map(({ path }) => path).toSorted();
    // Anyone may read what the site is and is not.
    expect(pathsOf("free")).toEqual([...ALWAYS, "/About"].toSorted());
    // The gallery shows no more than the listings do.
    expect(pathsOf("site")).toEqual([...UNTIL_ASKED, "/Gallery"].toSorted());
  });

  it("sees what is open to guests, and is sent to login from the rest", async () => {
    const closed = ["/Mine", "/Withdraw", "/Setname", "/GameRecord", "/Notice", "/Limits", "/Video", "/Game"];
    expect(await sentAway([...ALWAYS, ...UNTIL_ASKED, ...closed])).toEqual(closed);
  });

  it("returns after login to where they wanted to go, with the whole address", async () => {
    await ask("/Channel?money=120");
    await visitor.page.waitForURL(/\/Login/);
    // Through registration too.
    await visitor.page.getByRole("link", { name: visitor.words.text("session.toRegister") }).click();
    await visitor.page.waitForURL(/\/Register/);
    await visitor.page.getByRole("link", { name: visitor.words.text("session.toLogin") }).click();
    await logIn();
    await visitor.page.waitForURL(/\/Channel\?money=120/);
    await visitor.page.getByText("120.00").waitFor();
    // Back never leads to login.
    await visitor.page.goBack();
    expect(new URL(visitor.page.url()).pathname).not.toBe("/Login");
  });
});

describe("while the site requires a login", () => {
  it("a guest is sent there from the current screen, as soon as it does", async () => {
    expect(await ask("/Home")).toBe("/Home");
    await operatorOf(server)("setting:set", "video_login", "1");
    await visitor.page.waitForURL(/\/Login/);
    await logIn();
    await visitor.page.waitForURL(/\/Home/);
  });

  it("a guest is sent there from all but login, registration, the service and the draw check, and back after it", async () => {
    expect(await sentAway([...ALWAYS, ...UNTIL_ASKED])).toEqual(UNTIL_ASKED);
    await ask("/nHomeDetail?id=1");
    await logIn();
    await visitor.page.waitForURL(/\/nHomeDetail\?id=1/);
    expect(visitor.faults).toEqual([]);
  });
});
