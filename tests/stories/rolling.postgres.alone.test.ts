import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Balancer } from "../support/balancer.ts";
import { Client, type TestSocket } from "../support/client.ts";
import { byLength } from "../support/length.ts";
import { cents } from "../support/recompute.ts";
import { ServerProcess, TEN_SECONDS } from "../support/server-process.ts";
import { houseFaults, readBooks, walletFaults } from "./crash-books.ts";
import { Load } from "./crash-load.ts";

const PROCESSES = byLength(2, 3);
const MEMBERS = 6;
/** No process here falls silent. One that answers late has a busy machine. */
const PATIENCE_MS = 60_000;

let servers: ServerProcess[];
let balancer: Balancer;
let members: Client[];
let lines: TestSocket[];
let load: Load;
/** Whether a process is stopped, and not there again. */
let isReplacing = false;
/** For each connection that came back: whether the process that it lost was still away. */
const back: boolean[] = [];

beforeAll(async () => {
  // Behind a proxy, a server reports that it is draining before it exits.
  const env = { TRUST_PROXY: "loopback" };
  const first = await ServerProcess.start({ env });
  servers = [first];
  while (servers.length < PROCESSES) servers.push(await ServerProcess.start({ env, sameDatabaseAs: first }));
  balancer = await Balancer.before(
    servers.map(({ address }) => address),
    PATIENCE_MS,
  );
  const names = Array.from({ length: MEMBERS }, (_, i) => `rolling_${i}`);
  members = await Promise.all(names.map((name) => new Client(balancer.address).register(name)));
  lines = members.map((member) => member.connect());
  for (const line of lines) await line.until("connect");
  for (const { socket } of lines) socket.on("connect", () => back.push(isReplacing));
  load = new Load(members, TEN_SECONDS.key, async () => {});
  await Promise.all(members.map((_, i) => load.topUp(i, 5_000, "first")));
  load.start();
  for (const server of servers) {
    isReplacing = true;
    await server.signal("SIGTERM");
    await server.start();
    isReplacing = false;
    await balancer.untilAllReady();
  }
  await load.stop();
});
afterAll(async () => {
  for (const { socket } of lines) socket.close();
  await balancer.close();
  for (const server of servers.toReversed()) await server.close();
});

describe("processes replaced one by one under load", () => {
  it("fail no bet", async () => {
    expect(load.oddities).toEqual([]);
    expect(load.unanswered).toBe(0);
    expect(load.bets.length).toBeGreaterThan(50);
    const books = await readBooks(servers[0]!.database);
    const answered = load.bets.map(({ id, total, balance }) => [id, [cents(total), cents(balance)]] as const);
    expect(new Map(books.bets.map(({ id, total, balance }) => [`bet_${id}`, [total, balance]]))).toEqual(
      new Map(answered),
    );
    expect([...walletFaults(books), ...houseFaults(books)]).toEqual([]);
  });

  it("have each client back on another process, before its own is replaced", () => {
    expect(back.length).toBeGreaterThanOrEqual(MEMBERS);
    expect(back).not.toContain(false);
    expect(lines.every(({ socket }) => socket.connected)).toBe(true);
  });

  it("exit by themselves, and log no error", () => {
    const logged = servers.flatMap((server) => server.logged).filter((line) => /"level":[456]0/.test(line));
    expect(logged).toEqual([]);
  });
});
