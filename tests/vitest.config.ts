import { existsSync, globSync, readFileSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { canStart, GIVEN } from "./support/postgres-server.ts";
import { runFolder } from "./support/run-folder.ts";
import { isLong } from "./support/length.ts";
import { SlowestFirst } from "./support/order.ts";
import { PATIENTLY } from "./support/patience.ts";
import { Report } from "./support/report.ts";
import { Quick } from "./support/quick.ts";
import { Slowest } from "./support/slowest.ts";
import { STORIES } from "./support/stories.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Tests of the built app in a real browser. */
const BROWSER = "tests/browser/**/*.test.ts";
/** Tests that take minutes, or need others' tools from the registry: `npm run test:long` alone runs them. */
const LONG = "tests/**/*.long.test.ts";
/** Tests of the app without a browser. */
const CLIENT = "tests/client/**/*.test.{ts,tsx}";
/** Tests of one engine's own behaviour. */
const OF_SQLITE = "tests/**/*.sqlite.test.ts";
const OF_POSTGRES = "tests/**/*.postgres.test.ts";
/** Tests that demand that a site keeps up have both cores to themselves, after all others. `npm test` leaves them out. */
const ALONE = "tests/**/*.postgres.alone.test.ts";
/**
 * Tests of files, pictures and containers: they need no database, or have their own database tests. And those of who may
 * call what, and of programs that only read what a site serves: no engine answers them otherwise.
 */
const NOT_AGAIN = [
  "tests/server/{verify,witness}/**",
  "tests/server/http/matrix/**",
  "tests/server/deploy/**",
  "tests/server/{config,demo,pictures,storage}/**",
  "tests/server/app/clean-html.test.ts",
  "tests/server/preload.test.ts",
  "tests/server/session/login-time.test.ts",
  "tests/server/admin/bucket.test.ts",
  "tests/server/video/import.test.ts",
  "tests/server/http/{document,web,files}*.test.ts",
];
/** What `npm test` runs on PostgreSQL: its guards, and bets, draws and money in and out once more. `npm run test:postgres` runs the rest. */
const MOST_TELLING = [
  "tests/db/outbox-reader.postgres.test.ts",
  "tests/server/ledger/{guards,guards.postgres,seal.postgres,transfer}.test.ts",
  "tests/server/lottery/{bet-book.postgres,place-bet}.test.ts",
  "tests/server/payments/withdraw.test.ts",
  "tests/server/wallet/operator-credit.test.ts",
];

/** What `npm test` runs in the browser: what members do most. `npm run test:browser` runs the rest, every screen among them. */
const MAIN_JOBS = ["main-story", "withdraw-story"].map((name) => `tests/browser/${name}.test.ts`);

/** Where memory has room, databases and files are there: durable writes wait for no disk. */
const MEMORY = "/dev/shm";
const MEMORY_BYTES = 4 * 2 ** 30;
const hasMemory = () => {
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_BYTES;
};
process.env.TMPDIR = runFolder(existsSync(MEMORY) && hasMemory() ? MEMORY : tmpdir());

if (process.env.DATABASE_URL) process.env[GIVEN] = process.env.DATABASE_URL;
delete process.env.DATABASE_URL;

const hasPostgres = canStart();
if (!hasPostgres) {
  process.once("exit", () =>
    console.warn("NOT RUN: the tests on PostgreSQL. There is none; set DATABASE_URL or install it."),
  );
}

/** Files of one worker share their modules, and each begins with an empty browser's storage. */
const OWN_STORAGE = "tests/support/own-storage.ts";

const onPostgres = {
  globalSetup: ["tests/support/postgres-setup.ts"],
  setupFiles: [OWN_STORAGE, "tests/support/postgres-worker.ts"],
};

/** `npm run test:stories`, `npm run test:browser` and `npm run test:postgres` run what `npm test` leaves out. */
const isRest = process.env.TESTS === "postgres";
const isRestOfBrowser = process.env.TESTS === "browser";
const isStories = process.env.TESTS === "stories";
/** A test that is named runs, whichever command would have run it. This file's own name is a word too. */
const isNamed = (folder: string) =>
  process.argv.some((word) => word.startsWith(folder) && !word.endsWith("vitest.config.ts"));
const isQuick = process.env.TESTS === "quick";
/** `npm test` and `npm run test:quick` leave the stories out, unless one is named. */
const isPart = (process.env.TESTS === undefined || isQuick) && !isNamed("tests/");
if (isPart) {
  const others = ["stories", "browser", ...(hasPostgres ? ["postgres"] : [])].map((name) => `npm run test:${name}`);
  process.once("exit", () => console.warn(`Not all tests: ${others.join(", ")} run the others.`));
}

/** The tests that have a longer form, which `npm run test:long` runs. */
function longer(): string[] {
  const hasLength = (path: string) => /from "[./]+support\/length.ts"/.test(readFileSync(`${root}${path}`, "utf8"));
  return globSync("tests/**/*.test.ts", { cwd: root }).filter(
    (path) => path.endsWith(".long.test.ts") || hasLength(path),
  );
}

/** Where a report for programs goes. */
const { TEST_REPORT } = process.env;

interface Files {
  include: string[];
  exclude: string[];
}

/** The files of a project, or of them only those with a longer form. */
function filesOf({ include, exclude }: Files): Files {
  if (!isLong) return { include, exclude: [...exclude, LONG] };
  const isOf = (path: string) => include.some((glob) => matchesGlob(path, glob));
  return { include: longer().filter(isOf), exclude };
}

/** The server's tests, once more on PostgreSQL. */
const postgres = {
  extends: true as const,
  test: {
    name: "postgres",
    ...filesOf({
      include:
        isRest || isLong ? [OF_POSTGRES, "tests/server/**/*.test.ts", "tests/stories/**/*.test.ts"] : MOST_TELLING,
      exclude: [ALONE, OF_SQLITE, ...NOT_AGAIN, ...(isRest ? MOST_TELLING : [])],
    }),
    ...onPostgres,
  },
};

const onPostgresAlone = {
  extends: true as const,
  test: {
    name: "postgres-alone",
    ...filesOf({ include: [ALONE], exclude: [] }),
    fileParallelism: false,
    ...onPostgres,
    sequence: { groupOrder: 1 },
  },
};

export default defineConfig({
  test: {
    root,
    // The first test of a file may wait for a server, a browser and a film that is encoded, all on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What is polled for may be slow on a busy machine; only a failing test waits as long.
    expect: { poll: PATIENTLY },
    // As the programs do: most of a short test's time would go into loading its packages.
    execArgv: ["--import", new URL("../server/preload.mjs", import.meta.url).href],
    // Two more than there are cores: at any time some of them wait for a browser, a database or the clock.
    maxWorkers: availableParallelism() + 2,
    // Files of one worker share what they import. Loading it anew for each took two fifths of a run's time.
    isolate: false,
    passWithNoTests: true,
    reporters: ["default", new Slowest(), ...(TEST_REPORT ? [new Report(TEST_REPORT)] : [])],
    sequence: { sequencer: isQuick ? Quick : SlowestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          setupFiles: [OWN_STORAGE],
          ...filesOf({
            include: isStories ? [...STORIES] : ["tests/**/*.test.ts"],
            exclude: [ALONE, BROWSER, CLIENT, OF_POSTGRES, ...(isPart ? STORIES : [])],
          }),
        },
      },
      {
        extends: true,
        test: {
          name: "client",
          setupFiles: ["tests/support/patient-screens.ts"],
          ...filesOf({ include: [CLIENT], exclude: [] }),
          // The app is one for each page: its modules hold the page's state. A context for each file costs half a process.
          isolate: true,
          pool: "vmThreads",
        },
      },
      ...(hasPostgres ? [postgres, ...(isPart ? [] : [onPostgresAlone])] : []),
      {
        extends: true,
        test: {
          name: "browser",
          ...filesOf({
            include: isRestOfBrowser || isNamed("tests/browser/") || isLong ? [BROWSER] : MAIN_JOBS,
            exclude: [OF_POSTGRES, ...(isRestOfBrowser && !isNamed("tests/browser/") ? MAIN_JOBS : [])],
          }),
        },
      },
    ],
  },
});
