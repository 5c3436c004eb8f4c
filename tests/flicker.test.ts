import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { flicker, keepBusy, summaryOf } from "./flicker/flicker.ts";
import { program } from "./support/program.ts";

describe("runs under load", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "trio-flickering-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Fails in each second run. */
  const flickering = () => `
    const { existsSync, rmSync, writeFileSync } = require("node:fs");
    const mark = ${JSON.stringify(join(folder, "mark"))};
    const fails = existsSync(mark);
    fails ? rmSync(mark) : writeFileSync(mark, "");
    const failures = fails ? ["together a.test.ts > is slow: timed out"] : [];
    writeFileSync(process.env.TEST_REPORT, JSON.stringify({ passed: 1, skipped: 0, failures }));
    process.exit(fails ? 1 : 0);`;

  it("tell what failed, each time", async () => {
    const said: string[] = [];
    const runs = await flicker({
      runs: 2,
      command: [process.execPath, "--eval", flickering()],
      say: (line) => said.push(line),
    });
    expect(runs.map(({ failures }) => failures.length)).toEqual([0, 1]);
    expect(said.filter((line) => line.includes("a.test.ts > is slow: timed out"))).toHaveLength(1);
    expect(summaryOf(runs)[0]).toBe("1 times: together a.test.ts > is slow");
  });

  it("that end without a report have failed", async () => {
    const command = [process.execPath, "--eval", "process.exit(3)"] as const;
    const [run] = await flicker({ runs: 1, command, say: () => {} });
    expect(run!.failures).toEqual(["ended with 3"]);
  });
});

describe("the summary of runs", () => {
  it("counts the runs with a failure, whatever its message, and tells the minutes", () => {
    const runs = [
      { failures: [], minutes: 12 },
      { failures: ["a > x: 1 ≠ 2", "a > x: again", "b > y: late"], minutes: 14 },
      { failures: ["b > y: later"], minutes: 13 },
    ];
    expect(summaryOf(runs)).toEqual([
      "2 times: b > y",
      "1 times: a > x",
      "3 runs, 2 of them with failures; 13.0 min each (median; 14.0 at most)",
    ]);
  });
});

describe("a core", () => {
  /** The processor time that a process has had, in ticks. */
  const ticksOf = (pid: number) =>
    readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ").slice(11, 13).join();

  it.runIf(process.platform === "linux")("is kept busy", async () => {
    using busy = keepBusy(1);
    const [pid] = busy.pids;
    const before = ticksOf(pid!);
    await expect.poll(() => ticksOf(pid!)).not.toBe(before);
  });
});

it("the command explains its use, and refuses another", () => {
  const run = (...words: string[]) => spawnSync(process.execPath, [...program("tests/flicker/main.ts"), ...words]);
  expect(run("--help").status).toBe(0);
  expect(run("2", "start").status).toBe(2);
});
