import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { houseEntries } from "#db/schema/ledger.ts";
import { logCosignatures, logHeads, logKeys, logLeaves, logRotations, servedApps } from "#db/schema/log.ts";
import { games, odds, pauses } from "#db/schema/lottery.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { auditLog } from "#server/admin/audit/log.ts";
import { LogRounds } from "#server/admin/audit/log-rounds.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { oddsLeaf } from "#server/domains/log/odds-leaf.ts";
import { appLeaf } from "#server/domains/log/served-app.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { ruleOf } from "#shared/lottery/beacon.ts";
import { HOUR_MS, MINUTE_MS, parseDay, SECOND_MS } from "#shared/time.ts";
import { hashFor, LEAF } from "../../log/leaves.ts";
import { GAMES } from "./audit-round-rows.ts";
import { all, emptyRows, type Put, type Rows } from "./audit-rows.ts";
import { changeOfKey, putLog, putWaiting, signersOfLog } from "./audit-small-log.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

const START = Date.UTC(2026, 2, 2);
const time = (ms: number): Leaf<"time"> => ({ kind: "time", time: START + ms });
const CHAIN = { hash: hashFor("chain"), publicKey: "", genesisS: START / SECOND_MS, periodS: 1 };

/** What the audit makes of the logs, where a server worked until that moment. */
const ask = (put: Put, worked = 0) =>
  rows.within(async (tx, run) => {
    await put(tx, run);
    const sign = { kind: "payouts" as const, amount: 0, fromId: 1, toId: 1, createdAt: START + worked };
    await tx.insert(houseEntries).values(sign);
    await tx.insert(games).values(GAMES);
    const found = new Findings();
    const signs = await SignsOfLife.read(tx, START + worked);
    const audited = await auditLog(tx, signs, found, { chains: [CHAIN] });
    return { ...audited, problems: found.problems, notes: found.notes };
  });

const key = (id: number, word: string, ms = 0) => ({ id, word, createdAt: START + ms });
const heads = [time(1), time(MINUTE_MS), time(2 * MINUTE_MS)];
/** The first log, of these leaves. */
const log =
  (...leaves: Leaf[]): Put =>
  (tx) =>
    putLog(tx, { log: 1, leaves, keys: [key(1, "first")] });
const old: Put = (tx) => putLog(tx, { log: 1, leaves: heads, keys: [key(1, "first")] });
const next: Put = (tx) => putLog(tx, { log: 2, leaves: [time(HOUR_MS), time(2 * HOUR_MS)], keys: [key(3, "third")] });
const app = (ms: number) => ({ version: "1", files: hashFor("files"), page: hashFor("page"), createdAt: START + ms });
const served =
  (ms: number): Put =>
  (tx) =>
    tx.insert(servedApps).values(app(ms));
const lacks = (ms: number) => `the log lacks the app since ${START + ms}`;

describe("the audit of the logs", () => {
  it("has none to compare rounds with before the first", async () => {
    expect(await ask(served(5))).toEqual({ rounds: null, leaves: 0, root: null, problems: [], notes: [] });
  });

  it("reaches the newest head", async () => {
    const root = await rows.within(async (tx, run) => {
      await old(tx, run);
      const [head] = await tx.select().from(logHeads).where(eq(logHeads.size, 3));
      return head!.root;
    });
    const one = { rounds: expect.any(LogRounds), leaves: 3, root, problems: [], notes: [] };
    expect(await ask(old)).toEqual(one);
    const two = await ask(all(next, old));
    expect(two).toMatchObject({ rounds: expect.any(LogRounds), leaves: 2, problems: [], notes: [] });
    expect(two.root).not.toBe(root);
  });

  it("asks a log without a head for what came since its key", async () => {
    const begun = all(log(), served(0), served(-1));
    expect(await ask(begun)).toEqual({
      rounds: expect.any(LogRounds),
      leaves: 0,
      root: null,
      problems: [lacks(0)],
      notes: [],
    });
  });

  it("names a log of heads without a key, beside others or alone", async () => {
    const stray: Put = (tx) => tx.insert(logHeads).values({ log: 3, size: 1, root: "", at: 1 });
    const says = "the log 3 has heads and no key";
    expect((await ask(stray)).problems).toEqual([says]);
    expect((await ask(all(old, next, stray))).problems).toEqual([says]);
  });

  it("compares nothing behind a lost leaf", async () => {
    const lost: Put = (tx) => tx.delete(logLeaves).where(and(eq(logLeaves.log, 1), eq(logLeaves.number, 1)));
    const waits: Put = (tx) => putWaiting(tx, 1, "x");
    expect(await ask(all(old, lost, waits, served(5)))).toEqual({
      rounds: null,
      leaves: 0,
      root: null,
      problems: ["the log lacks its leaf 1"],
      notes: [],
    });
  });

  it("compares all heads and all dates, of old logs first, and the newest log alone with the tables", async () => {
    const pause: Leaf<"pause"> = { ...LEAF.pause, from: "20260302-0500", at: START };
    const dated = (number: number, ms: number, word: string): Put => {
      const leaves = [time(ms), time(ms + MINUTE_MS), time(ms + 2 * MINUTE_MS), { ...pause, at: START + ms }];
      return (tx) =>
        putLog(tx, { log: number, leaves: [...leaves, time(ms + 3 * MINUTE_MS)], keys: [key(number, word)] });
    };
    const back = (from: string, to: string) =>
      `the log's pause of k3-1m from 20260302-0500 is dated 2026-03-02T${from}:00.000Z, and came in a head of 2026-03-02T${to}:00.000Z: it was dated back`;
    const { problems } = await ask(all(dated(2, HOUR_MS, "third"), dated(1, 0, "first")));
    expect(problems).toEqual([
      back("00:00", "00:03"),
      back("01:00", "01:03"),
      "the log's pause of k3-1m from 20260302-0500 has no row",
    ]);
  });

  it("takes a head that was never signed for the end of an old log, and for a delay in the newest", async () => {
    const unsigned: Put = (tx) =>
      tx.update(logHeads).set({ note: null, announcedAt: null }).where(eq(logHeads.size, 2));
    const two = await ask(all(old, next, unsigned));
    expect([two.problems, two.notes]).toEqual([
      [],
      [
        "the log's head of 2 leaves was never signed: the log ended before",
        "the log's head of 2 leaves is not signed yet",
      ],
    ]);
  });

  it("takes the keys of a log in their order", async () => {
    const { signers } = signersOfLog(["first", "second"]);
    const change = changeOfKey(signers[0]!, signers[1]!, START + 5);
    const changed: Put = async (tx) => {
      const keys = [key(1, "first"), key(2, "second", 5)];
      await putLog(tx, { log: 1, leaves: [time(1), change, time(MINUTE_MS)], keys });
    };
    expect((await ask(changed)).problems).toEqual([]);
    // The first key counts for the beginning.
    expect((await ask(all(changed, served(0), served(4)))).problems).toEqual([lacks(0), lacks(4)]);
  });

  it("asks what was served from the log's first key on, or from its first head, which a clock may have dated before", async () => {
    const early = all(served(-9), served(-8));
    expect((await ask(all(log(time(-8), time(2)), early))).problems).toEqual([lacks(-8)]);
    const late: Put = (tx) => putLog(tx, { log: 1, leaves: [time(2)], keys: [key(1, "first", -8)] });
    expect((await ask(all(late, early))).problems).toEqual([lacks(-8)]);
  });

  it("names keys and witnesses that are not in order", async () => {
    const forgotten: Put = (tx) => tx.update(logKeys).set({ sealedKey: "" });
    expect((await ask(all(old, forgotten))).problems).toEqual(["the log's key 1 is in force and was forgotten"]);
    const row = { log: 1, size: 99, witness: "w", line: "", signedAt: 1 };
    const signed: Put = (tx) => tx.insert(logCosignatures).values(row);
    expect((await ask(all(old, signed))).problems).toEqual([
      "a witness signed the log's head of 99 leaves, which is not announced",
    ]);
    const asked: Put = (tx) => tx.insert(logRotations).values({ id: 1, reason: "", createdAt: START });
    expect((await ask(all(old, asked), 10 * MINUTE_MS)).problems).toEqual([
      "the log's key 1 was to be replaced: a server worked on for 600 s",
    ]);
  });

  it("names a key that is none, and each head under it", async () => {
    const none: Put = (tx) => tx.update(logKeys).set({ publicKey: "zz".repeat(32) });
    expect((await ask(all(old, none))).problems).toEqual([
      "the log's key 1 is not the one that its origin names",
      ...[1, 2, 3].map((size) => `the log's head of ${size} leaves is not signed by the key that its leaves name last`),
    ]);
    const nameless: Put = (tx) => tx.update(logKeys).set({ origin: "no name" });
    expect((await ask(all(old, nameless))).problems).toEqual([
      "the log's key 1 is not the one that its origin names",
      ...[1, 2, 3].flatMap((size) => [
        `the log's head of ${size} leaves: its signed note says something else`,
        `the log's head of ${size} leaves is not signed by the key that its leaves name last`,
      ]),
    ]);
  });

  it("takes the time that draws have shown for the dates after them", async () => {
    const open: Leaf<"open"> = { ...LEAF.open, beacon_rule: ruleOf({ chain: CHAIN.hash, round: 36_000 }) };
    const late: Leaf<"pause"> = { ...LEAF.pause, from: "20260302-0500", at: START + HOUR_MS / 2 };
    const jumped = [time(MINUTE_MS), time(5 * HOUR_MS), late, time(5 * HOUR_MS + MINUTE_MS)];
    const { problems } = await ask(log(time(1), open, LEAF.draw, ...jumped));
    expect(problems.filter((one) => one.includes("dated back"))).toHaveLength(1);
    const none = await ask(log(time(1), open, ...jumped));
    expect(none.problems.filter((one) => one.includes("dated back"))).toEqual([]);
  });
});

describe("the audit asks leaves that wait for their number", () => {
  const waiting =
    (...leaves: (Leaf | string)[]): Put =>
    (tx) =>
      putWaiting(tx, 1, ...leaves);
  const name = (ms: number) => `the log's app since ${START + ms}`;

  it("for their rows", async () => {
    const leaves = [10, 20].map((ms) => appLeaf(app(ms)));
    expect((await ask(all(old, waiting(...leaves), served(10)))).problems).toEqual([`${name(20)} has no row`]);
    expect((await ask(all(old, next, waiting(...leaves)))).problems).toEqual([]);
  });

  it("for their form, the newest first", async () => {
    const none = "a leaf of the log without a number has no form that the log knows:";
    const gone: Put = (tx) => tx.insert(logLeaves).values({ log: 1, key: "gone", text: null });
    const put = all(old, waiting("x", "y", appLeaf(app(20))), gone);
    expect((await ask(put)).problems).toEqual([`${none} null`, `${name(20)} has no row`, `${none} y`, `${none} x`]);
  });

  it("for how long they have waited: since their row was written, or since the newest head", async () => {
    const [since, later] = [2 * MINUTE_MS, 10 * MINUTE_MS];
    const put = (ms: number) => all(old, served(ms), waiting(appLeaf(app(ms))));
    const waits = (ms: number, s: number) => `${name(ms)} waits for its number: a server worked on for ${s} s`;
    expect((await ask(put(later), later + 2 * MINUTE_MS)).problems).toEqual([]);
    expect((await ask(put(later), later + 3 * MINUTE_MS)).problems).toEqual([waits(later, 180)]);
    expect((await ask(put(5), since + 2 * MINUTE_MS)).problems).toEqual([]);
    expect((await ask(put(5), since + 3 * MINUTE_MS)).problems).toEqual([waits(5, 180)]);
  });

  it("since the log's first key, where it has no head", async () => {
    const begun: Put = (tx) =>
      putLog(tx, { log: 1, leaves: [], keys: [key(1, "first"), key(2, "second", 9 * MINUTE_MS)] });
    const put = all(begun, served(-5), waiting(appLeaf(app(-5))));
    const says = `${name(-5)} waits for its number: a server worked on for 180 s`;
    expect((await ask(put, 3 * MINUTE_MS)).problems).toContain(says);
    expect((await ask(put, 2 * MINUTE_MS)).problems).not.toContain(says);
  });

  it("those of one transaction together: odds do not tell when they were stated", async () => {
    const row = { id: 7, gameId: 1, milli: [207_000], unit: "point", createdAt: START };
    const leaf = oddsLeaf(GAMES[0]!, row);
    const put = (ms: number): Put =>
      all(old, served(ms), (tx) => tx.insert(odds).values(row), waiting(leaf, appLeaf(app(ms))));
    const later = 10 * MINUTE_MS;
    expect((await ask(put(later), later + 2 * MINUTE_MS)).problems).toEqual([]);
    const { problems } = await ask(put(later), later + 3 * MINUTE_MS);
    expect(problems.at(-1)).toBe("the log's odds 7 of k3-1m waits for its number: a server worked on for 180 s");
    const alone = all(old, (tx) => tx.insert(odds).values(row), waiting(leaf));
    expect((await ask(alone, 4 * MINUTE_MS)).problems).toEqual([]);
    expect((await ask(alone, 5 * MINUTE_MS)).problems).toEqual([
      "the log's odds 7 of k3-1m waits for its number: a server worked on for 180 s",
    ]);
  });

  it("and asks the rows of the tables for their leaves, numbered or not", async () => {
    const pause = { gameId: 1, fromDay: parseDay("20260302")!, fromNumber: 9, paused: true, announcedAt: START + 7 };
    const announced: Put = (tx) => tx.insert(pauses).values({ ...pause, reason: "new dice" });
    const says = "the log lacks the pause of k3-1m from 20260302-0009";
    expect((await ask(all(old, announced))).problems).toEqual([says]);
    expect((await ask(all(old, announced, waiting({ ...LEAF.pause, at: START + 7 })))).problems).toEqual([]);
  });
});
