import { expect, it } from "vitest";
import { LogCheck } from "#shared/log/check-log.ts";
import { sentenceOf } from "#shared/log/check/finding.ts";
import { entryOfLeaf, honestLog, KEY, ORIGIN } from "./honest-log.ts";
import { serverHash } from "./world.ts";

const MILLION = 1_000_000;
const MIB = 2 ** 20;
/** Two cores that others use as well. */
const TIMEOUT_MS = 900_000;

it(
  "a million leaves are checked as they come, in little memory",
  () => {
    const check = new LogCheck({ key: KEY, hash: serverHash });
    const games = [{ key: "k3-1m", kind: "dice-sum", periodS: 60 }];
    let busyMicros = 0;
    let most = 0;
    for (const leaf of honestLog({ hours: 24 * 115, games })) {
      const entry = entryOfLeaf(leaf);
      const before = process.cpuUsage();
      check.add(entry);
      const { user, system } = process.cpuUsage(before);
      busyMicros += user + system;
      if (check.size % 100_000 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers);
    }
    const { findings, size } = check.end({ origin: ORIGIN, key: KEY });
    console.warn(`${size} leaves: ${Math.round(busyMicros / 1_000)} ms, ${Math.round(most / MIB)} MiB of buffers`);
    expect(size).toBeGreaterThan(MILLION);
    expect(findings.filter(({ strength }) => strength === "problem").map(sentenceOf)).toEqual([]);
    expect(most).toBeLessThan(100 * MIB);
  },
  TIMEOUT_MS,
);
