import { describe, expect } from "vitest";
import { lookerTest } from "../support/looker-test.ts";
import { TABLE_PATH } from "../support/screen-paths.ts";
import { show, tooWide } from "../support/settled-screen.ts";

const test = lookerTest();

/** Each screen with what stands in its first column, and in its second. */
const COLUMNS: [path: string, first: string, second: string][] = [
  ["/Home", 'main a[href="/Recharge"]', "main .two-columns > section"],
  ["/Game", 'main a[href="/luckDraw"]', 'main a[href*="/Lottery?"]'],
  ["/Mine", 'main a[href="/Personalreport"]', 'main a[href="/GameRecord"]'],
  [TABLE_PATH, '[data-option="A"]', "main section.bg-linear-to-b"],
  ["/nHomeDetail?id=lst_4", "main section.bg-sunken", "main textarea, main h2:not(.text-lg\\/tight)"],
  ["/PlayVideo?id=vid_1", "video", "main li a"],
  ["/luckDraw", "main svg", "main ul"],
  ["/Plans", "main h2", 'main a[href="/Video"]'],
];

describe.each([
  [1279, "below"],
  [1280, "beside"],
] as const)("at %d px the second column stands %s the first", (width, where) => {
  test.for(COLUMNS)("on %s", async ([path, first, second], { pageFor, token }) => {
    const page = await pageFor({ token, viewport: { width, height: 800 } });
    await show(page, path);
    const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    const [one, other] = [await boxOf(first), await boxOf(second)];
    expect(other.x >= one.x + one.width ? "beside" : "below").toBe(where);
    expect(await tooWide(page)).toEqual([]);
  });
});

test("on a wide screen an open cart covers neither the board nor the felt", async ({ pageFor, token }) => {
  const page = await pageFor({ token, viewport: { width: 1280, height: 800 } });
  await show(page, TABLE_PATH);
  for (const option of ["A", "18"]) await page.locator(`[data-option="${option}"]`).click();
  const cart = page.locator("section:has(form)");
  await cart.waitFor();
  const top = async () => (await cart.boundingBox())!.y;
  const board = await page.locator("[data-option]").last().boundingBox();
  const felt = (await page.locator("main section.bg-linear-to-b").boundingBox())!;
  await expect.poll(async () => (await cart.boundingBox())!.x).toBeGreaterThan(board!.x + board!.width);
  await expect.poll(top).toBeGreaterThanOrEqual(felt.y + felt.height);
});
