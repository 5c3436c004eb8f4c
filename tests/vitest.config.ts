import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Tests that measure how long something takes have both cores to themselves, after all others. */
const ALONE = "tests/**/*.alone.test.ts";
/** Tests of the built app in a real browser: mostly waiting, so two files at a time. */
const BROWSER = "tests/browser/**/*.test.ts";

export default defineConfig({
  test: {
    root,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As the programs do: most of a short test's time would be the reading of its packages.
    execArgv: ["--import", new URL("../server/preload.mjs", import.meta.url).href],
    // Vitest by itself leaves one core free, which on two is half of them.
    maxWorkers: "100%",
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
          maxWorkers: 2,
          testTimeout: 120_000,
          // A screen may take its time on a busy machine; a test that fails takes as long.
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
