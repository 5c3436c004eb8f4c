import { flushCompileCache } from "node:module";
import { pino } from "pino";
import { chooseDialect } from "#db/dialect.ts";
import { readConfig } from "#server/config/config.ts";
import { openLog } from "#server/app/log.ts";
import type { Story } from "./set-up-story.ts";

/** A server as it runs for members, but on the test's clock. It ends with its test. */
const story = JSON.parse(process.env.STORY!) as Story;
const log = openLog(process.env.LOG_LEVEL ?? "warn", pino.destination({ fd: 2, sync: true }));
const onFatal = (error: Error) => {
  log.fatal({ err: error }, "the database writer ended");
  process.exit(1);
};
const config = readConfig(process.env, []);
chooseDialect(config.database);
const { startServer } = await import("#server/app/start.ts");
const { setUpStory } = await import("./set-up-story.ts");
const { address, drain, site } = await startServer(config, { clock: story.clock, log, onFatal });
await setUpStory(site, story);
// A test that has read that it listens may stop it at once.
process.on("SIGTERM", () => void drain().finally(() => process.exit(0)));
process.stdin.on("end", () => process.exit(1)).resume();
process.stdout.write(`listening on ${address}\n`);
flushCompileCache();
