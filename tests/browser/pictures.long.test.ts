import { statSync } from "node:fs";
import { join as joinPath } from "node:path";
import sharp from "sharp";
import { describe, expect } from "vitest";
import { setLimits } from "#shared/contract/wallet.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { DAY_MS, toSeconds } from "#shared/time.ts";
import { browserTest } from "../support/browser-test.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import type { Visitor } from "../support/visitor.ts";

/* The rows of pictures in docs/table.md: PICTURES=docs/pictures TESTS=long npx vitest run --config tests/vitest.config.ts --project browser tests/browser/pictures.long.test.ts */
const UNITS = 5_000;

interface Look {
  name: string;
  lang: LocaleCode;
  theme: "light" | "dark";
  viewport: { width: number; height: number };
  /** Of text, in px; usually 16. */
  size: number;
  /** Pictures in one line, and how wide each is. */
  columns: number;
  shownPx: number;
}

const SMALL = { width: 360, height: 640 };
const LOOKS: readonly Look[] = [
  {
    name: "table",
    lang: "ko_kr",
    theme: "light",
    viewport: { width: 390, height: 844 },
    size: 16,
    columns: 5,
    shownPx: 230,
  },
  { name: "table-dark", lang: "vn_vn", theme: "dark", viewport: SMALL, size: 16, columns: 5, shownPx: 230 },
  { name: "table-large", lang: "ms_my", theme: "light", viewport: SMALL, size: 32, columns: 5, shownPx: 230 },
  {
    name: "table-landscape",
    lang: "vn_vn",
    theme: "light",
    viewport: { width: 844, height: 390 },
    size: 16,
    columns: 3,
    shownPx: 400,
  },
];

/** Each look has a table of its own, which is paused at the end. */
const GAMES = LOOKS.map(({ name }) => ({ key: name, name: "Twenty seconds", periodS: 20, closeS: 5 }));

// Operators' commands go by the machine's clock.
const test = browserTest({ games: GAMES, from: Date.now() });

type Picture = Buffer;
const pictureOf = ({ page }: Visitor): Promise<Picture> => page.screenshot();

async function sitDown({ page }: Visitor, look: Look): Promise<void> {
  const { name, size } = look;
  await page.goto(`/Lottery?key=${name}&id=lot_${LOOKS.indexOf(look) + 1}`);
  await page.locator('[data-option="18"]').waitFor();
  await page.evaluate((size) => (document.documentElement.style.fontSize = `${size}px`), size);
}

/** Fills the cart without scrolling to anything. */
async function choose({ page, field }: Visitor, options: readonly string[]): Promise<void> {
  for (const option of options)
    await page.locator(`[data-option="${option}"]`).evaluate((tile: HTMLElement) => tile.click());
  await field("cart.stake").fill("100");
}

/** A bet from the cart to its result: of one who wins, one who loses, and one on all four even chances. */
async function picturesOfBets(visitors: readonly Visitor[], look: Look): Promise<Picture[]> {
  const [first, second, all] = visitors as [Visitor, Visitor, Visitor];
  await first.waitForSeconds(12);
  await choose(first, ["A"]);
  const pictures = [await pictureOf(first)];
  await Promise.all([choose(second, ["B"]), choose(all, ["A", "B", "C", "D"])]);
  await Promise.all(visitors.map(({ button }) => button("cart.place").click()));
  await first.page.getByText(first.words.like("cart.placed")).waitFor();
  pictures.push(await pictureOf(first));
  await first.page.getByText(first.words.text("cart.next")).waitFor();
  await sitDown(first, look);
  pictures.push(await pictureOf(first));
  for (const { page, words } of visitors)
    await page
      .getByRole("region", { name: words.text("cart.title") })
      .getByText(words.like("own.result"))
      .waitFor();
  await expect.poll(() => all.balance()).toBe((UNITS - 10) * 100);
  const isWon = (await first.balance()) > UNITS * 100;
  for (const visitor of [isWon ? first : second, isWon ? second : first, all]) pictures.push(await pictureOf(visitor));
  return pictures;
}

/** The betting closes over a cart that was not placed. */
async function pictureOfLate(visitor: Visitor): Promise<Picture> {
  const { page, words } = visitor;
  await choose(visitor, ["A", "7"]);
  await page.getByText(words.like("cart.late")).waitFor();
  return pictureOf(visitor);
}

describe("the table, state by state, in one small picture", () => {
  test.for(LOOKS)("$name", async (look, { come, join, server }) => {
    const { name, lang, theme, viewport, columns, shownPx } = look;
    const enter = async (who: string) => {
      const member = await join(`${who}_${LOOKS.indexOf(look)}`, UNITS);
      const visitor = await come({ token: member.token!, lang, theme, viewport });
      await sitDown(visitor, look);
      return { member, visitor };
    };
    const people = await Promise.all([enter("first"), enter("second"), enter("third")]);
    const visitors = people.map(({ visitor }) => visitor);
    const pictures = await picturesOfBets(visitors, look);
    const { visitor, member } = await enter("fourth");
    pictures.push(await pictureOfLate(visitor));

    await member.must(setLimits, { exclude_until: String(toSeconds(Date.now() + 20 * DAY_MS)) });
    await sitDown(visitor, look);
    await visitor.page.getByText(visitor.words.like("limit.onBreak")).first().waitFor();
    pictures.push(await pictureOf(visitor));

    await operatorOf(server)("lottery:pause", name);
    const [watcher] = visitors;
    await watcher!.page.locator(".sticky").getByText(watcher!.words.text("round.paused")).waitFor();
    pictures.push(await pictureOf(watcher!));

    const file = joinPath(process.env.PICTURES ?? server.folder, `${name}.webp`);
    await together(pictures, columns, shownPx, file);
    expect(statSync(file).size).toBeLessThan(100 * 1024);
  });
});

const GAP_PX = 8;

/** Puts pictures side by side, line by line, into a file. */
async function together(pictures: readonly Picture[], columns: number, width: number, file: string): Promise<void> {
  const all = await Promise.all(
    pictures.map((picture) => sharp(picture).resize({ width }).png().toBuffer({ resolveWithObject: true })),
  );
  const { height } = all[0]!.info;
  const placed = all.map(({ data }, place) => ({
    input: data,
    left: (place % columns) * (width + GAP_PX),
    top: Math.floor(place / columns) * (height + GAP_PX),
  }));
  const size = {
    width: columns * (width + GAP_PX) - GAP_PX,
    height: Math.ceil(all.length / columns) * (height + GAP_PX) - GAP_PX,
  };
  await sharp({ create: { ...size, channels: 3, background: "#8a8a8a" } })
    .composite(placed)
    .webp({ quality: 55 })
    .toFile(file);
}
