import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { doLogin } from "#shared/contract/session.ts";
import { lotteryInfo } from "#shared/contract/lottery.ts";
import { DEMO_MEMBERS } from "#db/demo/demo.ts";
import { withConnection } from "../support/own-connection.ts";
import { BusyCallers } from "../support/busy-callers.ts";
import { Client, eventually } from "../support/client.ts";
import { byLength } from "../support/length.ts";
import { program } from "../support/program.ts";
import { WholeProgram, type Reach } from "../support/whole-program.ts";

/** How often a server is left each way, by SIGTERM and SIGINT in turn. */
const TIMES = byLength(1, 20);
/** How much later each start is interrupted than the one before. */
const STEP_MS = byLength(1_200, 100);
const SIGNALS = ["SIGTERM", "SIGINT"] as const;
/** A five-minute round stays open for longer than the callers bet on it. */
const GAME = "k3-5m";

const PATIENCE = { timeout: 60_000 + TIMES * 60_000 };

let folder: string;
let database: string;
/** Behind a proxy it is random, and said once. */
let password: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trio-leaving-"));
  database = join(folder, "trio.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

async function storedBets(): Promise<string[]> {
  const stored = await withConnection(database, ({ all }) => all<{ id: number }>("select id from bets"));
  return stored.map(({ id }) => `bet_${id}`);
}

/** Starts the program, keeps forty callers busy, sends the signal and counts what broke. */
async function leaveUnderLoad(reach: Reach, env: Record<string, string>, signal: NodeJS.Signals, bets: number) {
  const started = await WholeProgram.start(reach, { DATA_DIR: folder, DEMO: "1", RATE_LIMIT: "off", ...env });
  try {
    const before = new Set(await storedBets());
    password = started.password ?? password;
    const { token } = await new Client(started.address).must(doLogin, { username: "demo", password });
    const member = new Client(started.address, token);
    const { expect: round } = await member.openRound(GAME, 30_000);
    const { id } = await member.must(lotteryInfo, { key: GAME });
    const callers = new BusyCallers(started.address, token, { item: "A", money: "1", lid: id, mid: "", expect: round });
    await eventually(async () => expect(callers.bets.size).toBeGreaterThan(bets));
    const left = await started.leave(signal);
    await callers.gone();
    const unanswered = (await storedBets()).filter((bet) => !before.has(bet) && !callers.bets.has(bet));
    return { ...left, cut: callers.cut, unanswered };
  } finally {
    await started.close();
  }
}

/** Far longer than a drain takes, on the busiest machine; a server that hangs is found by it all the same. */
const LONGEST_S = 30;

describe.each<[string, Record<string, string>, Reach[]]>([
  ["without a proxy", {}, byLength(["process"], ["process", "group"])],
  ["behind a proxy", { TRUST_PROXY: "127.0.0.1" }, byLength(["group"], ["process", "group"])],
])("a server that gets a signal under forty busy connections, %s", (_where, env, reached) => {
  it.each(reached)("cuts off no call and leaves no bet unanswered: the %s", PATIENCE, async (reach) => {
    for (let i = 0; i < TIMES; i++) {
      const left = await leaveUnderLoad(reach, env, SIGNALS[(i + Number(reach === "group")) % 2]!, 40 + 170 * (i % 2));
      expect(left).toMatchObject({ code: 0, signal: null, cut: [], unanswered: [] });
      expect(left.seconds).toBeLessThan(LONGEST_S);
    }
  });
});

describe("a server that gets a signal while it starts", () => {
  it("exits, and does not hinder the next start", PATIENCE, async () => {
    for (let delay = 100; delay <= 2_500; delay += STEP_MS) {
      const started = await WholeProgram.launch("process", { DATA_DIR: folder, DEMO: "1" });
      await sleep(delay);
      const { seconds } = await started.leave(SIGNALS[Math.floor(delay / STEP_MS) % 2]!);
      expect(seconds).toBeLessThan(LONGEST_S);
    }
    const started = await WholeProgram.start("process", { DATA_DIR: folder, DEMO: "1" });
    const { username, password: known } = DEMO_MEMBERS[0]!;
    await new Client(started.address).must(doLogin, { username, password: known });
    expect(await started.leave("SIGTERM")).toMatchObject({ code: 0, signal: null });
    const { status, stdout } = spawnSync(process.execPath, [...program("server/admin/main.ts"), "audit"], {
      env: { DATA_DIR: folder },
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining("Everything agrees")]);
  });
});
