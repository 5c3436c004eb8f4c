import { asc } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { logCosignatures, logHeads } from "#db/schema/log.ts";
import { HEADS_KEPT_MS, pruneHeads } from "#server/domains/log/prune-heads.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { audited } from "../../support/audited.ts";
import { Copies } from "../../support/copies.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { START, world, type World } from "../../support/world.ts";

let w: World;
let copies: Copies;

const heads = () => w.deps.db.read.select().from(logHeads).orderBy(asc(logHeads.size));
const olderThan = (ms: number) => (one: { at: number }) => one.at < w.now() - ms;

async function headAt(ms: number): Promise<void> {
  w.jump(ms - w.now());
  await w.deps.publicLog.advance();
}

/** Five heads in each of two hours a day, over 35 days. */
beforeAll(async () => {
  w = await world({ env: { MASTER_KEY: "5eed".repeat(16) } });
  for (let day = 0; day < 35; day++) {
    for (const hour of [3, 4]) {
      for (let minute = 0; minute < 5; minute++)
        await headAt(START + day * DAY_MS + hour * HOUR_MS + (minute + 7) * MINUTE_MS);
    }
  }
  await w.deps.db.transact(async (tx) => {
    for (const { size } of await heads())
      await tx.insert(logCosignatures).values({ log: 1, size, witness: "w", line: "line", signedAt: 1 });
  });
  copies = await Copies.of(w);
});
afterEach(disarm);
afterAll(async () => {
  await copies.close();
  await w.close();
});

it("nothing is deleted by a run that is killed", async () => {
  const before = await heads();
  arm("log.prune throw 1");
  await expect(pruneHeads(w.deps, null)).rejects.toThrow("failpoint log.prune");
  expect(await heads()).toEqual(before);
});

it("old heads go but the first of each hour, with what was signed under them; young ones stay", async () => {
  const before = await heads();
  const old = before.filter(olderThan(HEADS_KEPT_MS));
  expect(old.length).toBeGreaterThan(20);
  await Promise.all([pruneHeads(w.deps, null), pruneHeads(w.deps, null)]);
  const left = await heads();
  expect(left.filter(olderThan(HEADS_KEPT_MS)).map(({ at }) => new Date(at).toISOString().slice(8, 16))).toEqual(
    old.filter((_, i) => i % 5 === 0).map(({ at }) => new Date(at).toISOString().slice(8, 16)),
  );
  const young = (all: typeof left) => all.filter((one) => !olderThan(HEADS_KEPT_MS)(one));
  expect(young(left)).toEqual(young(before));
  const sizes = (await w.deps.db.read.select().from(logCosignatures)).map(({ size }) => size).sort((a, b) => a - b);
  expect(sizes).toEqual(left.map(({ size }) => size));
});

it("a run goes on where the one before ended, and finds what has become old", async () => {
  const to = await pruneHeads(w.deps, null);
  const count = (await heads()).length;
  await headAt(w.now() + 2 * DAY_MS);
  const next = await pruneHeads(w.deps, to);
  expect(next!.size).toBeGreaterThan(to!.size);
  expect((await heads()).length).toBe(count + 1 - 16);
});

it("the proof of consistency from and to every size is still answered", async () => {
  const { size } = (await heads()).at(-1)!;
  for (let from = 0; from <= size; from += 7) {
    const reply = await w.call("/fair/consistency", { from: `${from}`, to: `${size}` }, { method: "GET" });
    expect([from, reply.data.from]).toEqual([from, from]);
  }
  const { data } = await w.call("/fair/hour", {}, { method: "GET" });
  expect(data!.hour % HOUR_MS).toBe(0);
});

it("the audit finds nothing where this was done, and names each head that somebody else removed", async () => {
  // The signatures of this test are none.
  const noSignatures = "delete from log_cosignatures";
  const after = async (sql: string) => (await audited(await copies.tampered(`${noSignatures}; ${sql}`))).problems;
  const cut = w.now() - 2 * DAY_MS - HEADS_KEPT_MS;
  expect(await after("select 1")).toEqual([]);
  const hours = `select min(size) from log_heads group by at / ${HOUR_MS}`;
  expect(await after(`delete from log_heads where at < ${cut} and size not in (${hours})`)).toEqual([]);
  const ends = [expect.stringMatching(/^the log's leaf \d+ is a time that ends no head$/)];
  const young = `select min(size) from log_heads where at >= ${cut} and size not in (${hours})`;
  expect(await after(`delete from log_heads where size = (${young})`)).toEqual(ends);
  const first = `select max(size) from log_heads where at < ${cut} and size in (${hours})`;
  expect(await after(`delete from log_heads where size = (${first})`)).toEqual(ends);
  const stray = "insert into log_cosignatures (log, size, witness, line, signed_at) values (1, 1000000, 'w', '', 1)";
  expect(await after(stray)).toEqual(["a witness signed the log's head of 1000000 leaves, which is not announced"]);
});
