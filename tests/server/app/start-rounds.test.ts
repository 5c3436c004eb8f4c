import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNull } from "drizzle-orm";
import { pino } from "pino";
import { expect, it } from "vitest";
import { rounds } from "#db/schema/lottery.ts";
import { startServer, type Running } from "#server/app/start.ts";
import { readConfig } from "#server/config/config.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { newDatabase } from "../../support/databases.ts";
import { freePort } from "../../support/free-port.ts";
import { environmentOf } from "../../support/server-process.ts";
import { setUpStory } from "../../support/set-up-story.ts";
import { MINUTE_GAME } from "../../support/world.ts";

const GAMES = Array.from({ length: 3 }, (_, i) => ({ ...MINUTE_GAME, key: `k3-${i + 1}m` }));

it("whoever comes first after a crash finds rounds that take bets: the server listens once they are open", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trio-start-"));
  const database = await newDatabase(join(folder, "data"));
  const hand = new Float64Array(new SharedArrayBuffer(8));
  hand[0] = Date.UTC(2026, 2, 2, 10);
  const clock = { kind: "shared", buffer: hand.buffer } as const;
  const config = readConfig(environmentOf(folder, await freePort(), database, {}), []);
  const log = pino({ level: "silent" });
  const start = () => startServer(config, { clock, log });
  const ending = async ({ drain, site }: Running) => {
    const open = await site.deps.db.read.select().from(rounds).where(isNull(rounds.closedAt));
    await drain();
    return open.map(({ closesAt }) => closesAt);
  };

  const first = await start();
  await setUpStory(first.site, { clock, games: GAMES, invite: "START2026" });
  await ending(first);
  hand[0] += DAY_MS + 90 * MINUTE_MS;
  const closings = await ending(await start());
  expect(closings).toHaveLength(GAMES.length);
  for (const at of closings) expect(at).toBeGreaterThan(hand[0]);

  await database.drop();
  rmSync(folder, { recursive: true });
});
