import { existsSync, statfsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { canStart, GIVEN } from "./support/postgres-server.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Tests that measure time have both cores to themselves, after all others. */
const ALONE = "tests/**/*.alone.test.ts";
/** Tests of the built app in a real browser: mostly waiting, so two files at a time. */
const BROWSER = "tests/browser/**/*.test.ts";
/** Tests of one engine's own behaviour. */
const OF_SQLITE = "tests/**/*.sqlite.test.ts";
const OF_POSTGRES = "tests/**/*.postgres.test.ts";
const ALONE_ON_POSTGRES = "tests/**/*.postgres.alone.test.ts";
/** Tests of files, pictures and containers: they need no database, or have their own database tests. */
const NOT_AGAIN = [
  "tests/server/deploy/**",
  "tests/server/{config,demo,pictures,storage}/**",
  "tests/server/app/clean-html.test.ts",
  "tests/server/preload.test.ts",
  "tests/server/admin/bucket.test.ts",
  "tests/server/video/import.test.ts",
  "tests/server/http/{docs,web,files}*.test.ts",
];
/** The rest that `npm test` leaves to `npm run test:postgres`: both engines together take longer than CI may. */
const LEFT_OUT = [
  "tests/server/{admin,listing,member,realtime,video}/**",
  "tests/server/http/{account-input,bad-input,envelope,operations,pages,places,uploads}.test.ts",
  "tests/server/http/matrix/**",
  "tests/server/session/{att,end,lock,log,pass,reg,sess,tok}*.test.ts",
  "tests/server/wheel/{bought,fair,refused,seeds,winners}*.test.ts",
  "tests/server/move/refused.postgres.test.ts",
  "tests/server/ledger/property-other.test.ts",
  "tests/stories/{crash,drain,main-story,secrecy}.test.ts",
];

/** Where memory has room, databases and files are there: durable writes wait for no disk. */
const MEMORY = "/dev/shm";
const MEMORY_BYTES = 4 * 2 ** 30;
if (existsSync(MEMORY)) {
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize >= MEMORY_BYTES) process.env.TMPDIR = MEMORY;
}

if (process.env.DATABASE_URL) process.env[GIVEN] = process.env.DATABASE_URL;
delete process.env.DATABASE_URL;

const hasPostgres = canStart();
if (!hasPostgres) {
  process.once("exit", () =>
    console.warn("NOT RUN: the tests on PostgreSQL. There is none; set DATABASE_URL or install it."),
  );
}

const onPostgres = {
  globalSetup: ["tests/support/postgres-setup.ts"],
  setupFiles: ["tests/support/postgres-worker.ts"],
};

const isAll = process.env.POSTGRES_TESTS === "all";
if (hasPostgres && !isAll) {
  process.once("exit", () =>
    console.warn("On PostgreSQL a part of the tests; npm run test:postgres runs all of them."),
  );
}

/** The server's tests, once more on PostgreSQL. */
const postgres = [
  {
    extends: true as const,
    test: {
      name: "postgres",
      include: ["tests/server/**/*.test.ts", "tests/stories/**/*.test.ts", OF_POSTGRES],
      exclude: [ALONE, OF_SQLITE, ...NOT_AGAIN, ...(isAll ? [] : LEFT_OUT)],
      ...onPostgres,
      // They wait for another process, and now and then for the clock.
      maxWorkers: 3,
      sequence: { groupOrder: 1 },
    },
  },
  {
    extends: true as const,
    test: {
      name: "postgres-alone",
      include: [ALONE_ON_POSTGRES],
      fileParallelism: false,
      ...onPostgres,
      sequence: { groupOrder: 4 },
    },
  },
];

export default defineConfig({
  test: {
    root,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As the programs do: most of a short test's time would go into loading its packages.
    execArgv: ["--import", new URL("../server/preload.mjs", import.meta.url).href],
    // Vitest by default leaves one core free, which on two is half of them.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: ["tests/**/*.test.{ts,tsx}"],
          exclude: [ALONE, BROWSER, OF_POSTGRES],
          sequence: { groupOrder: 0 },
        },
      },
      ...(hasPostgres ? postgres : []),
      {
        extends: true,
        test: {
          name: "alone",
          include: [ALONE],
          exclude: [ALONE_ON_POSTGRES],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: [BROWSER],
          exclude: [OF_POSTGRES],
          maxWorkers: 2,
          testTimeout: 120_000,
          // A screen may be slow on a busy machine; a failing test waits as long.
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
