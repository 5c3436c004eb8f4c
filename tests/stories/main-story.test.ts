import { afterEach, describe, expect, it } from "vitest";
import type { Result } from "#shared/contract/events.ts";
import { fairAnchors, fairRound } from "#shared/contract/fair.ts";
import { gameList, lotteryHistory, lotteryOdds, placeOrder } from "#shared/contract/lottery.ts";
import { doRecharge, rechargeList } from "#shared/contract/payments.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { moneyLog, personalReport } from "#shared/contract/wallet.ts";
import { Client, eventually, pay, type TestSocket } from "../support/client.ts";
import { cents, faultsOf, isWon, oddsByType, winOf } from "../support/recompute.ts";
import { ServerProcess, TEN_SECONDS } from "../support/server-process.ts";

const { key } = TEN_SECONDS;
/** In the order of getLotteryPeilv. Two of the four even chances always win, and the sum now and then. */
const ITEM = "10,A,B,C,D";
const STAKE = 37;
const TOTAL = STAKE * 5;
const TOP_UP = 1_000;

let server: ServerProcess;
const lines: TestSocket[] = [];
afterEach(async () => {
  for (const line of lines.splice(0)) line.close();
  await server.close();
});

function connect(client: Client): TestSocket {
  const line = client.connect();
  lines.push(line);
  return line;
}

/** A member with a socket who has topped up on the hosted page and got the push. */
async function toppedUp(username: string): Promise<{ member: Client; line: TestSocket; order: string }> {
  const member = await new Client(server.address).register(username);
  const line = connect(member);
  await line.until("hello");
  const { pay_url, order } = await member.must(doRecharge, { pay_way: "sandbox", money: String(TOP_UP) });
  const page = await fetch(pay_url);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain(`action="${new URL(pay_url).pathname}/pay"`);
  expect((await member.must(rechargeList)).map(({ id, status }) => [id, status])).toEqual([[order, 1]]);
  await pay(pay_url);
  const change = await line.until("balance:change");
  expect(change).toMatchObject({ money: "1000.00", delta: "1000.00", type: "deposit", version: 1 });
  expect(await line.until("record:change")).toMatchObject({ kind: "recharge", id: order, status: 2 });
  return { member, line, order };
}

/** Every later read agrees, and the public data gives the same figures. */
async function expectAgreement(member: Client, placed: { id: string; expect: string }, commit: string, order: string) {
  const round = await member.must(fairRound, { key, expect: placed.expect });
  expect(faultsOf(round)).toEqual([]);
  expect(round.commit).toBe(commit);
  const anchors = await member.must(fairAnchors, { key });
  expect(anchors).toHaveLength(8);
  expect(anchors).toContainEqual(expect.objectContaining({ day: placed.expect.slice(0, 8), anchor: round.anchor }));
  const dice = round.opencode!;
  const odds = oddsByType(await member.must(lotteryOdds, { id: "lot_1" }));
  const win = winOf(ITEM, STAKE, odds, dice);
  expect(win).toBeGreaterThanOrEqual(2 * STAKE * 195);
  const balance = TOP_UP * 100 - TOTAL * 100 + win;

  const info = await member.must(getUserInfo);
  expect([cents(info.money), info.point]).toEqual([balance, Math.floor(balance / 100)]);
  const log = await member.must(moneyLog);
  expect(log.count).toBe(3);
  expect(log.list.map((row) => [row.version, row.type, cents(row.money), cents(row.balance)])).toEqual([
    [3, "payout", win, balance],
    [2, "stake", -TOTAL * 100, (TOP_UP - TOTAL) * 100],
    [1, "deposit", TOP_UP * 100, TOP_UP * 100],
  ]);
  // The last member of a round gets the result a moment before the round counts as settled.
  await eventually(async () => expect((await member.must(gameList))[0]!.status).toBe(1));
  const orders = await member.must(gameList);
  expect(orders).toHaveLength(1);
  expect(orders[0]).toMatchObject({ id: placed.id, status: 1, opencode: dice, money: `${TOTAL}.00` });
  expect(cents(orders[0]!.win!)).toBe(win);
  expect(orders[0]!.data.map((part) => [part.type, part.expect, part.money, cents(part.win!)])).toEqual(
    ITEM.split(",").map((type) => [type, placed.expect, `${STAKE}.00`, winOf(type, STAKE, odds, dice)]),
  );
  const report = await member.must(personalReport);
  expect(report).toEqual({
    play_money: `${TOTAL}.00`,
    recharge: "1000.00",
    withdrawal: "0.00",
    win_money: orders[0]!.win,
  });
  expect(await member.must(rechargeList)).toMatchObject([{ id: order, status: 2, money: "1000.00" }]);
  const sum = dice.reduce((all, face) => all + face, 0);
  expect(await member.must(lotteryHistory, { key })).toContainEqual(
    expect.objectContaining({ expect: placed.expect, opencode: dice, sum }),
  );
  const verdict = await server.run("server/verify.ts", key, placed.expect, "--url", server.address);
  expect(verdict).toEqual({ code: 0, out: expect.stringContaining(`dice ${dice.join(" ")}`) });
  return { win, balance, dice, seed: round.seed! };
}

function expectResult(result: Result, placedId: string, truth: Awaited<ReturnType<typeof expectAgreement>>) {
  const { win, balance, dice, seed } = truth;
  const { mine, opencode, one, two, sum } = result;
  expect([opencode, result.seed]).toEqual([dice, seed]);
  expect([isWon(one!, dice), isWon(two!, dice), isWon(String(sum), dice)]).toEqual([true, true, true]);
  expect(mine!.orders.map(({ id, win }) => [id, cents(win)])).toEqual([[placedId, win]]);
  expect([cents(mine!.win), cents(mine!.money), mine!.version]).toEqual([win, balance, 3]);
}

describe("the main story", () => {
  it("goes from an invite to a win that anyone can recompute", async () => {
    server = await ServerProcess.start({ speed: 4 });
    const { member, line, order } = await toppedUp("story_1");
    const guest = connect(new Client(server.address));
    await guest.until("hello");
    await guest.watch(key);
    await line.watch(key);
    const { expect: name, commit } = await member.openRound(key, 4_000);
    expect(await line.until("lottery:countdown", (answered) => answered.expect === name)).toMatchObject({
      key,
      commit,
    });
    expect((await member.must(fairRound, { key, expect: name })).seed).toBeNull();

    const bet = { item: ITEM, money: String(STAKE), lid: "lot_1", mid: "", expect: name };
    const placed = await member.must(placeOrder, bet);
    expect(placed).toMatchObject({ expect: name, total: `${TOTAL}.00`, balance: `${TOP_UP - TOTAL}.00` });
    const taken = await line.until("balance:change", ({ version }) => version === 2);
    expect(taken).toMatchObject({ money: `${TOP_UP - TOTAL}.00`, delta: `-${TOTAL}.00`, type: "stake" });
    expect((await member.must(gameList))[0]).toMatchObject({ id: placed.id, status: 0, opencode: null, win: null });

    const result = await line.until("lottery:result", (answered) => answered.expect === name);
    const truth = await expectAgreement(member, placed, commit, order);
    expectResult(result, placed.id, truth);
    const seen = await guest.until("lottery:result", (answered) => answered.expect === name);
    expect([seen.opencode, seen.mine]).toEqual([truth.dice, undefined]);
    // One packet has the whole result: no other follows for the same credit.
    expect(line.all("balance:change")).toHaveLength(2);
    expect(line.all("lottery:result").filter((answered) => answered.expect === name)).toHaveLength(1);
  });

  it("loses nothing when the server is killed while betting is open", async () => {
    server = await ServerProcess.start();
    const { member, line, order } = await toppedUp("story_2");
    const { expect: name, commit } = await member.openRound(key, 6_300);
    const bet = { item: ITEM, money: String(STAKE), lid: "lot_1", mid: "", expect: name };
    const placed = await member.must(placeOrder, bet, "the-bet");
    await server.kill();
    await line.until("disconnect");
    await server.start();
    await eventually(async () => expect(line.all("hello")).toHaveLength(2));
    const watched = await line.watch(key);
    expect([watched.next_expect, watched.commit]).toEqual([name, commit]);
    expect(await member.must(placeOrder, bet, "the-bet")).toEqual(placed);
    const [first, second] = line.all("hello");
    expect(second!.epoch).toBe(first!.epoch);

    const result = await line.until("lottery:result", (answered) => answered.expect === name);
    expectResult(result, placed.id, await expectAgreement(member, placed, commit, order));
  });

  it("draws a round from its committed seed though the server was down when it was due", async () => {
    server = await ServerProcess.start({ speed: 4 });
    const { member, line, order } = await toppedUp("story_3");
    const { expect: name, commit, drawMs } = await member.openRound(key, 4_000);
    const bet = { item: ITEM, money: String(STAKE), lid: "lot_1", mid: "", expect: name };
    const placed = await member.must(placeOrder, bet);
    await server.kill();
    await eventually(async () => expect(server.clock.now()).toBeGreaterThan(drawMs + 1_000));
    await server.start();
    await eventually(async () => {
      await line.watch(key);
      expect((await member.must(moneyLog)).count).toBe(3);
    });
    await expectAgreement(member, placed, commit, order);
  });
});
