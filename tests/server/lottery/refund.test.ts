import { afterEach, beforeEach, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { bets, games, logLeaves, logRounds, messages, rounds, settleRanges } from "#db/schema/index.ts";
import { auditDraws } from "#server/admin/audit/draws.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { LogDates } from "#server/admin/audit/log-dates.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { leafIn, readLeaves } from "#server/domains/log/read-log.ts";
import { keyOfRound } from "#server/domains/log/round-keys.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { refundRound } from "#server/domains/lottery/refund-round.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { drandCheck } from "#shared/log/check/drand-check.ts";
import { sentenceOf } from "#shared/log/check/finding.ts";
import { HOUR_MS } from "#shared/time.ts";
import { problemsNow } from "../../support/audited.ts";
import { away } from "../../support/drand-relay.ts";
import { Client, TestSocket } from "../../support/client.ts";
import { fairProof } from "#shared/contract/log.ts";
import { parseLeaf } from "#shared/log/leaf.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { unguard } from "../../support/copies.ts";
import { withConnection } from "../../support/own-connection.ts";
import { START, type Player } from "../../support/world.ts";
import { leavesOf, verdictOf } from "../log/read-log.ts";
import { drandWorld, modeOf, no, type DrandWorld } from "./drand-world.ts";
import { balanceOf, betSurely, payoutsOf } from "./failing-world.ts";
import { KEY } from "./rounds-world.ts";

const AHEAD_MS = 3 * HOUR_MS;
let site: DrandWorld;
let [mia, leo]: Player[] = [];
let name: string;

beforeEach(async () => {
  site = await drandWorld();
  [mia, leo] = [await site.w.player("mia_1", { balance: 100 }), await site.w.player("leo_1", { balance: 100 })];
});
afterEach(async () => {
  disarm();
  await site.stop();
});

const read = () => site.w.deps.db.read;
const row = async () => (await read().select().from(rounds)).find((one) => roundText(one) === name)!;
const key = () => keyOfRound("refund", { game: KEY, round: name });
const leaf = async () => (await readLeaves(read(), [key()])).get(key());
const right = () => site.relays.forEach((relay) => void (relay.answer = site.honest));
const isOver = async () => (await row()).indexedAt !== null;

/** Without relays, a server whose clock is wrong opens a round too early and takes bets. Then its clock is put right. */
async function openTooEarly(aheadMs = AHEAD_MS): Promise<void> {
  await site.follow(modeOf(site));
  while (site.w.now() < START + 2 * 60_000) await site.w.live(20_000);
  await site.until(async () => (await site.info()).next_expect === no(3));
  for (const relay of site.relays) relay.answer = away;
  site.set(aheadMs);
  await site.w.restart();
  await site.until(async () => ![no(3), null].includes((await site.info()).next_expect));
  name = (await site.info()).next_expect!;
  for (const player of [mia!, leo!]) await betSurely(player, "lot_1", name);
  site.set(-aheadMs);
  await site.until(async () => (await row()).closedAt !== null);
}

/** What the operator's audit finds, its check of beacons by our chain. */
async function problems(): Promise<string[]> {
  const found = new Findings();
  const now = site.w.now();
  await auditDraws(read(), now, await SignsOfLife.read(read(), now), found, beaconsOf(site.chain));
  const others = (await problemsNow(site.w)).filter((line) => !/beacon/.test(line));
  return [...new Set([...found.problems, ...others])];
}

/** What a stranger and the audit say to the log, with our chain's beacons: its draws tell the true time. */
async function datesFound(): Promise<string[]> {
  const { findings } = await verdictOf(site.w, 1, drandCheck([site.chain]));
  const found = new Findings();
  const dates = new LogDates([site.chain], await read().select().from(games), found);
  for (const leaf of await leavesOf(site.w)) dates.add(leaf);
  return [...findings.filter(({ strength }) => strength === "problem").map(sentenceOf), ...found.problems];
}

async function expectReturned(): Promise<void> {
  const betIds: string[] = [];
  for (const player of [mia!, leo!]) {
    expect(await balanceOf(player)).toBe("100.00");
    const { data } = await player.call("/member/getUserGameList", undefined, { lang: "es_spa" });
    expect(data).toMatchObject([{ status: 3, opencode: null, money: "20.00", win: "20.00" }]);
    expect(data[0]!.status_text).toMatch(/^Devuelta/);
    betIds.push(data[0]!.id);
    const { list } = (await player.call("/member/getMoneylog", undefined, { lang: "es_spa" })).data;
    expect(list[0]).toMatchObject({ type: "stake-return", type_txt: "Apuesta devuelta", money: "20.00" });
  }
  const told = await read()
    .select()
    .from(messages)
    .where(eq(messages.kind, "round.returned"))
    .orderBy(messages.memberId);
  expect(told.map(({ memberId, facts }) => [memberId, facts])).toEqual(
    [mia!, leo!].map(({ memberId }) => [memberId, { round: name, money: "20.00" }]),
  );
  expect((await payoutsOf(site.w, (await row()).id)).map(({ amount }) => amount)).toEqual([2_000, 2_000]);
  const { refundedAt: at } = await row();
  expect(leafIn("refund", (await leaf())!)).toMatchObject({ bets: 2, stake: 4_000, reason: "clock", at });
  expect(await site.fair(name)).toMatchObject({ drawn: null, seed: null, opencode: null, refunded: at });
  const stated = await read()
    .select()
    .from(logLeaves)
    .where(eq(logLeaves.key, keyOfRound("settle", { game: KEY, round: name })));
  expect([
    stated,
    await read()
      .select()
      .from(logRounds)
      .where(eq(logRounds.roundId, (await row()).id)),
  ]).toEqual([[], []]);
  await site.w.site.housekeeping.seal();
  await site.w.deps.publicLog.advance();
  // A member's app takes the stake for returned by this leaf alone.
  const { refund, draw } = await new Client(await site.w.listen(), mia!.token).must(fairProof, { id: betIds[0]! });
  expect([parseLeaf(refund!.leaf), refund!.number, draw]).toEqual([
    leafIn("refund", (await leaf())!),
    (await leaf())!.number,
    null,
  ]);
  expect(await problems()).toEqual([]);
  expect(await datesFound()).toEqual([]);
}

it("a round whose beacon lies too far ahead waits while nobody confirms the clock, and then returns each stake once", async () => {
  await openTooEarly();
  await site.seconds(10);
  expect([(await row()).refundedAt, await leaf()]).toEqual([null, undefined]);
  const socket = new TestSocket(await site.w.listen(), mia!.token);
  await socket.until("connect");
  await socket.watch(KEY);
  right();
  await site.untilLater(isOver);
  const told = await socket.until("order:settled");
  expect(told).toMatchObject({ key: KEY, expect: name, win: "20.00", money: "100.00", orders: [{ win: "20.00" }] });
  socket.close();
  await expectReturned();
  await site.w.restart();
  await site.seconds(3);
  await expectReturned();
});

it("a process that is killed before or after any step leaves nothing half done", async () => {
  await openTooEarly();
  right();
  for (const step of ["round.refund", "settle.count", "settle.credit", "settle.finish", "index.finish"]) {
    arm(`${step} throw`);
    await site.seconds(4);
    const { refundedAt } = await row();
    const isPaid = (await read().select().from(settleRanges)).some(({ settledTo }) => settledTo > 0);
    const told = await read().select().from(messages).where(eq(messages.kind, "round.returned"));
    const isStated = (await leaf()) !== undefined;
    expect([step, isStated, told.length]).toEqual([step, refundedAt !== null, isPaid ? 2 : 0]);
    await site.w.crash();
    disarm();
  }
  await site.untilLater(isOver);
  await expectReturned();
});

it("two processes that return stakes at once do it once", async () => {
  await openTooEarly();
  right();
  const { deps } = site.w;
  const game = await findGame(deps.db.read, KEY);
  const round = await row();
  await site.w.deps.publicLog.advance();
  const both = await Promise.all([1, 2, 3].map(() => deps.db.transact((tx) => refundRound(tx, deps, game, round))));
  expect(both.filter(Boolean)).toHaveLength(1);
  await site.untilLater(isOver);
  await expectReturned();
});

it("a round whose beacon is less than an hour ahead waits for it, and is drawn", async () => {
  await openTooEarly(50 * 60_000);
  right();
  await site.seconds(5);
  const { deps } = site.w;
  const game = await findGame(deps.db.read, KEY);
  const round = await row();
  expect(await deps.db.transact((tx) => refundRound(tx, deps, game, round))).toBe(false);
  expect([(await row()).refundedAt, await leaf()]).toEqual([null, undefined]);
});

it("the audit names stakes that went back without a reason, or without the log, or not in full", async () => {
  await openTooEarly();
  right();
  await site.untilLater(isOver);
  await site.w.deps.publicLog.advance();
  const { id, closesAt, refundedAt } = await row();
  await withConnection(site.w.config.database, async (connection) => {
    await unguard(connection);
    const after = async (sql: string, undo: string) => {
      await connection.run(sql);
      const found = await problems();
      await connection.run(undo);
      return found;
    };
    const set = (at: number | null) => `update rounds set refunded_at = ${at} where id = ${id}`;
    const back = set(refundedAt);
    expect(await after(set(closesAt), back)).toContainEqual(expect.stringMatching(/ returned its stakes, though /));
    expect(await after(set(null), back)).toContainEqual(
      `the log has the refund of round ${KEY} ${name}, which was not returned in the tables`,
    );
    const [paid] = await payoutsOf(site.w, id);
    const pay = (amount: number) =>
      `update payouts set amount = ${amount} where round_id = ${id} and member_id = ${paid!.memberId}`;
    expect(await after(pay(1_999), pay(2_000))).toContainEqual(
      `round ${id}, member ${paid!.memberId}: won 2000, was paid 1999`,
    );
    const [bet] = await read().select().from(bets).where(eq(bets.roundId, id));
    expect(
      await after(
        `update bets set stake = 999 where id = ${bet!.id}`,
        `update bets set stake = 1000 where id = ${bet!.id}`,
      ),
    ).toContainEqual(expect.stringMatching(/^the log's refund of round .*: bets_root is /));
  });
});
