import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rulesOf } from "#shared/lottery/games.ts";
import { maskOf, payoutOf } from "#shared/lottery/rules.ts";
import { launchBrowser } from "../support/browser.ts";
import { ServerProcess, TEN_SECONDS } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

const STAKE = 10;
/** Of each kind options of which one wins with every draw, and one that rarely does. */
const BETS = [
  { kind: "dice-sum", options: ["A", "B", "7"], names: ["Big", "Small", "Sum 7"] },
  {
    kind: "dice-faces",
    options: ["1", "2", "3", "4", "5", "6", "2-5", "4-4-4"],
    names: ["Face 1", "Face 6", "2 and 5", "Triple 4"],
  },
  { kind: "dice-pair", options: ["C", "D", "double"], names: ["Odd", "Even", "Any double"] },
];
const games = BETS.map(({ kind }) => ({ ...TEN_SECONDS, key: `${kind}-10s`, name: `A game of ${kind}`, kind }));

let browser: Browser;
let server: ServerProcess;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start({ games })]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const shown = new Intl.NumberFormat("en", { minimumFractionDigits: 2 });

/** The faces that readers hear of. */
const facesIn = async (place: Locator): Promise<number[]> => {
  const label = await place
    .getByRole("img", { name: /^Dice \d/ })
    .first()
    .getAttribute("aria-label");
  return label!
    .replace(/, sum.*/, "")
    .match(/\d/g)!
    .map(Number);
};

describe.each(BETS)("a round of $kind", ({ kind, options, names }) => {
  it("is bet on at its board, drawn before one's eyes, paid, recorded, and can be checked", async () => {
    const visitor = await Visitor.come(browser, server.address);
    const { page, words } = visitor;
    await visitor.register(kind.replace("-", "_"));
    await visitor.topUp(1_000);
    await page.goto("/Game");
    await page.getByRole("link", { name: `A game of ${kind}` }).click();
    await visitor.waitForSeconds(5);
    const round = (await visitor.roundShown())!;
    await visitor.bet(options, STAKE);
    // However far down the board was, what comes next is in sight.
    const table = page.locator("main section").first();
    await expect.poll(() => table.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(0);
    await page.getByText(words.like("round.result", { round })).waitFor({ timeout: 20_000, state: "attached" });
    await page.getByText(words.like("round.won")).first().waitFor();

    const draw = await facesIn(table);
    const rules = rulesOf(kind);
    expect(draw).toHaveLength(rules.dice);
    const bet = { stake: STAKE * 100, mask: maskOf(rules, options) };
    const won = payoutOf(rules, bet, draw, rules.odds, 1);
    await expect.poll(() => visitor.balance()).toBe(100_000 - options.length * bet.stake + won);

    await page.goto("/GameRecord");
    const order = page.getByRole("listitem").filter({ hasText: round }).first();
    expect(await facesIn(order)).toEqual(draw);
    await order
      .getByText(`+${shown.format(won / 100)}`)
      .first()
      .waitFor();
    await order.locator("summary").click();
    for (const name of names) await order.getByRole("group").getByText(name, { exact: true }).waitFor();
    await order.getByRole("link", { name: words.text("round.check") }).click();
    await page.getByText(words.text("fair.good")).waitFor();
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  });
});
