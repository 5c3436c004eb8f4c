import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { unguard } from "../../support/copies.ts";
import { byLength } from "../../support/length.ts";
import { SocketClients } from "../realtime/socket-client.ts";
import { ask, operate } from "../admin/operate.ts";
import {
  betSurely,
  expectPaid,
  failingWorld,
  metric,
  payoutsOf,
  playRound,
  problemsOf,
  roundOf,
  ROUND,
} from "./failing-world.ts";
import { besideTheLog } from "../admin/audit-ground.ts";
import type { FailingWorld } from "./failing-world.ts";

const GOOD = "select milli from odds where id = 1";

let site: FailingWorld;
let connection: OwnConnection;

beforeEach(async () => {
  site = await failingWorld();
  connection = await openConnection(site.w.config.database);
  await unguard(connection);
});
afterEach(async () => {
  await connection.close();
  await site.close();
});

/** Says that the members up to this one are settled, as a server does that has paid them. */
const settledTo = (memberId: number) =>
  connection.run(`insert into settle_ranges (round_id, from_id, to_id, settled_to, indexed_to)
    values (1, 1, ${Number.MAX_SAFE_INTEGER}, ${memberId}, 0)`);
const retry = () => operate(site.w, "round:retry", "k3-1m", ROUND);
const errors = () =>
  site.w.logged
    .map((line) => JSON.parse(line) as { level: number; msg: string; failure?: string; step?: string })
    // The log states no odds that are none, so the ill game opens no further round until they are mended.
    .filter(({ level, step }) => level >= 50 && step !== "open k3-1m");

/** Odds that no kind has; `mend` restores the right ones. */
async function poison(milli: string): Promise<() => Promise<void>> {
  const [good] = await connection.all<{ milli: unknown }>(GOOD);
  const text = typeof good!.milli === "string" ? good!.milli : JSON.stringify(good!.milli);
  const set = (value: string) => connection.run(`update odds set milli = '${value}' where id = 1`);
  await set(milli);
  return () => set(text);
}

const POISONS: [string, string, RegExp][] = [
  ["too few odds", "[]", /^bet 1 would win NaN$/],
  ["odds that are no number", `[${Array.from({ length: 20 }, () => '"x"').join()}]`, /^bet 1 would win NaN$/],
  ["odds beyond counting", `[${Array.from({ length: 20 }, () => "9e16").join()}]`, /^bet 1 would win 9\S+$/],
  ["payouts beyond counting", `[${Array.from({ length: 20 }, () => "9e15").join()}]`, /^it would pay 27\S+ for 6000$/],
  ["odds below nothing", `[${Array.from({ length: 20 }, () => "-1000").join()}]`, /^bet 1 would win -/],
];

/** The kinds of games have their own, in rounds-poisoned-kinds: here a short run tries one of each failure. */
describe.each(byLength(POISONS.slice(2, 4), POISONS))("a round with %s", (_name, milli, failure) => {
  it("fails its check and pays nobody, while every other game goes on", async () => {
    const { w, ill, well } = site;
    const mend = await poison(milli);
    await playRound(site.w);
    expect(await roundOf(w, 1)).toMatchObject({
      failure: expect.stringMatching(failure),
      settledAt: null,
    });
    expect(await payoutsOf(w, 1)).toEqual([]);
    await expectPaid(ill, 0, 1);
    await expectPaid(well, 1);
    expect(errors()).toMatchObject([
      { msg: expect.stringContaining("round:retry"), failure: expect.stringMatching(failure) },
    ]);
    expect(await metric(w, "trio_rounds_failed")).toBe(1);
    const named = expect.stringMatching(/^round k3-1m 20260302-0001 failed a check and is not paid/);
    expect(await problemsOf(w)).toContainEqual(named);
    const { data } = await ill[0]!.call("/member/getUserGameList", {}, { method: "GET" });
    expect(data).toMatchObject([{ status: 0, win: null }]);

    await mend();
    for (const player of well) await betSurely(player, "lot_2", "20260302-0002");
    await w.live(60_000);
    await w.live(60_000);
    await expectPaid(ill, 0, 1);
    await expectPaid(well, 2);
    expect((await retry()).out).toMatch(/is retried/);
    await w.live(2_000);
    await expectPaid(ill, 1);
    // The log goes on stating what was poisoned.
    expect(besideTheLog(await problemsOf(w))).toEqual([]);
    expect(await metric(w, "trio_rounds_failed")).toBe(0);
  });
});

describe("a round whose seed is not the committed one", () => {
  it("is not drawn until the committed seed is back", async () => {
    const { w, ill, well } = site;
    const [{ commit }] = (await connection.all<{ commit: string }>('select "commit" from rounds where id = 1')) as [
      { commit: string },
    ];
    const set = (text: string) => connection.run(`update rounds set "commit" = '${text}' where id = 1`);
    await set("00".repeat(32));
    await playRound(site.w);
    expect(await roundOf(w, 1)).toMatchObject({
      failure: "its seed is not the committed one",
      drawnAt: null,
      seed: null,
    });
    await expectPaid(well, 1);
    await set(commit);
    await retry();
    await w.live(2_000);
    await expectPaid(ill, 1);
    expect(await problemsOf(w)).toEqual([]);
  });
});

describe("a round that was half paid", () => {
  it("is completed exactly, though an older version skipped its winners", async () => {
    const { w, ill } = site;
    await w.live(56_000);
    await settledTo(ill[1]!.memberId);
    await w.live(3_000);
    await w.live(1_000);
    await expectPaid(ill, 1);
    expect(await payoutsOf(w, 1)).toHaveLength(3);
    expect(await roundOf(w, 1)).toMatchObject({ paid: 5_850, failedAt: null, indexedAt: expect.any(Number) as number });
    expect(await problemsOf(w)).toEqual([]);
  });

  it("is not settled while a member holds a wrong payout", async () => {
    const { w, ill } = site;
    await w.live(56_000);
    const { memberId } = ill[0]!;
    await settledTo(memberId);
    await connection.run(`insert into payouts (round_id, member_id, amount, version, balance_after, created_at)
      values (1, ${memberId}, 5, 9, 9, 9)`);
    await w.live(3_000);
    await w.live(1_000);
    expect(await roundOf(w, 1)).toMatchObject({
      failure: `member ${memberId} was paid 5 and won 1950`,
      settledAt: null,
    });
  });
});

describe("round:retry", () => {
  it("refuses a round that has not failed, and an unknown one", async () => {
    const { w } = site;
    await playRound(site.w);
    expect(await retry()).toMatchObject({ exit: 1, err: "round k3-1m 20260302-0001 has not failed\n" });
    expect(await operate(w, "round:retry", "none", ROUND)).toMatchObject({ exit: 1, err: "there is no game none\n" });
    expect(await operate(w, "round:retry", "k3-1m", "now")).toMatchObject({ exit: 2 });
    await expect(ask(w, "round:retry", "k3-1m", "20260302-0009")).rejects.toThrow("has not failed");
  });
});

describe("watchers of a round that failed its check", () => {
  it("get its dice; its bettors get their own result once it is paid", async () => {
    const { w, ill } = site;
    const clients = new SocketClients(await w.listen());
    const client = await clients.open({ token: ill[0]!.token });
    await client.watch("k3-1m");
    const mend = await poison("[]");
    await playRound(site.w);
    const bare = await client.next("lottery:result");
    expect(bare).toMatchObject({ expect: ROUND, opencode: expect.any(Array) as unknown });
    expect(bare).not.toHaveProperty("mine");
    await mend();
    await retry();
    await w.live(2_000);
    const paid = await client.next("lottery:result", ({ mine }) => mine !== undefined);
    expect(paid).toMatchObject({ expect: ROUND, mine: { win: "19.50", money: "99.50" } });
    clients.close();
  });
});
