import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fairRound } from "#shared/contract/fair.ts";
import { Balancer } from "../support/balancer.ts";
import { withConnection } from "../support/own-connection.ts";
import { Client, eventually } from "../support/client.ts";
import { cents, dicer, faultsOf } from "../support/recompute.ts";
import { ServerProcess, TEN_SECONDS } from "../support/server-process.ts";
import { calendarFaults, houseFaults, readBooks, walletFaults, type Books } from "./crash-books.ts";
import { Load } from "./crash-load.ts";

const ROUNDS = 20;
const SPEED = 6;
const MEMBERS = 6;
const PER_DAY = 86_400 / TEN_SECONDS.periodS;
/** Between two blows, in ms of real time. */
const BLOW_EVERY_MS = 1_000;
const FROZEN_MS = 3_000;
/** So many bets are placed from one turn to the next, however busy the machine is. */
const BETS_A_TURN = 25;
/** The least number of blows of each kind. */
const TURNS = 8;
/** How long they may take to be placed. */
const PATIENCE_MS = 180_000;

let servers: ServerProcess[];
let balancer: Balancer;
let members: Client[];
let load: Load;
let books: Books;
const blows = { killed: 0, frozen: 0, restarted: 0 };

beforeAll(async () => {
  const first = await ServerProcess.start({ speed: SPEED });
  servers = [first, ...(await Promise.all([1, 2].map(() => ServerProcess.start({ sameDatabaseAs: first }))))];
  balancer = await Balancer.before(servers.map(({ address }) => address));
  const names = Array.from({ length: MEMBERS }, (_, i) => `many_${i}`);
  members = await Promise.all(names.map((name) => new Client(balancer.address).register(name)));
  load = new Load(members, TEN_SECONDS.key, () => balancer.untilAnyReady());
  await Promise.all(members.map((_, i) => load.topUp(i, 20_000, "first")));
  load.start();
  await strikeUntil(first.clock.now() + ROUNDS * TEN_SECONDS.periodS * 1_000);
  await load.stop();
  await eventually(async () => {
    books = await readBooks(first.database);
    const last = books.bets.at(-1)!.round;
    const open = books.rounds.filter((round) => round.id <= last && round.indexedAt === null);
    if (open.length) throw new Error(`${open.length} rounds are not settled`);
  });
}, 1_200_000);
afterAll(async () => {
  await balancer.close();
  for (const server of servers.toReversed()) await server.close();
});

/** Kills one process, freezes one and restarts one, again and again; each time another one is spared. */
async function strikeUntil(endMs: number): Promise<void> {
  const random = dicer(20_260_302);
  const { clock } = servers[0]!;
  for (let turn = 0; turn < TURNS || clock.now() < endMs; turn++) {
    const before = load.bets.length;
    const [victim, other] = [servers[turn % 3]!, servers[(turn + 1) % 3]!];
    const strikes = [kill(victim), freeze(other)];
    await Promise.all(strikes);
    await sleep(random() * BLOW_EVERY_MS);
    await restart(servers[(turn + 2) % 3]!);
    await sleep(random() * BLOW_EVERY_MS);
    await eventually(async () => {
      const placed = load.bets.length - before;
      if (placed < BETS_A_TURN) throw new Error(`only ${placed} bets were placed in turn ${turn}`);
    }, PATIENCE_MS);
  }
  await balancer.untilAllReady();
}

async function kill(server: ServerProcess): Promise<void> {
  await server.kill();
  await server.start();
  blows.killed++;
}

async function freeze(server: ServerProcess): Promise<void> {
  server.send("SIGSTOP");
  await sleep(FROZEN_MS);
  server.send("SIGCONT");
  blows.frozen++;
}

async function restart(server: ServerProcess): Promise<void> {
  await server.signal("SIGTERM");
  await server.start();
  blows.restarted++;
}

describe("three processes that are killed, frozen and restarted again and again", () => {
  it("go on playing, and give no unexplained answer", () => {
    expect(Math.min(...Object.values(blows))).toBeGreaterThanOrEqual(TURNS);
    expect(load.oddities).toEqual([]);
    const failures = servers.flatMap(({ logged }) => logged).filter((line) => /"level":[56]0/.test(line));
    expect(failures).toEqual([]);
  });

  it("neither lose nor double an acknowledged bet", () => {
    const answered = load.bets.map(({ id, total, balance }) => [id, cents(total), cents(balance)] as const);
    const stored = new Map(books.bets.map(({ id, total, balance }) => [`bet_${id}`, [total, balance]]));
    expect(stored).toEqual(new Map(answered.map(([id, total, balance]) => [id, [total, balance]])));
  });

  it("accept no bet after a round's closing", () => {
    const rounds = new Map(books.rounds.map((round) => [round.id, round]));
    const late = books.bets.filter(({ id, round, at }) => {
      const { closesAt, closedAt, fromBet, toBet } = rounds.get(round)!;
      return at >= closesAt || at > closedAt! || id < fromBet || id > toBet!;
    });
    expect(late).toEqual([]);
  });

  it("open, close, draw and settle every round once, from its committed seed", async () => {
    const drawn = await withConnection(servers[0]!.database, (connection) =>
      connection.all<{ topic: string; round: string; count: number }>(
        `select topic, payload->>'roundId' as round, count(*) as count from outbox
         where topic like 'round.%' group by 1, 2 having count(*) <> 1`,
      ),
    );
    expect(drawn).toEqual([]);
    const settled = books.rounds.filter(({ indexedAt }) => indexedAt !== null);
    expect(settled.length).toBeGreaterThanOrEqual(ROUNDS - 2);
    for (const { number } of settled) {
      const name = `20260302-${String(number).padStart(4, "0")}`;
      const round = await members[0]!.must(fairRound, { key: TEN_SECONDS.key, expect: name });
      expect(faultsOf(round)).toEqual([]);
    }
    expect(calendarFaults(books, PER_DAY)).toEqual([]);
  });

  it("leave books that add up, also for the operator's audit", async () => {
    expect(walletFaults(books)).toEqual([]);
    expect(houseFaults(books)).toEqual([]);
    const { code, out } = await servers[0]!.run("server/admin/main.ts", "audit", "--json");
    expect(JSON.parse(out)).toMatchObject({ problems: [] });
    expect(code).toBe(0);
  });
});
