import { flushCompileCache } from "node:module";
import { pino } from "pino";
import { chooseDialect } from "#db/dialect.ts";
import { readConfig } from "#server/config/config.ts";
import type { NewGame } from "#server/domains/lottery/add-game.ts";
import type { Site } from "#server/app/site.ts";
import type { ClockSource } from "#shared/time.ts";

/** What a test passes its server in STORY: the clock, and the contents of an empty site. */
export interface Story {
  clock: ClockSource;
  games: NewGame[];
  invite: string;
}

/** A server as it runs for members, but on the test's clock. It ends with its test. */
const { clock, ...story } = JSON.parse(process.env.STORY!) as Story;
const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));
const onFatal = (error: Error) => {
  log.fatal({ err: error }, "the database writer is gone");
  process.exit(1);
};
const config = readConfig(process.env, []);
chooseDialect(config.database);
const { startServer } = await import("#server/app/start.ts");
const { address, drain, site } = await startServer(config, { clock, log, onFatal });
await setUp(site);
// A test that has read that it listens may stop it at once.
process.on("SIGTERM", () => void drain().finally(() => process.exit(0)));
process.stdin.on("end", () => process.exit(1)).resume();
process.stdout.write(`listening on ${address}\n`);
flushCompileCache();

/** In one transaction, so that a crash leaves all of it or nothing. */
async function setUp({ deps }: Site): Promise<void> {
  const { games, invites } = await import("#db/schema/index.ts");
  const { addGame } = await import("#server/domains/lottery/add-game.ts");
  const [someGame] = await deps.db.read.select({ id: games.id }).from(games).limit(1);
  if (someGame) return;
  await deps.db.transact(async (tx) => {
    for (const game of story.games) await addGame(tx, deps, game);
    await tx.insert(invites).values({ code: story.invite, usesLeft: null, createdAt: deps.clock.now() });
  });
}
