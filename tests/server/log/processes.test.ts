import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { asc, isNull } from "drizzle-orm";
import { logHeads, logKeys, logRotations, rounds } from "#db/schema/index.ts";
import { openSite, type Site } from "#server/app/site.ts";
import { addLeaf } from "#server/domains/log/add-leaf.ts";
import { parseKey } from "#shared/log/note.ts";
import { batchFaults, parseReceipt } from "#shared/log/receipt.ts";
import { call } from "../../support/call.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { expectWhole, leavesOf } from "./read-log.ts";

const PATIENCE_MS = 30_000;

let w: World;
let hand: Float64Array<SharedArrayBuffer>;
let sites: Site[];

beforeEach(async () => {
  w = await world();
  await w.game();
  hand = new Float64Array(new SharedArrayBuffer(16));
  hand[0] = w.now();
  const clock = { kind: "shared", buffer: hand.buffer } as const;
  const open = (n: number) =>
    openSite({ ...w.config, headFile: `${w.config.headFile}-${n}` }, { clock, log: pino({ level: "silent" }) });
  sites = [w.site, await open(2), await open(3)];
});
afterEach(async () => {
  await Promise.all(sites.slice(1).map((site) => site.close()));
  await w.close();
});

function pass(ms: number): void {
  w.pass(ms);
  hand[0] = w.now();
  hand[1]! += ms;
}

it("several processes share one log: they number, sign and draw at once, and nothing is doubled", async () => {
  for (let minute = 0; minute < 12; minute++) {
    const stating = Array.from({ length: 9 }, (_, i) =>
      w.deps.db.transact((tx) =>
        addLeaf(tx, {
          kind: "seal",
          number: 1_000 + minute * 9 + i,
          root: "0".repeat(64),
          seal: "1".repeat(64),
          at: w.now(),
        }),
      ),
    );
    await Promise.all([
      ...stating,
      ...sites.map((site) => site.rounds.tick()),
      ...sites.map((site) => site.publicLog.advance()),
    ]);
    await Promise.all(sites.map((site) => site.rounds.settle()));
    pass(60_000);
  }
  await w.live(0);
  await expectWhole(w);
  const kinds = (await leavesOf(w)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "seal")).toHaveLength(12 * 9);
  const drawn = (await w.deps.db.read.select().from(rounds)).filter(({ drawnAt }) => drawnAt !== null);
  expect(drawn.length).toBeGreaterThan(8);
  expect(await w.deps.db.read.select().from(logHeads).where(isNull(logHeads.note))).toEqual([]);
});

it("several processes replace a key once, and sign each batch by the key of its time", async () => {
  const names = ["ann", "bea", "cal", "dan", "eve", "fay"];
  const players = await Promise.all(names.map((name) => w.player(name, { balance: 10_000 })));
  await w.live(1_000);
  const receipts: string[] = [];
  const errors: unknown[] = [];
  let isOver = false;
  const bet = async (player: Player, { app }: Site) => {
    const order = { lid: "lot_1", item: "A", money: "1", expect: "20260302-0001" };
    while (!isOver) {
      const { code, data } = await call(app, "/game/placeOrder", order, { token: player.token });
      if (code === 200) receipts.push(data.receipt);
      else errors.push(code);
    }
  };
  const betting = players.map((player, i) => bet(player, sites[i % 3]!));
  const taken = (more: number) => vi.waitUntil(() => receipts.length > more, { timeout: PATIENCE_MS });
  await taken(0);
  for (let n = 1; n <= 4; n++) {
    const said = { id: n, reason: `change ${n}`, createdAt: w.now() };
    await w.deps.db.transact((tx) => tx.insert(logRotations).values(said).onConflictDoNothing());
    await Promise.all(sites.map((site) => site.publicLog.advance()));
    // Each player may still get one receipt by the key before.
    await taken(receipts.length + 20);
  }
  isOver = true;
  await Promise.all(betting);
  expect(errors).toEqual([]);
  const keys = await w.deps.db.read.select().from(logKeys).orderBy(asc(logKeys.id));
  expect(keys.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  const changes = (await leavesOf(w)).filter((leaf) => leaf.kind === "key");
  expect(changes.map(({ batch }) => batch + 1)).toEqual(keys.slice(1).map(({ firstBatch }) => firstBatch));
  const used = new Set<number>();
  for (const receipt of receipts.map((text) => parseReceipt(text)!)) {
    const key = parseKey(changes.findLast(({ batch }) => batch < receipt.batch)?.next ?? changes[0]!.old)!;
    used.add(key.id);
    expect(batchFaults(receipt, key)).toEqual([]);
  }
  expect(used.size).toBe(5);
  await expectWhole(w);
});
