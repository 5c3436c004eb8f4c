import type { Locator } from "playwright-core";
import { describe, expect } from "vitest";
import { allDraws } from "#shared/lottery/dice.ts";
import { DEFAULT_KIND, GAME_KINDS, rulesOf } from "#shared/lottery/games.ts";
import { maskOf, payoutOf, type Option } from "#shared/lottery/rules.ts";
import { browserTest } from "../support/browser-test.ts";
import { byLength } from "../support/length.ts";
import { oddsOf } from "../support/odds-of.ts";
import { TEN_SECONDS } from "../support/server-process.ts";

const STAKE = 10;
/** In a short run without the kind that every other story plays. */
const KINDS = [...GAME_KINDS.keys()].filter((kind) => byLength(kind !== DEFAULT_KIND, true));
/**
 * Each kind of the registry, with options of which one wins with every draw where possible, and one that rarely does.
 */
const BETS = KINDS.map((kind) => ({
  kind,
  options: [...new Set([...winningOptions(kind), rarest(kind)])],
}));
/** A busy machine needs more than ten seconds for all of them. */
const games = BETS.map(({ kind }) => ({
  ...TEN_SECONDS,
  periodS: 30,
  key: `${kind}-30s`,
  name: `A game of ${kind}`,
  kind,
}));

/**
 * A small set of options that covers every draw: greedily, the option that wins with the most uncovered draws first.
 */
function winningOptions(kind: string): string[] {
  const { options, dice } = rulesOf(kind);
  const chosen: string[] = [];
  for (let left = allDraws(dice); left.length > 0;) {
    const lostWith = (option: Option) => left.filter((draw) => option.times(draw) === 0);
    const best = options.reduce((one, other) => (lostWith(other).length < lostWith(one).length ? other : one));
    if (lostWith(best).length === left.length) break;
    left = lostWith(best);
    chosen.push(best.type);
  }
  return chosen;
}

function rarest(kind: string): string {
  return oddsOf(kind).reduce((one, other) => (other.probability < one.probability ? other : one)).type;
}

const test = browserTest({ games });

const shown = new Intl.NumberFormat("en", { minimumFractionDigits: 2, trailingZeroDisplay: "stripIfInteger" });

/** The faces that screen readers read out. */
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

describe.each(BETS)("a round of $kind", ({ kind, options }) => {
  test("is bet on at its board, drawn in view, paid, recorded, and can be checked", async ({ enter }) => {
    const visitor = await enter(kind.replace("-", "_"), 1_000);
    const { page, words } = visitor;
    await page.goto("/Game");
    await page.getByRole("link", { name: `A game of ${kind}` }).click();
    await page.locator("[data-option]").first().waitFor();
    const other = await visitor.device.newPage();
    await other.goto(page.url());
    const [tile, tileThere] = [page, other].map((one) => one.locator(`[data-option="${options[0]}"]`));
    const top = () => tile!.evaluate((element) => element.getBoundingClientRect().top);
    const table = page.locator("main section").first();
    await tileThere!.waitFor();
    await page.bringToFront();
    await visitor.waitForSeconds(20);
    const round = (await visitor.roundShown())!;
    await tile!.scrollIntoViewIfNeeded();
    const untouched = await top();
    await tile!.click();
    await visitor.field("cart.stake").waitFor();
    expect(await top()).toBe(untouched);
    await visitor.choose(options.slice(1), STAKE);
    const chosen = await top();
    await visitor.button("cart.place").click();
    // The stake stands on the tile here and in another tab, and after a reload.
    const stake = words.text("own.onTile").replace("{{amount}}", shown.format(STAKE));
    for (const one of [tile!, tileThere!]) await one.getByText(stake).waitFor({ state: "attached" });
    expect(await top()).toBe(chosen);
    await other.reload();
    await tileThere!.getByText(stake).waitFor({ state: "attached" });
    await page.getByText(words.like("round.result", { round })).waitFor({ state: "attached" });
    const staked = options.length * STAKE;
    await table
      .getByRole("button", { name: words.text("own.result").replace("{{round}}", round) })
      .getByText(shown.format(staked), { exact: true })
      .waitFor();
    await table.getByRole("heading", { name: words.like("round.number", { round }) }).waitFor();
    expect(await top()).toBe(chosen);

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
      .getByText(shown.format(won / 100), { exact: true })
      .first()
      .waitFor();
    await order.locator("summary").click();
    for (const { name } of oddsOf(kind).filter(({ type }) => options.includes(type)))
      await order.getByRole("group").getByText(name, { exact: true }).waitFor();
    await order.getByRole("link", { name: words.text("round.check") }).click();
    await page.getByText(words.text("fair.numbers")).waitFor();
  });
});
