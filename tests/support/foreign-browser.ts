import { expect } from "vitest";
import { eventually } from "./client.ts";
import { INVITE, type ServerProcess } from "./server-process.ts";
import { PASSWORD } from "./visitor.ts";
import { wordsIn } from "./words.ts";

/** A part of a page by its name in the accessibility tree, and by its role where others have that name; or by CSS. */
export type Part = { name: string; role?: string } | { css: string };

/** A browser that Playwright does not drive. */
export interface ForeignBrowser {
  goto(url: string): Promise<void>;
  /** Runs a function in the page, and returns what it returns. Both sides are JSON. */
  run<A extends unknown[], R>(work: (...args: A) => R | Promise<R>, ...args: A): Promise<R>;
  /** Waits until a function that runs in the page returns true. */
  until<A extends unknown[]>(work: (...args: A) => boolean | Promise<boolean>, ...args: A): Promise<void>;
  tap(part: Part): Promise<void>;
  /** Types into a field, in place of what it had. */
  write(part: Part, text: string): Promise<void>;
}

export const PATIENCE_MS = 120_000;
/** Beside three busy loops the whole job took a sixth of it. */
export const ALL_STEPS_MS = 600_000;

/** The rounds of the job's table: long enough to bet in, short enough to wait for. */
export const HALF_A_MINUTE = { key: "k3-30s", name: "Half a minute", periodS: 30, closeS: 4 };

/** Runs in a page: shows a part of it, and waits until that stands still, so that a pointer meets it. */
export async function still(part: Element): Promise<void> {
  part.scrollIntoView({ block: "center", behavior: "instant" });
  const place = () => JSON.stringify(part.getBoundingClientRect());
  const soon = () => new Promise((resolve) => setTimeout(resolve, 100));
  for (let was = ""; was !== place(); await soon()) was = place();
}

const { text } = wordsIn("en_us");

/** Has the app in English, and the table without its first explanation. */
export const begin = (token?: string) => {
  localStorage.setItem("viodeLang", "en_us");
  localStorage.setItem("tableTold", "yes");
  if (token) localStorage.setItem("token", token);
};

/** A guest registers, tops up, bets, is paid and checks the draw. */
export async function doMainJob(browser: ForeignBrowser, server: ServerProcess, username: string): Promise<void> {
  await browser.goto(`${server.address}/About`);
  await browser.run(begin);
  await browser.goto(`${server.address}/Register`);
  await browser.write({ name: text("session.username") }, username);
  await browser.write({ name: text("session.password") }, PASSWORD);
  await browser.write({ name: text("session.code") }, INVITE);
  await browser.tap({ role: "button", name: text("session.register") });
  await browser.until(() => location.pathname === "/Home");

  await browser.goto(`${server.address}/Recharge`);
  await browser.write({ name: text("recharge.amount") }, "1000");
  await browser.tap({ role: "button", name: text("recharge.pay") });
  await browser.tap({ css: "button.pay" });
  await browser.tap({ role: "button", name: text("channel.return") });
  await browser.until(() => location.pathname !== "/Channel");

  await browser.goto(`${server.address}/Game`);
  await browser.tap({ css: 'a[href*="/Lottery?"]' });
  // Two of the four even chances always win.
  for (const option of ["A", "B", "C", "D"]) await browser.tap({ css: `button[data-option="${option}"]` });
  await browser.write({ name: text("cart.stake") }, "50");
  const shows = (shown: string) => document.querySelector("header")!.textContent.includes(shown);
  // A tap on a busy machine may come after the close: the cart waits for the next round then.
  await eventually(async () => {
    if (await browser.run(shows, "800")) return;
    await browser.until(() => Number(document.querySelector('[role="timer"]')?.textContent?.split(":").at(-1)) >= 5);
    await browser.tap({ role: "button", name: text("cart.place") });
    await eventually(async () => expect(await browser.run(shows, "800")).toBe(true), 10_000);
  }, PATIENCE_MS);
  // Staked 200, returned 195, without a reload.
  await browser.until(shows, "995");
  await browser.tap({ role: "link", name: text("round.check") });
  await browser.until((good) => document.body.textContent.includes(good), text("fair.numbers"));
}

/** The API's page at this address is whole. */
export async function readApiPage(browser: ForeignBrowser, address: string): Promise<void> {
  await browser.goto(`${address}/docs`);
  await browser.until(() => document.querySelectorAll(".opblock").length > 70);
  await browser.tap({ css: "#operations-lottery-postGamePlaceOrder button" });
  await browser.until(() =>
    document.querySelector("#operations-lottery-postGamePlaceOrder")!.textContent.includes("idempotency-key"),
  );
}
