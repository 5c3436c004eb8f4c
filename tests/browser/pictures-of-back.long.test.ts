import { statSync } from "node:fs";
import { join as joinPath } from "node:path";
import { expect } from "vitest";
import { layersInHistory } from "../support/browser.ts";
import { comeTo, comingTo, layersOf, openableTest, openOver, OPENINGS } from "../support/opened-sheets.ts";
import { together, type Picture } from "../support/picture-rows.ts";

/* The row of pictures in docs/back.md: PICTURES=docs/pictures TESTS=long npx vitest run --config tests/vitest.config.ts --project browser tests/browser/pictures-of-back.long.test.ts */
const test = openableTest();

/** One of each kind that looks different. */
const SHOWN = [
  "the cart",
  "my bets",
  "the filters",
  "the account",
  "a picture of a listing",
  "the speeds",
  "the code of an invitation",
  "the passcode",
  "a plan",
  "a prize",
];

const TITLE = "what is open and, below it, the same screen after Back, in one small picture";

test(TITLE, { timeout: 600_000 }, async ({ join, come, server }) => {
  const [open, closed]: [Picture[], Picture[]] = [[], []];
  for (const opening of SHOWN.map((shown) => OPENINGS.find(({ name }) => name === shown)!)) {
    const username = `shows_${open.length}`;
    const member = await join(username, 50_000);
    const visitor = await come(comingTo(opening, server, member));
    const { page } = visitor;
    await page.emulateMedia({ reducedMotion: "reduce" });
    const opener = await comeTo(opening, { server, member, username, visitor });
    await openOver(page, opening, opener, 0);
    open.push(await page.screenshot());
    await page.goBack();
    await layersOf(page).waitFor({ state: "detached" });
    await layersInHistory(page, 0);
    closed.push(await page.screenshot());
  }
  const rows = [open.slice(0, 5), closed.slice(0, 5), open.slice(5), closed.slice(5)];
  const file = joinPath(process.env.PICTURES ?? server.folder, "back.webp");
  await together(rows.flat(), 5, 190, file);
  expect(statSync(file).size).toBeLessThan(100 * 1024);
});
