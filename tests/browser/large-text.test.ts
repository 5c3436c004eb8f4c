import { describe, expect } from "vitest";
import { textFaults } from "../support/cut-texts.ts";
import { lookerTest } from "../support/looker-test.ts";
import { SCREEN_PATHS } from "../support/screen-paths.ts";
import { show } from "../support/settled-screen.ts";

const test = lookerTest();

describe.each(["vn_vn", "ms_my"])("text twice as large is cut off nowhere on a small phone in %s", (lang) => {
  test.for(SCREEN_PATHS)("on %s", async (path, { pageFor, token }) => {
    const page = await pageFor({ lang, token, viewport: { width: 360, height: 640 } });
    await page.evaluate(() => (document.documentElement.style.fontSize = "32px"));
    await show(page, path);
    expect(await textFaults(page)).toEqual([]);
  });
});
