import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Tests that measure how long something takes have both cores to themselves, after all others. */
const ALONE = "tests/**/*.alone.test.ts";
/** Tests of the built app in a real browser, one file after another. */
const BROWSER = "tests/browser/**/*.test.ts";

export default defineConfig({
  test: {
    root,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: ["tests/**/*.test.{ts,tsx}"],
          exclude: [ALONE, BROWSER],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: "alone", include: [ALONE], fileParallelism: false, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: [BROWSER],
          fileParallelism: false,
          testTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
