import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect } from "#db/connect.ts";
import { outbox, sessions } from "#db/schema/index.ts";
import { betBookOf, type BetOrder } from "#server/domains/lottery/bet-book.ts";
import { TestSocket } from "../../support/client.ts";
import { world, type World } from "../../support/world.ts";
import { operateApart } from "./operate.ts";

/** A command that starved would never end. How soon it does depends on the machine. */
const PATIENCE_MS = 20_000;
const BATCH = 512;
const BATCHES_WAITING = 4;

let w: World;
let load: Load;

beforeEach(async () => {
  w = await world();
  await w.game();
  const { memberId } = await w.player("nils_2", { balance: 2_000_000_000 });
  await w.live(1_000);
  load = keepBetting(memberId);
  await vi.waitUntil(() => load.taken() > BATCH, { timeout: PATIENCE_MS });
});
afterEach(async () => {
  await load.stop();
  await w.close();
});

interface Load {
  taken(): number;
  stop(): Promise<void>;
}

/** Bets as fast as the writer accepts: the next batch is always waiting. */
function keepBetting(memberId: number): Load {
  const book = betBookOf(w.deps.db);
  const order: BetOrder = { memberId, roundId: 1, mask: 1n, stake: 100, total: 100, key: null, requestHash: "" };
  const batch = Array.from({ length: BATCH }, () => order);
  let [taken, going] = [0, true];
  const betOn = async () => {
    while (going) taken += (await book.place(batch)).filter((answer) => "betId" in answer).length;
  };
  const all = Promise.all(Array.from({ length: BATCHES_WAITING }, betOn));
  return {
    taken: () => taken,
    async stop() {
      going = false;
      await all;
    },
  };
}

describe("a command while the server takes bets without a pause", () => {
  it("reaches its member", async () => {
    const mia = await w.player("mia_1");
    const line = new TestSocket(await w.listen(), mia.token);
    await line.until("hello");
    const before = load.taken();
    expect(await operateApart(w, "member:kick", "mia_1")).toMatchObject({ exit: 0, err: "" });
    const meanwhile = load.taken() - before;
    await line.until("session:kick", () => true, PATIENCE_MS);
    line.close();
    const [session] = await w.deps.db.read.select().from(sessions).where(eq(sessions.memberId, mia.memberId));
    expect(meanwhile).toBeGreaterThan(2 * BATCH);
    expect(session!.endedAt).not.toBeNull();
    expect((await mia.call("/member/getUserInfo")).code).toBe(10001);
  });

  it("gets the write lock, every time", async () => {
    const postgresWork = async () => ({ batches: {}, jobs: {} });
    const operator = await connect(w.config.database, {
      postgresWork,
      clock: { kind: "wall" },
      onFatal: () => {},
    });
    // The first one waits for its thread to start.
    await operator.transact(async () => {});
    const before = load.taken();
    let times = 0;
    for (let i = 0; i < 30; i++) {
      const taken = load.taken();
      await vi.waitUntil(() => load.taken() > taken, { interval: 1, timeout: PATIENCE_MS });
      await operator.transact(async (tx) => {
        times++;
        await tx.insert(outbox).values({ topic: "site.changed", payload: { names: [] }, createdAt: w.now() });
      });
    }
    await operator.close();
    expect(load.taken() - before).toBeGreaterThan(10 * BATCH);
    expect(times).toBe(30);
  });
});
