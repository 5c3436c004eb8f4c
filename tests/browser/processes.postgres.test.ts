import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { leaveBrowser, openBrowser } from "../support/browser.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

const TOP_UP = 1_000;
const STAKE = 50;
/** Two of the four even chances always win; each returns 1.95 times its stake. */
const EVENS = ["A", "B", "C", "D"];
const AFTER_WIN = (TOP_UP - 4 * STAKE + 2 * STAKE * 1.95) * 100;
/** The operator's changes are on every screen within this time, including the start of the command's program. */
const SOON_MS = 60_000;

let browser: Browser;
let servers: ServerProcess[];
const visitors: Visitor[] = [];
beforeAll(async () => {
  const first = await ServerProcess.start();
  servers = [
    first,
    await ServerProcess.start({ sameDatabaseAs: first }),
    await ServerProcess.start({ sameDatabaseAs: first }),
  ];
  browser = await openBrowser();
});
afterEach(async () => {
  for (const visitor of visitors.splice(0)) await visitor.close();
});
afterAll(async () => {
  await leaveBrowser(browser);
  for (const server of servers.toReversed()) await server.close();
});

/** A visitor who plays on one of the processes alone. */
async function come(process: number, name: string): Promise<Visitor> {
  const visitor = await Visitor.come(browser, servers[process]!.address);
  visitors.push(visitor);
  await visitor.register(name);
  await visitor.topUp(TOP_UP);
  await visitor.openTable(0);
  return visitor;
}

/** The result of a round, and what it brought, told without a reload. */
async function resultOf(visitor: Visitor, round: string): Promise<string> {
  const { page, words } = visitor;
  const told = page.getByText(words.like("round.result", { round })).filter({ hasText: words.like("own.told") });
  const text = (await told.first().textContent({ timeout: SOON_MS }))!;
  await expect.poll(() => visitor.balance()).toBe(AFTER_WIN);
  return text;
}

describe("members of one site whose phones are with different processes", () => {
  it("play the same rounds, see the same dice, and are paid without a reload", async () => {
    const [one, two] = [await come(0, "with_first"), await come(1, "with_second")];
    await Promise.all([one.choose(EVENS, STAKE), two.choose(EVENS, STAKE)]);
    const [round, other] = await Promise.all([one.place(), two.place()]);
    expect(other).toBe(round);
    const [first, second] = await Promise.all([resultOf(one, round), resultOf(two, round)]);
    expect(second).toBe(first);
    expect([...one.faults, ...two.faults]).toEqual([]);
  });

  it("see the operator's changes, and a kick ends a session wherever it is", async () => {
    const [one, two] = [await come(1, "kept_here"), await come(2, "sent_away")];
    const run = operatorOf(servers[0]!);
    await run("notice:add", "--name", "Harbour news", "--text", "The harbour opens at nine.");
    for (const { page } of [one, two]) await page.getByText("Harbour news").first().waitFor({ timeout: SOON_MS });
    await run("member:kick", "sent_away", "--reason", "Please log in again");
    await two.page.waitForURL(/\/Login/, { timeout: SOON_MS });
    expect(new URL(one.page.url()).pathname).toBe("/Lottery");
  });
});
