import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pauses } from "#db/schema/lottery.ts";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import type { LocalText } from "#shared/locales.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { TestSocket } from "../../support/client.ts";
import { faultsOf } from "../../support/recompute.ts";
import type { World } from "../../support/world.ts";
import { reasonOf } from "../../support/reason-of.ts";
import { problemsOf } from "./failing-world.ts";
import { KEY, readsOf, roundsWorld } from "./rounds-world.ts";

let w: World;
const { info, fair, rounds, gaps, announced } = readsOf(() => w);

beforeEach(async () => {
  w = await roundsWorld();
});
afterEach(() => w.close());

const no = (number: number) => `20260302-${String(number).padStart(4, "0")}`;
const gap = (from: number, to: number, reason: string) => ({ gap_from: no(from), gap_to: no(to), reason });
const opened = async () => (await rounds()).map(({ number }) => number);
const told = async () => (await w.call("/fair/pauses", { key: KEY }, { method: "GET" })).data;

/** Announces a pause or its end, as the operator's command does. Returns the first round it acts on. */
async function pause(paused: boolean, reason: LocalText | null = null): Promise<string | null> {
  const { db } = w.deps;
  const game = await findGame(db.read, KEY);
  const place = await db.transact((tx) => pauseGame(tx, w.deps, game, { paused, reason }));
  return place && roundText(place);
}

/** Lets so many minutes pass, with the server at work. */
async function minutes(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await w.live(60_000);
}

describe("a pause", () => {
  it("acts from the round after next: the open round and the next are played, and no other opens", async () => {
    await w.live(10_000);
    expect(await pause(true)).toBe(no(3));
    await minutes(2);
    expect(await info()).toMatchObject({ state: "paused", next_expect: null, now_expect: no(2) });
    expect([faultsOf(await fair(no(1))), faultsOf(await fair(no(2)))]).toEqual([[], []]);
    await minutes(60);
    expect(await opened()).toEqual([1, 2]);
  });

  it("lets the round after that be played too, when it is announced between close and draw", async () => {
    await w.live(58_000);
    expect(await info()).toMatchObject({ state: "drawing", next_expect: no(1) });
    expect(await pause(true)).toBe(no(3));
    await w.live(2_000);
    await minutes(3);
    expect(await opened()).toEqual([1, 2]);
  });

  it("ends with the round after next, and leaves one gap with its reason", async () => {
    await pause(true);
    await minutes(5);
    expect(await gaps()).toEqual([]);
    expect(await pause(false)).toBe(no(8));
    await minutes(1);
    expect(await info()).toMatchObject({ state: "paused", next_expect: null });
    await minutes(1);
    expect(await info()).toMatchObject({ state: "open", next_expect: no(8) });
    expect(await gaps()).toEqual([gap(3, 7, "paused")]);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("that is taken back before it acts keeps no round from opening", async () => {
    expect(await pause(true)).toBe(no(3));
    expect(await pause(false)).toBe(no(3));
    expect((await info()).pause).toBeNull();
    await minutes(4);
    expect(await opened()).toEqual([1, 2, 3, 4, 5]);
    expect(await gaps()).toEqual([]);
  });

  it("that is taken back a round later keeps one round from opening", async () => {
    await pause(true);
    await minutes(1);
    expect(await pause(false)).toBe(no(4));
    expect((await info()).pause).toEqual({ from: no(3), until: no(4) });
    await minutes(3);
    expect(await opened()).toEqual([1, 2, 4, 5]);
    expect(await gaps()).toEqual([gap(3, 3, "paused")]);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("is announced once, however often it is asked for, and by however many at once", async () => {
    const answers = await Promise.all([pause(true), pause(true), pause(true)]);
    await minutes(1);
    expect([...answers, await pause(true)]).toEqual([no(3), no(3), no(3), no(3)]);
    expect(await told()).toHaveLength(1);
    expect(await announced("game.changed")).toHaveLength(2);
    await Promise.all([pause(false), pause(false)]);
    expect(await told()).toHaveLength(2);
  });

  it("cannot end where there was none", async () => {
    expect(await pause(false)).toBeNull();
    expect(await told()).toEqual([]);
  });

  it("holds over a restart, before it acts and while it does", async () => {
    await pause(true);
    await w.restart();
    await minutes(4);
    await w.restart();
    await minutes(1);
    expect(await opened()).toEqual([1, 2]);
    await pause(false);
    await w.restart();
    await minutes(2);
    expect(await gaps()).toEqual([gap(3, 7, "paused")]);
  });

  it("is kept apart from the server's downtime, before it and after it", async () => {
    await pause(true);
    w.pass(60_000);
    await w.restart();
    await minutes(3);
    await pause(false);
    w.pass(5 * 60_000);
    await w.settle();
    expect(await gaps()).toEqual([gap(2, 2, "down"), gap(3, 6, "paused"), gap(7, 9, "down")]);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("voids and shortens no round that a clock has opened ahead of time", async () => {
    w.jump(2 * 60_000);
    await w.settle();
    expect(await opened()).toEqual([1, 3]);
    w.jump(-2 * 60_000);
    expect(await pause(true)).toBe(no(4));
    await minutes(3);
    expect(await opened()).toEqual([1, 3]);
    expect((await rounds())[1]).toMatchObject({ skippedAt: null, closesAt: (await rounds())[1]!.drawsAt - 3_000 });
    expect(faultsOf(await fair(no(3)))).toEqual([]);
  });
});

describe("the announcement of a pause", () => {
  it("reaches those who watch at once, with the round from which it acts and the one that opens again", async () => {
    const line = new TestSocket(await w.listen());
    await line.watch(KEY);
    await pause(true);
    await w.site.relay.wake();
    await line.until("lottery:countdown", (countdown) => countdown.pause?.from === no(3) && !countdown.pause.until);
    await minutes(3);
    await pause(false);
    await w.site.relay.wake();
    await line.until("lottery:countdown", (countdown) => countdown.pause?.until === no(6));
    await minutes(2);
    const last = await line.until("lottery:countdown", ({ expect: round }) => round === no(6));
    expect(last.pause).toBeNull();
    line.close();
  });

  it("is public with its time and reason, in the reader's language", async () => {
    const at = w.now();
    await pause(true, { en_us: "Repairs", ko_kr: "점검" });
    await pause(false, "Done");
    expect(await told()).toEqual([
      { from: no(3), paused: true, reason: "Repairs", langs: { reason: "en" }, announced: at },
      { from: no(3), paused: false, reason: "Done", announced: at },
    ]);
    await pause(true, { en_us: "Repairs", ko_kr: "점검" });
    const inKorean = { method: "GET", headers: { lang: "ko_kr" } } as const;
    const { data } = await w.call("/Lottery/getLotteryInfo", { key: KEY }, inKorean);
    expect(data).toMatchObject({ pause: { from: no(3), until: null }, pause_reason: "점검" });
  });

  it("is a row that nobody changes, deletes, or adds without its time", async () => {
    await pause(true);
    const { db } = w.deps;
    const change = db.transact((tx) => tx.update(pauses).set({ fromNumber: 9 })).catch(reasonOf);
    expect(await change).toMatch(/never changed/);
    expect(await db.transact((tx) => tx.delete(pauses)).catch(reasonOf)).toMatch(/never deleted/);
    const unsaid = { gameId: 1, fromDay: 1, fromNumber: 1, paused: true, announcedAt: null };
    expect(await db.transact((tx) => tx.insert(pauses).values(unsaid)).catch(reasonOf)).toMatch(/is announced/);
  });
});
