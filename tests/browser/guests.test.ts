import { describe, expect } from "vitest";
import { ROWS } from "#client/routes.tsx";
import { walk } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { Client } from "../support/client.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import type { Visitor } from "../support/visitor.ts";

const USERNAME = "comes_back";
/** Open to anyone, whatever the site requires. */
const ALWAYS = ["/Login", "/Register", "/Language", "/ServiceOnline", "/ServicePage", "/Fair", "/Proof"];
/** Open to anyone until the site requires a login. */
const UNTIL_ASKED = ["/Home", "/nHomeList", "/nHomeDetail", "/Choose", "/List"];

let visitor: Visitor;
const test = browserTest({ furnish: ({ address }) => new Client(address).register(USERNAME) });
test.beforeEach(({ visitor: guest }) => {
  visitor = guest;
});

/** Where a visitor of a screen ends up. */
async function ask(path: string): Promise<string> {
  const { page } = visitor;
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  return new URL(page.url()).pathname;
}

/** Those of the screens that lead elsewhere, each asked for within the app. */
async function sentAway(paths: string[]): Promise<string[]> {
  const { page } = visitor;
  await ask("/About");
  const places: string[] = [];
  for (const path of paths) {
    await walk(page, path);
    places.push(new URL(page.url()).pathname);
  }
  expect(places.filter((place, i) => place !== paths[i] && place !== "/Login")).toEqual([]);
  return paths.filter((path, i) => places[i] !== path);
}

async function logIn(): Promise<void> {
  // Registration, which may have been there before, has the same fields.
  await visitor.button("session.login").waitFor();
  await visitor.field("session.username").fill(USERNAME);
  await visitor.field("session.password").fill(`${USERNAME} says`);
  await visitor.button("session.login").click();
}

describe("a guest", () => {
  test("is asked to log in exactly where the contract says so, and no other screen is public", () => {
    const kinds = Object.groupBy(ROWS, ({ entry }) => entry);
    const pathsOf = (entry: "free" | "site") => kinds[entry]!.map(({ path }) => path).toSorted();
    // Anyone may read what the site is and is not, and who lost the password comes back by a code.
    expect(pathsOf("free")).toEqual([...ALWAYS, "/About", "/Recover"].toSorted());
    // The gallery shows no more than the listings do.
    expect(pathsOf("site")).toEqual([...UNTIL_ASKED, "/Gallery"].toSorted());
  });

  test("sees what is open to guests, and is sent to login from the rest", async () => {
    const closed = ["/Mine", "/Withdraw", "/Setname", "/GameRecord", "/Notice", "/Limits", "/Video", "/Game"];
    expect(await sentAway([...ALWAYS, ...UNTIL_ASKED, ...closed])).toEqual(closed);
  });

  test("returns after login to where they wanted to go, with the whole address", async () => {
    await ask("/Channel?money=120");
    await visitor.page.waitForURL(/\/Login/);
    // Through registration too.
    await visitor.page.getByRole("link", { name: visitor.words.text("session.toRegister") }).click();
    await visitor.page.waitForURL(/\/Register/);
    await visitor.page.getByRole("link", { name: visitor.words.text("session.toLogin") }).click();
    await logIn();
    await visitor.page.waitForURL(/\/Channel\?money=120/);
    await visitor.page.getByText("120", { exact: true }).waitFor();
    // Back never leads to login.
    await visitor.page.goBack();
    expect(new URL(visitor.page.url()).pathname).not.toBe("/Login");
  });
});

describe("while the site requires a login", () => {
  test("a guest is sent there from the current screen, as soon as it does", async ({ server }) => {
    expect(await ask("/Home")).toBe("/Home");
    await operatorOf(server)("setting:set", "video_login", "1");
    await visitor.page.waitForURL(/\/Login/);
    await logIn();
    await visitor.page.waitForURL(/\/Home/);
  });

  test("a guest is sent there from all but login, registration, the service and the draw check, and back after it", async () => {
    expect(await sentAway([...ALWAYS, ...UNTIL_ASKED])).toEqual(UNTIL_ASKED);
    await ask("/nHomeDetail?id=1");
    await logIn();
    await visitor.page.waitForURL(/\/nHomeDetail\?id=1/);
  });
});

test("whoever logs in among many waits, sees for how long, and gets on by themselves", async () => {
  const { page, words } = visitor;
  let asked = 0;
  await page.route("**/api/member/doLogin", async (route) => {
    if (++asked > 1) return route.continue();
    const data = { reason: "attempts.many" };
    const body = JSON.stringify({ code: 429, msg: "many", data });
    return route.fulfill({ status: 429, body, contentType: "application/json", headers: { "retry-after": "2" } });
  });
  await page.goto("/Login");
  await logIn();
  await page
    .getByRole("alert")
    .filter({ hasText: words.text("session.goesOn").split("{{")[0]! })
    .waitFor();
  await page.waitForURL("**/Home");
  expect(asked).toBe(2);
});
