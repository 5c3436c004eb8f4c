import { asc } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logHeads, logKeys, logRotations, rounds } from "#db/schema/index.ts";
import { isFirstKey, parseCheckpoint } from "#shared/log/checkpoint.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { parseKey, parseNote, type NoteKey } from "#shared/log/note.ts";
import { batchFaults, parseReceipt } from "#shared/log/receipt.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { readLog } from "#shared/log/read-tiles.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { problemsOf } from "../../support/audited.ts";
import { ask } from "../admin/operate.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { expectWhole, leavesOf } from "./read-log.ts";

let w: World;
let mia: Player;

/** Lets time pass. What fails on purpose is tried again with the next step. */
async function step(ms: number): Promise<void> {
  await w.live(ms);
  await w.site.publicLog.tick().catch(() => {});
}

beforeEach(async () => {
  asked = new Map();
  w = await world();
  await w.game();
  await step(1_000);
  mia = await w.player("mia", { balance: 1_000 });
});
afterEach(async () => {
  disarm();
  await w.close();
});

const keysOf = () => w.deps.db.read.select().from(logKeys).orderBy(asc(logKeys.id));
const headKey = async () => (await w.call("/fair/head", {}, { method: "GET" })).data;
const rotate = (reason = "Once a year") => ask(w, "log-key:rotate", "--reason", reason);

/** What was asked for under a key. */
let asked: Map<string, { lid: string; item: string; money: string; expect: string }>;

/** Places a bet in the open round, or repeats the one under this key. Returns its receipt. */
async function bet(key?: string): Promise<string> {
  const open = (await w.deps.db.read.select().from(rounds).orderBy(asc(rounds.id))).at(-1)!;
  const order = asked.get(key ?? "") ?? { lid: "lot_1", item: "A", money: "2", expect: roundText(open) };
  if (key !== undefined) asked.set(key, order);
  const { code, data } = await mia.call("/game/placeOrder", order, key === undefined ? {} : { key });
  expect(code).toBe(200);
  return data.receipt;
}

const faultsUnder = (receipt: string, key: NoteKey) => batchFaults(parseReceipt(receipt)!, key);

/** What the log's own files say, as strangers check them. */
async function verdict() {
  const read = async (path: string) => {
    const { status, bytes } = await fileOf(path);
    return status === 200 ? bytes : null;
  };
  return readLog({ read });
}

async function fileOf(path: string) {
  const answer = await w.site.app.inject({ method: "GET", url: `/log/${path}` });
  return { status: answer.statusCode, bytes: new Uint8Array(answer.rawPayload) };
}

describe("another key for the log", () => {
  it("is signed by both, acts from the next batch on, and signs the heads that name it", async () => {
    const before = await bet("first");
    const old = parseKey((await headKey()).key)!;
    expect(await rotate()).toMatchObject({ ok: true, new: true });
    expect(await rotate("Once more")).toMatchObject({ ok: true, new: false });
    await step(1_000);
    const { head, key, changes } = await headKey();
    const next = parseKey(key)!;
    expect([next.name, next.id === old.id]).toEqual([old.name, false]);
    expect(parseNote(head!)!.signatures.map(({ keyId }) => keyId)).toEqual([next.id]);
    const leaf = (await leavesOf(w))[changes[0]!] as Leaf<"key">;
    const { batch } = parseReceipt(before)!;
    expect(leaf).toMatchObject({ kind: "key", next: key, batch, reason: "Once a year", at: w.now() });
    expect(changes).toHaveLength(1);

    const after = await bet();
    expect(parseReceipt(after)!.batch).toBe(batch + 1);
    expect([faultsUnder(before, old), faultsUnder(after, next)]).toEqual([[], []]);
    expect(faultsUnder(after, old)).toEqual(["key", "signature"]);
    // A repeated key gets the receipt that it got then.
    expect(await bet("first")).toBe(before);
    for (let i = 0; i < 3; i++) await step(60_000);
    await expectWhole(w);
    const { whole, findings } = await verdict();
    expect(findings.filter(({ strength }) => strength === "problem")).toEqual([]);
    expect(whole!.keys).toEqual([leaf.old, leaf.next]);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("may come again and again, also with nothing between", async () => {
    const receipts = [await bet("0")];
    for (let i = 1; i <= 3; i++) {
      await rotate();
      await step(1_000);
      if (i !== 2) receipts.push(await bet(`${i}`));
    }
    expect((await keysOf()).map(({ id, log }) => [id, log])).toEqual([1, 2, 3, 4].map((id) => [id, 1]));
    expect((await headKey()).changes).toHaveLength(3);
    expect(new Set(receipts.map((receipt) => parseReceipt(receipt)!.keyId)).size).toBe(3);
    await step(1_000);
    await w.restart();
    expect(await Promise.all(["0", "1", "3"].map((key) => bet(key)))).toEqual(receipts);
    expect((await verdict()).findings.filter(({ strength }) => strength === "problem")).toEqual([]);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("lets the old one go once its batches have their signatures, which stay", async () => {
    const before: string[] = [];
    for (let i = 0; i < 25; i++) before.push(await bet(`${i}`));
    await rotate();
    for (let i = 0; i < 5; i++) await step(1_000);
    expect((await keysOf()).map(({ sealedKey }) => sealedKey === "")).toEqual([true, false]);
    await w.restart();
    const again: string[] = [];
    for (let i = 0; i < 25; i++) again.push(await bet(`${i}`));
    expect(again).toEqual(before);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("keeps its log's name, and its first key names that", async () => {
    const { key } = await headKey();
    await rotate();
    await step(1_000);
    const first = parseKey(key)!;
    const { origin } = parseCheckpoint(parseNote((await headKey()).head!)!.text)!;
    expect(isFirstKey(origin, first.publicKey)).toBe(true);
    expect(new TextDecoder().decode((await fileOf("key")).bytes)).toBe(`${(await headKey()).key}\n`);
  });
});

describe.each(["log.rotate", "log.number", "log.keep", "log.sign", "log.tell", "log.retire"])(
  "a server that is killed at %s while the key changes",
  (point) => {
    it("leaves one change, and every receipt as it was", async () => {
      const before = await bet("first");
      await rotate();
      arm(`${point} throw`);
      for (let i = 0; i < 2; i++) await step(1_000);
      await w.crash();
      disarm();
      for (let i = 0; i < 3; i++) await step(60_000);
      expect((await keysOf()).map(({ sealedKey }) => sealedKey === "")).toEqual([true, false]);
      expect((await leavesOf(w)).filter(({ kind }) => kind === "key")).toHaveLength(1);
      expect(await bet("first")).toBe(before);
      expect(faultsUnder(await bet(), parseKey((await headKey()).key)!)).toEqual([]);
      await expectWhole(w);
      expect((await verdict()).findings.filter(({ strength }) => strength === "problem")).toEqual([]);
      expect(await problemsOf(w)).toEqual([]);
    });
  },
);

describe("a change of the log's key that is not over", () => {
  it("gives no receipt under a key that no head names", async () => {
    const old = parseKey((await headKey()).key)!;
    await rotate();
    arm("log.sign throw");
    await step(1_000);
    expect((await keysOf()).length).toBe(2);
    expect(parseKey((await headKey()).key)).toEqual(old);
    const order = { lid: "lot_1", item: "A", money: "2", expect: "20260302-0001" };
    const { code } = await mia.call("/game/placeOrder", order, { key: "late" });
    expect(code).toBe(503);
    disarm();
    // The bet is taken: the same key gets its receipt, and the head is told before.
    const { data } = await mia.call("/game/placeOrder", order, { key: "late" });
    expect(faultsUnder(data.receipt, parseKey((await headKey()).key)!)).toEqual([]);
    const heads = await w.deps.db.read.select().from(logHeads);
    expect(heads.filter(({ note }) => note === null)).toEqual([]);
  });

  it("is asked for in vain before there is a log", async () => {
    expect(await w.deps.db.read.select().from(logRotations)).toEqual([]);
    expect(await ask(w, "log-key:rotate").catch((error: unknown) => String(error))).toMatch(/--reason/);
  });
});
