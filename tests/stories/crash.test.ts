import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fairRound } from "#shared/contract/fair.ts";
import { lotteryOdds, placeOrder } from "#shared/contract/lottery.ts";
import { rechargeList } from "#shared/contract/payments.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { moneyLog } from "#shared/contract/wallet.ts";
import { Client, eventually } from "../support/client.ts";
import { cents, dicer, faultsOf, oddsByType, winOf } from "../support/recompute.ts";
import { ENGINE } from "../support/databases.ts";
import { byLength } from "../support/length.ts";
import { ServerProcess, TEN_SECONDS } from "../support/server-process.ts";
import { calendarFaults, houseFaults, readBooks, walletFaults, type Books } from "./crash-books.ts";
import { Load, type AcknowledgedBet } from "./crash-load.ts";

/** Fewer on PostgreSQL: `many-processes` kills there too. */
const KILLS = byLength(6, ENGINE === "sqlite" ? 200 : 30);
const SEED = 20_260_302;
const MEMBERS = 8;
const PER_DAY = 86_400 / TEN_SECONDS.periodS;
const { key: gameKey } = TEN_SECONDS;

let server: ServerProcess;
let members: Client[];
let load: Load;
let books: Books;
/** What each acknowledged bet wins by public data, by its id. */
const wins = new Map<string, number>();

/** How long the members may take for enough rounds, bets and payments. */
const PATIENCE_MS = 300_000;

/** Ten seconds of its clock take two: rounds open, close, are drawn and settled while the server dies. */
beforeAll(async () => {
  server = await ServerProcess.start({ speed: 5 });
  const names = Array.from({ length: MEMBERS }, (_, i) => `crash_${i}`);
  members = await Promise.all(names.map((name) => new Client(server.address).register(name)));
  load = new Load(members, gameKey, () => server.listening());
  await Promise.all(members.map((_, i) => load.topUp(i, 20_000, "first")));
  load.start();
  await killAgainAndAgain();
  // On a busy machine few rounds open between the kills.
  await eventually(async () => {
    const [rounds, bets, payments] = [load.commits.size, load.bets.length, load.payments.length];
    const bettors = new Set(load.bets.map(({ member }) => member)).size;
    if (rounds <= 1 + KILLS / 5 || bets <= 2 * KILLS || payments <= KILLS || bettors < MEMBERS) {
      throw new Error(`only ${rounds} rounds, ${bets} bets of ${bettors} members and ${payments} payments were seen`);
    }
  }, PATIENCE_MS);
  await load.stop();
  await eventually(async () => {
    books = await readBooks(server.database);
    const last = books.bets.at(-1)!.round;
    const open = books.rounds.filter((round) => round.id <= last && round.indexedAt === null);
    if (open.length) throw new Error(`${open.length} rounds are not settled`);
  });
  const odds = oddsByType(await members[0]!.must(lotteryOdds, { id: "lot_1" }));
  const dice = new Map<string, readonly number[]>();
  for (const name of new Set(load.bets.map(({ input }) => input.expect!))) {
    dice.set(name, (await members[0]!.must(fairRound, { key: gameKey, expect: name })).opencode!);
  }
  for (const { id, input } of load.bets) {
    wins.set(id, winOf(input.item!, Number(input.money), odds, dice.get(input.expect!)!));
  }
}, 1_200_000);
afterAll(() => server.close());

/** Kills it at work and, now and then, while it is still starting up. */
async function killAgainAndAgain(): Promise<void> {
  const random = dicer(SEED);
  /** How long the last start took; on a busy machine the server gets more time for its work, too. */
  let startMs = 1_000;
  for (let kills = 0; kills < KILLS;) {
    await sleep(random() * Math.max(900, startMs));
    await server.kill();
    kills++;
    if (random() < 0.4 && kills < KILLS) {
      server.launch();
      await sleep(random() * startMs);
      await server.kill();
      kills++;
    }
    const from = performance.now();
    await server.start();
    startMs = performance.now() - from;
  }
}

const roundOf = (name: string) => books.rounds.find(({ number }) => number === Number(name.slice(9)))!;
const betsOf = (member: number) => load.bets.filter((bet) => bet.member === member);
const winOfBets = (bets: AcknowledgedBet[]) => bets.reduce((sum, { id }) => sum + wins.get(id)!, 0);

/** A member's expected money, from their answers and public data. */
function owed(member: number): number {
  const paid = load.payments.filter((payment) => payment.member === member && payment.paid);
  const staked = betsOf(member).reduce((sum, { total }) => sum + cents(total), 0);
  return paid.reduce((sum, { units }) => sum + units * 100, 0) - staked + winOfBets(betsOf(member));
}

async function readWholeLog(member: Client) {
  const rows = [];
  for (let page = 1; ; page++) {
    const { list, count } = await member.must(moneyLog, { page: String(page), limit: "50" });
    rows.push(...list);
    if (list.length < 50) return { rows, count };
  }
}

describe(`${KILLS} kills at random moments under load`, () => {
  it("give no answer that nothing explains", () => {
    expect(load.oddities.join("\n")).toBe("");
    expect(load.unanswered).toBeGreaterThan(KILLS);
    expect(load.bets.length).toBeGreaterThan(2 * KILLS);
    expect(load.payments.length).toBeGreaterThan(KILLS);
    const failures = server.logged.filter((line) => /"level":[56]0/.test(line));
    expect(failures).toEqual([]);
  });

  it("neither lose nor double an acknowledged bet", () => {
    const answered = load.bets.map(({ id, total, balance }) => [id, cents(total), cents(balance)] as const);
    expect(new Set(answered.map(([id]) => id)).size).toBe(load.bets.length);
    const stored = new Map(books.bets.map(({ id, total, balance }) => [`bet_${id}`, [total, balance]]));
    expect(stored).toEqual(new Map(answered.map(([id, total, balance]) => [id, [total, balance]])));
  });

  it("neither lose nor double an acknowledged payment, and credit none that was not made", async () => {
    const answered = load.payments.map(({ order, paid }) => [order, { paid, credits: paid ? 1 : 0 }] as const);
    const stored = books.deposits.map(
      ({ order, status, credits }) => [order, { paid: status === "paid", credits }] as const,
    );
    expect(new Map(stored)).toEqual(new Map(answered));
    expect(stored).toHaveLength(answered.length);
    const [newest] = await members[0]!.must(rechargeList, { limit: "1" });
    expect(answered.map(([order]) => order)).toContain(newest!.id);
  });

  it("return the same answer to a repeated idempotency key", async () => {
    const random = dicer(SEED + 1);
    for (let i = 0; i < 100; i++) {
      const { member, key, input, id, total, balance, receipt } = load.bets[Math.floor(random() * load.bets.length)]!;
      const again = await members[member]!.must(placeOrder, input, key);
      expect(again).toEqual({ id, expect: input.expect, total, balance, receipt });
    }
    expect((await readBooks(server.database)).bets).toHaveLength(books.bets.length);
  });

  it("leave every closed round drawn from its committed seed", async () => {
    const closed = books.rounds.filter(({ closedAt, indexedAt }) => closedAt !== null && indexedAt !== null);
    expect(closed.length).toBeGreaterThan(KILLS / 5);
    const names = closed.map(({ number }) => `20260302-${String(number).padStart(4, "0")}`);
    const commits = new Map<string, string>();
    for (const name of names) {
      const round = await members[0]!.must(fairRound, { key: gameKey, expect: name });
      expect(faultsOf(round)).toEqual([]);
      commits.set(name, round.commit!);
    }
    const shown = [...load.commits].filter(([name]) => commits.has(name));
    expect(shown.length).toBeGreaterThan(KILLS / 5);
    expect(shown.filter(([name, commit]) => commits.get(name) !== commit)).toEqual([]);
  });

  it("leave no round out, unless a gap records it", () => {
    expect(calendarFaults(books, PER_DAY)).toEqual([]);
  });

  it("accept no bet after a round's closing", () => {
    const rounds = new Map(books.rounds.map((round) => [round.id, round]));
    const late = books.bets.filter(({ id, round, at }) => {
      const { closesAt, fromBet, toBet } = rounds.get(round)!;
      return at >= closesAt || id < fromBet || id > toBet!;
    });
    expect(late).toEqual([]);
  });

  it("pay every win once", () => {
    const owedTo = new Map<string, number>();
    for (const { member, id, input } of load.bets) {
      const payout = `${roundOf(input.expect!).id} ${member}`;
      owedTo.set(payout, (owedTo.get(payout) ?? 0) + wins.get(id)!);
    }
    const memberIds = books.wallets.map(({ member }) => member).sort((a, b) => a - b);
    const indexOf = new Map(
      load.bets.map(({ member, id }) => [books.bets.find((bet) => `bet_${bet.id}` === id)!.member, member]),
    );
    expect(indexOf.size).toBe(memberIds.length);
    const paid = new Map(books.payouts.map(({ round, member, amount }) => [`${round} ${indexOf.get(member)}`, amount]));
    expect(paid).toEqual(new Map([...owedTo].filter(([, win]) => win > 0)));
    expect(paid.size).toBe(books.payouts.length);
  });

  it("leave in each wallet what its member is owed", async () => {
    expect(walletFaults(books)).toEqual([]);
    expect(houseFaults(books)).toEqual([]);
    for (const [i, member] of members.entries()) {
      const { rows, count } = await readWholeLog(member);
      expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: count }, (_, n) => count - n));
      expect(rows.reduce((sum, { money }) => sum + cents(money), 0)).toBe(owed(i));
      expect([cents(rows[0]!.balance), cents((await member.must(getUserInfo)).money)]).toEqual([owed(i), owed(i)]);
    }
  });

  it("leave nothing for the audit to find", async () => {
    expect(await server.signal("SIGTERM")).toEqual({ code: 0, signal: null });
    const { code, out } = await server.run("server/admin/main.ts", "audit", "--json");
    const found = { ok: true, problems: [], members: MEMBERS, orders: books.bets.length, ledger_sum: 0 };
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining(found)]);
  });
});
