import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { getUserInfo } from "#shared/contract/session.ts";
import { Client, eventually, type TestSocket } from "../support/client.ts";
import { canFail, DiskFault, type Fault } from "../support/disk-fault.ts";
import { byLength } from "../support/length.ts";
import { ServerProcess } from "../support/server-process.ts";
import { BetLog } from "./bet-log.ts";

const WITHOUT = canFail ? "" : " (SKIPPED: there is no strace on this machine; Debian's package strace has it)";
if (WITHOUT) console.warn(`No disk was made to fail${WITHOUT}.`);

/** One round stays open for a whole test. */
const LONG_ROUND = { key: "k3-1h", name: "One hour", periodS: 3_600, closeS: 3 };
const MONEY = 10_000;

/** The reason that sockets and the load balancer get for each fault. */
const REASONS = { full: "full", readonly: "readonly", sync: "failing", read: "failing" } as const;

/** The faults during which the server is also killed. */
const KILLED: Fault[] = byLength(["full", "sync"], ["full", "readonly", "sync", "read"]);

let server: ServerProcess;
let mia: Client;
let line: TestSocket;
let fault: DiskFault | null = null;
afterEach(async () => {
  await fault?.end();
  fault = null;
  line.close();
  await server.close();
});

async function open(): Promise<BetLog> {
  server = await ServerProcess.start({ games: [LONG_ROUND] });
  mia = await new Client(server.address).register("mia_1");
  await mia.topUp(MONEY);
  line = mia.connect();
  await line.until("hello");
  const { expect: round } = await mia.openRound(LONG_ROUND.key);
  return new BetLog(mia, round);
}

const ready = async () => {
  const response = await fetch(`${server.address}/readyz`);
  return { status: response.status, body: await response.json() };
};
const lives = async () => (await fetch(`${server.address}/healthz`)).status;
const writable = async () => {
  const output = await (await fetch(`${server.address}/metrics`)).text();
  return /^trio_database_writable (\d)$/m.exec(output)?.[1];
};

const walBytes = () => statSync(`${server.database}-wal`).size;

/** Members bet while the disk fails, until the server notices. */
async function fail(kind: Fault, bets: BetLog): Promise<void> {
  fault = await DiskFault.begin(server, kind);
  await eventually(async () => {
    await bets.placeSome();
    await bets.placeSome();
    if (line.all("server:away").length === 0) throw new Error("nobody was told");
  });
  await bets.placeSome();
}

/** Every answered bet is stored as it was answered, and the money adds up. */
async function expectBooks(bets: BetLog): Promise<void> {
  for (const bet of bets.unknown()) await bets.again(bet);
  const raw = new Sqlite(server.database, { readonly: true });
  const stored = raw.prepare("select key from bet_keys where key like 'bet-%' order by key").pluck().all();
  raw.close();
  expect(stored).toEqual(bets.taken().toSorted());
  const { money } = await mia.must(getUserInfo);
  expect(Number(money)).toBe(MONEY - bets.taken().length);
  const { code, out } = await server.run("server/admin/main.ts", "audit", "--json");
  expect([code, JSON.parse(out)]).toMatchObject([0, { ok: true, orders: stored.length }]);
}

/**
 * Meanwhile new visitors connect, learn of the fault and can read. A disk that cannot be read is no reason for a 500.
 */
async function expectReads(kind: keyof typeof REASONS): Promise<void> {
  const answer = await mia.ask(getUserInfo);
  expect(kind === "read" ? [200, 503] : [200]).toContain(answer.code);
  if (kind === "read") return;
  const late = mia.connect();
  await late.until("server:away", ({ reason }) => reason === REASONS[kind]);
  late.close();
}

/** The log tells the operator of the fault and its end, in nothing above a warning. */
function loggedMessages(): string[] {
  const lines = server.logged
    .join("")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { level: number; msg: string });
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  return lines.map(({ msg }) => msg).filter((msg) => msg.startsWith("the database is"));
}

describe.skipIf(!canFail).each(["full", "readonly", "sync", "read"] as const)(
  `a disk with a fault: %s${WITHOUT}`,
  (kind) => {
    it("is reported by its kind; no bet is accepted that is not stored, and service resumes afterwards", async () => {
      const bets = await open();
      await bets.placeSome();
      const before = walBytes();
      await fail(kind, bets);
      const answered = { reason: REASONS[kind], retry_after_s: 1 };
      expect(line.all("server:away")[0]).toEqual(answered);
      expect(await ready()).toEqual({ status: 503, body: { ready: false, reason: REASONS[kind] } });
      expect([await lives(), await writable()]).toEqual([200, "0"]);
      expect(await bets.place()).toBe("server.away");
      await expectReads(kind);
      // Long enough for probes, and for other writers that try to take over.
      await sleep(1_500);
      expect([fault!.acts, line.all("server:back"), await bets.place()]).toEqual([true, [], "server.away"]);

      await fault!.end();
      fault = null;
      await line.until("server:back");
      // A failed connection is not used again, and the next one begins with an empty WAL. Only a reader may have
      // failed.
      const isAnew = walBytes() < before;
      expect(kind === "read" || isAnew).toBe(kind !== "full");
      expect(await bets.place()).toBe("taken");
      expect([(await ready()).status, await writable()]).toEqual([200, "1"]);
      expect(bets.oddities).toEqual([]);
      // Where the first write that failed was a bet's own, nobody knows what became of it; it may have been a job's.
      expect(kind === "read" ? bets.unknown() : []).toEqual([]);
      expect(line.all("disconnect")).toEqual([]);
      expect(loggedMessages()).toEqual(["the database is away", "the database is back"]);
      await expectBooks(bets);
    });
  },
);

describe.skipIf(!canFail).each(KILLED)(`a disk with a fault, and a kill: %s${WITHOUT}`, (kind) => {
  it("loses and doubles nothing when the server is killed meanwhile", async () => {
    const bets = await open();
    await bets.placeSome();
    await fail(kind, bets);
    await server.kill();
    await fault!.end();
    fault = null;
    await server.start();
    await expectBooks(bets);
    expect(await bets.place()).toBe("taken");
    expect(bets.oddities).toEqual([]);
  });
});
