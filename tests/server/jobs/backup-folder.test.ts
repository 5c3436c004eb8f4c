import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BackupPlan } from "#server/config/backups.ts";
import {
  dueAt,
  fileFor,
  isGood,
  isMade,
  outdated,
  readBackups,
  tidy,
  writeTrial,
  type KeptBackup,
} from "#server/jobs/backup-folder.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";

const NOW = Date.UTC(2026, 2, 30, 12);
const WEEK_MS = 7 * DAY_MS;

let plan: BackupPlan;
beforeEach(() => {
  plan = { dir: mkdtempSync(join(tmpdir(), "trio-")), everyHours: 24, keepDays: 3, keepWeeks: 4 };
});
afterEach(() => rmSync(plan.dir, { recursive: true }));

const daily = (count: number, trial: KeptBackup["trial"] = { at: 0, problems: [] }): KeptBackup[] =>
  Array.from({ length: count }, (_, i) => ({ file: `${i}`, at: dueAt(NOW, plan) - (count - 1 - i) * DAY_MS, trial }));

describe("backups that are kept no longer", () => {
  it("are those older than the days, but for the first of each week", () => {
    const all = daily(60);
    const kept = all.filter((one) => !outdated(all, plan, NOW).includes(one));
    const age = ({ at }: KeptBackup) => (dueAt(NOW, plan) - at) / DAY_MS;
    const firsts = all.filter(({ at }) => at % WEEK_MS === 0 && NOW - at < 4 * WEEK_MS).map(age);
    expect(firsts.length).toBeGreaterThan(2);
    expect(kept.map(age)).toEqual([...new Set([...firsts, 2, 1, 0])].toSorted((a, b) => b - a));
  });

  it("are none of those that a schedule makes in those days, however far ahead the clock is", () => {
    const all = daily(3);
    expect(outdated(all, plan, NOW + 400 * DAY_MS)).toEqual([]);
    const [first, ...others] = daily(4);
    expect(outdated([first!, ...others], plan, NOW + 400 * DAY_MS)).toEqual([first]);
  });

  it("are never the newest, nor the newest good one", () => {
    const problems = fc.constantFrom<string[]>([], ["odd"]);
    const one = fc.record({ days: fc.nat(400), problems });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1 }), fc.nat(10), (ages, keepWeeks) => {
        const all = ages
          .map(({ days, problems }, i) => ({ file: `${i}`, at: NOW - days * DAY_MS, trial: { at: 0, problems } }))
          .toSorted((a, b) => a.at - b.at);
        const gone = outdated(all, { ...plan, keepWeeks }, NOW);
        expect(gone).not.toContain(all.at(-1));
        expect(gone).not.toContain(all.findLast(isGood));
        expect(gone.every(({ at }) => NOW - at >= 3 * DAY_MS)).toBe(true);
      }),
    );
  });
});

describe("the folder of backups", () => {
  it("may be missing", async () => {
    expect(await readBackups(join(plan.dir, "none"))).toEqual([]);
  });

  it("tells whole backups, each with its trial, from whatever else lies there", async () => {
    const file = fileFor(plan, dueAt(NOW, plan), true);
    for (const name of ["notes.txt", "trio-2026-03-30T0000Z.backup.part", "trio-2026-99-30T0000Z.backup"])
      writeFileSync(join(plan.dir, name), "");
    writeFileSync(file, "");
    expect(await readBackups(plan.dir)).toEqual([{ file, at: Date.UTC(2026, 2, 30), trial: null }]);
    await writeTrial(file, { at: NOW, problems: ["odd"] });
    expect(await readBackups(plan.dir)).toMatchObject([{ file, trial: { at: NOW, problems: ["odd"] } }]);
  });

  it("is rid of old backups, their trials and what a killed process left, and of nothing else", async () => {
    const [old, newest] = [NOW - 40 * DAY_MS, NOW].map((at) => fileFor(plan, dueAt(at, plan), false));
    for (const file of [old!, newest!]) {
      writeFileSync(file, "");
      await writeTrial(file, { at: NOW, problems: [] });
    }
    const killed = `${fileFor(plan, dueAt(NOW - 2 * DAY_MS, plan), false)}.part`;
    mkdirSync(killed);
    for (const name of ["lock", "copy-0123456789ab"]) writeFileSync(join(killed, name), "");
    writeFileSync(join(plan.dir, "notes.txt"), "");
    expect(await tidy({ ...plan, keepDays: 1 }, NOW)).toEqual([old]);
    const left = readdirSync(plan.dir).sort();
    expect(left).toEqual(["notes.txt", "trio-2026-03-30T0000Z.backup", "trio-2026-03-30T0000Z.backup.trial.json"]);
  });
});

it("a backup of a time to come, which a clock that was ahead made, is not the one that is due", () => {
  const due = dueAt(NOW, plan);
  const of = (at: number): KeptBackup => ({ file: "one", at, trial: null });
  expect(isMade([of(due + 30 * DAY_MS)], due, NOW)).toBe(false);
  expect(isMade([of(due - DAY_MS)], due, NOW)).toBe(false);
  expect(isMade([of(due), of(due + 30 * DAY_MS)], due, NOW)).toBe(true);
});

it("a backup is due at the same moments on every server", () => {
  const hourly = { ...plan, everyHours: 6 };
  expect(dueAt(NOW, hourly)).toBe(NOW);
  expect(dueAt(NOW + 6 * HOUR_MS - 1, hourly)).toBe(NOW);
  expect(dueAt(NOW + 6 * HOUR_MS, hourly)).toBe(NOW + 6 * HOUR_MS);
});
