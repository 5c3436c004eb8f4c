import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Tests that measure how long something takes have both cores to themselves, after all others. */
const ALONE = "tests/**/*.alone.test.ts";

export default defineConfig({
  test: {
    root,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: "together", include: ["tests/**/*.test.ts"], exclude: [ALONE], sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: { name: "alone", include: [ALONE], fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
