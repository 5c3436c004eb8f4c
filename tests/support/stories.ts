import { matchesGlob } from "node:path";

/**
 * Tests of minutes on SQLite: kills, full disks, drains, films and pictures that are encoded, backups, buckets, moves, a
 * backup of each older version, every kind of game, and a site that is run by the docs' own words. `npm run test:stories`
 * runs them.
 */
export const STORIES: readonly string[] = [
  "tests/cheats/trial.test.ts",
  "tests/db/migrations.test.ts",
  "tests/docs/commands.test.ts",
  "tests/honest/honest-life.test.ts",
  "tests/interrupted.test.ts",
  "tests/log/spoiled-log.test.ts",
  "tests/server/admin/{audit-log,backup-killed,bucket}.test.ts",
  "tests/server/app/json-lines.test.ts",
  "tests/server/deploy/**/*.test.ts",
  "tests/server/http/matrix/**/*.test.ts",
  "tests/server/jobs/backup-clock.test.ts",
  "tests/server/listing/import.test.ts",
  "tests/server/{fatal,private-files}.sqlite.test.ts",
  "tests/server/log/{processes,prune-heads,rotation}.test.ts",
  "tests/server/lottery/{bet-book-many.sqlite,every-kind,quicknet}.test.ts",
  "tests/server/lottery/rounds-{drand,failing-kinds,poisoned-kinds}.test.ts",
  "tests/server/move/**/*.test.ts",
  "tests/server/pictures/picture-process.test.ts",
  "tests/server/realtime/crowds.test.ts",
  "tests/server/session/attempts.test.ts",
  "tests/server/storage/s3.test.ts",
  "tests/server/verify/**/*.test.ts",
  "tests/server/video/{import,stalled,take-poster}.test.ts",
  "tests/server/wheel/crowd.test.ts",
  "tests/stories/{closing,crash,crash-steps,disk.sqlite,drain,leaving,secrecy}.test.ts",
  "tests/torture/short-*.test.ts",
];

/** Whether `npm run test:stories` runs it, and neither `npm test` nor `npm run test:quick`. */
export const isStory = (path: string): boolean => STORIES.some((glob) => matchesGlob(path, glob));
