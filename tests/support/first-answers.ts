import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A path, or how it looks. */
type Path = string | RegExp;

const isAt = (path: string, wanted: Path) => (typeof wanted === "string" ? path === wanted : wanted.test(path));

/** Lets the app's libraries come only when so much has been asked for. Returns everything that was asked for. */
export async function holdLibraries(page: Page, until: readonly Path[]): Promise<string[]> {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.route(/\/assets\/base-/, async (route) => {
    await expect
      .poll(() => until.filter((wanted) => !asked.some((path) => isAt(path, wanted))), { timeout: 60_000 })
      .toEqual([]);
    await route.continue();
  });
  return asked;
}

/** How often each of these was asked for. */
export const timesOf = (asked: readonly string[], paths: readonly Path[]) =>
  paths.map((wanted) => [wanted, asked.filter((path) => isAt(path, wanted)).length]);
export const once = (paths: readonly Path[]) => paths.map((path) => [path, 1]);
