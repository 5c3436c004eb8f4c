import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { programOnPath } from "#server/programs/on-path.ts";
import { anchorsOf, pageAt } from "../../support/pages.ts";
import { ROOT } from "../../support/source-files.ts";
import { world } from "../../support/world.ts";

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; todo: string };
}

const FILE = join(ROOT, "server/deploy/alerts.yaml");
const RULES = (parse(readFileSync(FILE, "utf8")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);

const promtool = programOnPath(["promtool"]);
const WITHOUT = promtool ? "" : " (SKIPPED: there is no promtool on this machine; Debian's package prometheus has it)";
if (WITHOUT) console.warn(`The alerts were not played${WITHOUT}.`);

/**
 * An accident for each alert, by the seconds after which somebody is told: what is scraped every five seconds, all well
 * for the first minute. `a+bxn` is a, and n times b more.
 */
const ACCIDENTS: Record<string, [series: string, values: string, toldAfterS: number]> = {
  TrioDown: ['up{job="trio"}', "1+0x11 0+0x99", 30],
  TrioCannotWrite: ["trio_database_writable", "1+0x11 0+0x99", 15],
  TrioFiguresUnread: ["trio_rounds_unsettled", `0+0x11 ${"NaN ".repeat(140)}`, 600],
  TrioRoundFailed: ["trio_rounds_failed", "0+0x11 1+0x99", 0],
  // From the moment that it is 20 s late.
  TrioRoundLate: ["trio_round_late_seconds", "0+0x11 21+5x99", 10],
  TrioStepsFailing: ["trio_steps_failing", "0+0x11 1+0x99", 120],
  TrioLedgerWrong: ["trio_ledger_sum", "0+0x11 -700+0x99", 0],
  TrioLogStands: ["trio_log_head_age_seconds", "60+0x11 151+5x99", 15],
  TrioWitnessesMissing: ["trio_witnesses_missing", "0+0x11 1+0x99", 120],
  TrioWitnessSilent: ["trio_witnesses_silent", "0+0x11 1+0x199", 600],
  TrioClockBehind: ["trio_clock_behind_seconds", "0+0x11 3600+0x99", 15],
  TrioNewsUnread: ["trio_outbox_age_seconds", "0+0x11 11+5x99", 15],
  TrioStuck: ["nodejs_eventloop_lag_p99_seconds", "0.02+0x11 2+0x99", 60],
  // Each second ten batches, all of them longer than two seconds.
  TrioBetsSlow: ['trio_bet_seconds_bucket{stage="commit",le="+Inf"}', "0+0x11 50+50x199", 120],
  TrioDatabaseBusy: ['trio_database_wait_seconds_total{side="write"}', "0+0x11 1000+1000x99", 120],
  TrioLaneFull: ['trio_waiting{lane="login"}', "0+0x11 150+0x99", 30],
  TrioGuessing: ['trio_security_events_total{event="login.failed"}', "0+0x11 1000+1000x199", 300],
  TrioPushLate: ["trio_push_lag_seconds", "0+0x11 61+5x99", 120],
  // From the moment that it has not been seen for seven minutes.
  TrioProviderAway: ['trio_payments_unseen_seconds{channel="stripe"}', "300+0x11 421+5x99", 30],
  TrioDiskScarce: ["trio_disk_free_bytes", "5e10+0x11 1e9+0x99", 60],
  TrioBackupLate: ["trio_backup_late_seconds", "0+0x11 7201+5x99", 60],
  TrioBackupBad: ["trio_backup_problems", "0+0x11 2+0x99", 60],
};

const WELL_S = 60;
const EVERY_S = 5;

/** The series of an accident. A histogram has its other buckets, too. */
const seriesOf = (series: string, values: string) => [
  { series, values },
  ...(series.includes('le="+Inf"') ? [{ series: series.replace("+Inf", "2"), values: "0+0x211" }] : []),
];

/** Told after so long, and not a scrape before. A rate takes up to one more scrape to rise. */
const played = Object.entries(ACCIDENTS).map(([alert, [series, values, toldAfterS]]) => {
  const isToldAt = (seconds: number, isTold: boolean) => ({
    expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
    eval_time: `${seconds}s`,
    exp_samples: isTold ? [{ labels: "{}", value: 1 }] : [],
  });
  const at = WELL_S + toldAfterS;
  return {
    name: alert,
    interval: `${EVERY_S}s`,
    input_series: seriesOf(series, values),
    promql_expr_test: [isToldAt(WELL_S - EVERY_S, false), isToldAt(at - EVERY_S, false), isToldAt(at, true)],
  };
});

const run = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(promtool!, words, { encoding: "utf8" });
  return { status, said: stdout + stderr };
};

it.skipIf(!promtool)(`rules are accepted by Prometheus${WITHOUT}`, () => {
  expect(run("check", "rules", FILE)).toMatchObject({ status: 0, said: expect.stringContaining("SUCCESS") });
});

it.skipIf(!promtool)(`each accident is told, and when it was said to be${WITHOUT}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "trio-"));
  const file = join(folder, "played.yaml");
  writeFileSync(file, stringify({ rule_files: [FILE], evaluation_interval: `${EVERY_S}s`, tests: played }));
  const { status, said } = run("test", "rules", file);
  rmSync(folder, { recursive: true });
  expect([said, status]).toEqual([expect.stringContaining("SUCCESS"), 0]);
});

it("there is an accident for each alert", () => {
  expect(Object.keys(ACCIDENTS)).toEqual(RULES.map(({ alert }) => alert));
});

it.each(RULES)("$alert says how bad it is, and where it is written what to do", ({ labels, annotations }) => {
  expect(["page", "look"]).toContain(labels.severity);
  expect(annotations.summary).toMatch(/\.$/);
  const [, advice, path, anchor] = /^(.+[:?]) (docs\/[\w-]+\.md)#([\w-]+)$/.exec(annotations.todo)!;
  expect(advice!.length).toBeGreaterThan(10);
  expect(anchorsOf(pageAt(path!))).toContain(anchor);
});

it("every metric that a rule names is told by a server, with the labels that it names", async () => {
  const w = await world();
  const { body } = await w.site.app.inject({ url: "/metrics", remoteAddress: "127.0.0.1" });
  await w.close();
  const exprs = RULES.map(({ expr }) => expr).join("\n");
  const told = new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!));
  const named = [...exprs.matchAll(/\b((?:trio|nodejs)_\w+?)(?:_bucket)?\b/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !told.has(name))).toEqual([]);
  const labels = [...exprs.matchAll(/(lane|event)(?:!?=~?)"([^"]+)"/g)].flatMap(([, label, values]) =>
    values!.split("|").map((value) => `${label}="${value}"`),
  );
  expect(labels.filter((label) => !body.includes(label))).toEqual([]);
});
