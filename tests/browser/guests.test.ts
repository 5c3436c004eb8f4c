import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ROWS } from "#client/routes.tsx";
import { launchBrowser } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

const USERNAME = "comes_back";
/** Open to anyone, whatever the site asks for. */
const ALWAYS = ["/Login", "/Register", "/Language", "/ServiceOnline", "/ServicePage", "/Fair"];
/** Open to anyone until the site asks for a login. */
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

/** Where somebody who asks for a screen ends up. */
async function ask(path: string, page = visitor.page): Promise<string> {
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  return new URL(page.url()).pathname;
}

/** Those of the screens that lead elsewhere, each asked for by its address and on a page of its own. */
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
  it("is asked to log in exactly where the contract says so, and what is open to anyone has no screen beside it", () => {
    const kinds = Object.groupBy(ROWS, ({ entry }) => entry);
    const pathsOf = (entry: "free" | "site") => kinds[entry]!.map(({ path }) => path).toSorted();
    // What the club is and is not may be read by anyone.
    expect(pathsOf("free")).toEqual([...ALWAYS, "/About"].toSorted());
    // The gallery shows no more than the listings do.
    expect(pathsOf("site")).toEqual([...UNTIL_ASKED, "/Gallery"].toSorted());
  });

  it("sees what is open to guests, and is sent to login from what is not", async () => {
    const closed = ["/Mine", "/Withdraw", "/Setname", "/GameRecord", "/Notice", "/Limits", "/Video", "/Game"];
    expect(await sentAway([...ALWAYS, ...UNTIL_ASKED, ...closed])).toEqual(closed);
  });

  it("comes back after login to where they wanted to go, with what stood in its address", async () => {
    await ask("/Channel?money=120");
    await visitor.page.waitForURL(/\/Login/);
    // By way of the other door too.
    await visitor.page.getByRole("link", { name: visitor.words.text("session.toRegister") }).click();
    await visitor.page.waitForURL(/\/Register/);
    await visitor.page.getByRole("link", { name: visitor.words.text("session.toLogin") }).click();
    await logIn();
    await visitor.page.waitForURL(/\/Channel\?money=120/);
    await visitor.page.getByText("120.00").waitFor();
    // Login is no place that one gets back to.
    await visitor.page.goBack();
    expect(new URL(visitor.page.url()).pathname).not.toBe("/Login");
  });
});

describe("while the site asks for a login", () => {
  it("a guest is sent there from the screen they are on, as soon as it does", async () => {
    expect(await ask("/Home")).toBe("/Home");
    await operatorOf(server)("setting:set", "video_login", "1");
    await visitor.page.waitForURL(/\/Login/);
    await logIn();
    await visitor.page.waitForURL(/\/Home/);
  });

  it("a guest is sent there from all but the doors, the service and the draw check, and back after it", async () => {
    expect(await sentAway([...ALWAYS, ...UNTIL_ASKED])).toEqual(UNTIL_ASKED);
    await ask("/nHomeDetail?id=1");
    await logIn();
    await visitor.page.waitForURL(/\/nHomeDetail\?id=1/);
    expect(visitor.faults).toEqual([]);
  });
});
