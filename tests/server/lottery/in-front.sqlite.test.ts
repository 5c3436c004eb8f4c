import { isNull } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { rounds } from "#db/schema/lottery.ts";
import { settings } from "#db/schema/site.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { world, type World } from "../../support/world.ts";

/** More than any engine runs while a round is closed, told, drawn and followed by the next. */
const MANY = 300;

let w: World;
beforeEach(async () => {
  w = await world();
  await w.game();
  await w.site.rounds.tick();
});
afterEach(() => w.close());

it("rounds are closed, told, drawn and opened on time however many members wait to write", async () => {
  const { db } = w.site.deps;
  const [before] = await db.read.select().from(rounds).where(isNull(rounds.closedAt));
  w.pass(before!.drawsAt - w.now());
  let done = 0;
  const members = Array.from({ length: MANY }, async (_, i) => {
    await db.transact(async (tx) => void (await tx.insert(settings).values({ name: `member ${i}`, value: 1 })));
    done++;
  });
  await w.site.rounds.tick();
  expect(done).toBeLessThan(MANY / 2);
  const [after] = await db.read.select().from(rounds).where(isNull(rounds.closedAt));
  expect(after!.closesAt).toBe(before!.closesAt + MINUTE_MS);
  await Promise.all(members);
});
