import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fairRound } from "#shared/contract/fair.ts";
import { gameList, lotteryOdds, placeOrder } from "#shared/contract/lottery.ts";
import { withConnection } from "../support/own-connection.ts";
import { Client, eventually, isDone } from "../support/client.ts";
import { cents, dicer, faultsOf, oddsByType, winOf } from "../support/recompute.ts";
import { byLength } from "../support/length.ts";
import { ServerProcess, TEN_SECONDS } from "../support/server-process.ts";

const { key } = TEN_SECONDS;
const MEMBERS = 8;
const CONNECTIONS = 40;
/** A connection pauses so long between two bets at most. */
const PAUSE_MS = 40;
/** From this long before the closing moment, bets come without an end. */
const BEFORE_MS = 300;
/** Left of the round for the first bet of each connection. */
const LEFT_MS = 5_000;
/** A connection ends once so many of its bets were refused. */
const REFUSALS = 3;
const TYPES = ["A", "B", "C", "D", "9", "10", "11", "12"];

let server: ServerProcess;
let members: Client[];

beforeAll(async () => {
  server = await ServerProcess.start();
  const names = Array.from({ length: MEMBERS }, (_, i) => `closing_${i}`);
  members = await Promise.all(names.map((name) => new Client(server.address).register(name)));
  await Promise.all(members.map((member) => member.topUp(1_000_000)));
});
afterAll(() => server.close());

interface Sent {
  id: string | null;
  item: string;
  reason: string | undefined;
}

interface BetRow {
  id: number;
  round: number;
  total: number;
  created_at: number;
}

/** One connection's bets: one at once, and many around the closing moment, until some of them are refused. */
async function betAround(closeMs: number, expect: string, connection: number): Promise<Sent[]> {
  const random = dicer(connection + 1);
  const member = members[connection % MEMBERS]!;
  const sent: Sent[] = [];
  while (sent.filter(({ id }) => id === null).length < REFUSALS) {
    const early = sent.length > 0 ? closeMs - BEFORE_MS - server.clock.now() : 0;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, early) + random() * PAUSE_MS));
    const item = TYPES[Math.floor(random() * TYPES.length)]!;
    const answer = await member.ask(placeOrder, { item, money: "100", lid: "lot_1", mid: "", expect });
    const id = isDone(answer) ? answer.data.id : null;
    sent.push({ id, item, reason: isDone(answer) ? undefined : answer.data?.reason });
  }
  return sent;
}

const readDatabase = (name: string) =>
  withConnection(server.database, async ({ all }) => {
    const [round] = await all<Record<string, number>>(
      `select id, closes_at, closed_at, from_bet, to_bet, settled_at, bet_count, staked, paid from rounds
       where number = ?`,
      Number(name.slice(9)),
    );
    const bets = await all<BetRow>(
      "select id, round_id as round, total, created_at from bets where round_id = ? order by id",
      round!.id,
    );
    const paid = await all<{ amount: number }>("select amount from payouts where round_id = ?", round!.id);
    return { round: round!, bets, paid: paid.reduce((sum, { amount }) => sum + amount, 0) };
  });

describe("the closing moment", () => {
  it.each(byLength([1], [1, 2]))("accepts no bet after the round's closing, time %i", async () => {
    const { expect: name, closeMs } = await members[0]!.openRound(key, LEFT_MS);
    const connections = Array.from({ length: CONNECTIONS }, (_, i) => betAround(closeMs, name, i));
    const sent = (await Promise.all(connections)).flat();
    const accepted = sent.filter(({ id }) => id !== null);
    const refused = sent.filter(({ id }) => id === null);
    expect(accepted.length).toBeGreaterThanOrEqual(CONNECTIONS);
    expect(refused).toHaveLength(CONNECTIONS * REFUSALS);
    expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(["round.closed"]));

    await eventually(async () => expect((await readDatabase(name)).round.settled_at).not.toBeNull());
    const { round, bets, paid } = await readDatabase(name);
    expect(round.closes_at).toBe(closeMs);
    expect(round.closed_at).toBeGreaterThanOrEqual(closeMs);
    expect(bets.filter(({ created_at }) => created_at >= closeMs)).toEqual([]);
    expect(bets.filter(({ id }) => id < round.from_bet! || id > round.to_bet!)).toEqual([]);
    // The database has exactly the bets that were accepted.
    expect(bets).toHaveLength(accepted.length);
    expect(new Set(bets.map(({ id }) => `bet_${id}`))).toEqual(new Set(accepted.map(({ id }) => id)));

    const fair = await members[0]!.must(fairRound, { key, expect: name });
    expect(faultsOf(fair)).toEqual([]);
    const odds = oddsByType(await members[0]!.must(lotteryOdds, { id: "lot_1" }));
    const wins = new Map(accepted.map(({ id, item }) => [id!, winOf(item, 100, odds, fair.opencode!)]));
    const won = [...wins.values()].reduce((sum, win) => sum + win, 0);
    expect([round.bet_count, round.staked, round.paid, paid]).toEqual([
      accepted.length,
      accepted.length * 10_000,
      won,
      won,
    ]);
    await expectSettled(wins);
  });
});

/** Each member's own list shows what every accepted bet won. */
async function expectSettled(wins: Map<string, number>): Promise<void> {
  const answered = new Map<string, number>();
  for (const member of members) {
    for (let page = 1; ; page++) {
      const orders = await member.must(gameList, { page: String(page), limit: "50" });
      for (const { id, status, win } of orders) if (wins.has(id) && status !== 0) answered.set(id, cents(win!));
      if (orders.length < 50) break;
    }
  }
  expect(answered).toEqual(wins);
}
