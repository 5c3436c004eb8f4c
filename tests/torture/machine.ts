import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ENGINE } from "../support/databases.ts";
import { canFail, DiskFault, type Fault } from "../support/disk-fault.ts";
import { dicer } from "../support/recompute.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { judge, settled, type Report } from "./judge.ts";
import { Again } from "./again.ts";
import { openSite } from "./play.ts";

export interface MachinePlan {
  seed: number;
  minutes: number;
  say: (line: string) => void;
}

const LONGEST_MS = 4_000;
/** What the log may say of it: work that was tried again. The operator has to know. */
const SAID = /"code":"EMFILE"|out of memory/;

/** Sets what a running process may have of a resource at most, in prlimit's words. */
function limit({ launched }: ServerProcess, resource: string): void {
  const { status, stderr } = spawnSync("prlimit", ["--pid", String(launched.pid), `--${resource}`]);
  if (status !== 0) throw new Error(`prlimit: ${String(stderr)}`);
}

const openFiles = ({ launched }: ServerProcess) => readdirSync(`/proc/${launched.pid}/fd`).length;

/** How many files it may open. */
const mostFiles = ({ launched }: ServerProcess) =>
  /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${launched.pid}/limits`, "utf8"))![1]!;

/** What the machine may withhold from the server for a while. Each returns how it is given back. */
const BLOWS: Record<string, (server: ServerProcess, forMs: number) => Promise<void>> = {
  ...Object.fromEntries(
    (["full", "readonly", "sync", "read", "slow"] as const satisfies Fault[]).map((fault) => [
      fault,
      async (server: ServerProcess, forMs: number) => {
        const begun = await DiskFault.begin(server, fault);
        await sleep(forMs);
        await begun.end();
      },
    ]),
  ),
  /** Not one file, socket or pipe more. */
  async handles(server, forMs) {
    const most = mostFiles(server);
    limit(server, `nofile=${openFiles(server)}:`);
    await sleep(forMs);
    limit(server, `nofile=${most}:`);
  },
  /** No memory more, so that it dies where it asks for some. It is started again. */
  async memory(server, forMs) {
    const { launched } = server;
    limit(server, "as=1:");
    await Promise.race([once(launched, "exit"), sleep(forMs)]);
    if (launched.exitCode === null && launched.signalCode === null) await server.kill();
    else await server.ended();
    await server.start();
  },
};

/** Faults of the disk are those of SQLite's files. */
const ANYWHERE = ["handles", "memory"];

/** Members play on a machine that runs short of what the server needs, again and again. */
export async function runShort({ seed, minutes, say }: MachinePlan): Promise<Report> {
  const random = dicer(seed);
  const played = await openSite({});
  const { server, load } = played;
  const names = ENGINE === "sqlite" && canFail ? Object.keys(BLOWS) : ANYWHERE;
  const count = Object.fromEntries(names.map((name) => [name, 0]));
  const again = new Again(load);
  const faults: Report["faults"] = [];
  try {
    load.start();
    const end = Date.now() + minutes * 60_000;
    for (let turn = 0; Date.now() < end || turn < names.length; turn++) {
      await sleep(random() * 1_500);
      const name = names[turn % names.length]!;
      await BLOWS[name]!(server, random() * LONGEST_MS);
      count[name]!++;
      if (!(await again.bet())) faults.push({ check: "again", text: `nobody could bet after ${name}` });
      say(`${JSON.stringify(count)}, ${load.bets.length} bets`);
    }
    await load.stop();
    faults.push(
      ...(await settled(played)).map((text) => ({ check: "settling", text })),
      ...(await judge({ ...played, allows: SAID })),
    );
    return {
      figures: { ...count, ...again.figures(), requests: played.history.asked.length, bets: load.bets.length },
      faults,
    };
  } finally {
    await played.close();
  }
}
