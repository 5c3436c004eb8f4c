import { afterEach, beforeEach, expect, it } from "vitest";
import { logRestores } from "#db/schema/log.ts";
import { stateApp } from "#server/domains/log/served-app.ts";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { drandCheck } from "#shared/log/check/drand-check.ts";
import { sentenceOf } from "#shared/log/check/finding.ts";
import { problemsOf } from "../../support/audited.ts";
import { drandWorld, modeOf, type DrandWorld } from "../lottery/drand-world.ts";
import { KEY } from "../lottery/rounds-world.ts";
import { verdictOf } from "./read-log.ts";

/* The log after a loss says what was announced before, so that nobody who checks it accuses the house. */

let site: DrandWorld;

beforeEach(async () => {
  site = await drandWorld();
  await site.follow(modeOf(site));
  await site.seconds(4 * 60);
});
afterEach(() => site.stop());

const APP = { version: "1", files: "ab".repeat(32), page: "cd".repeat(32) };

async function pause(paused: boolean): Promise<void> {
  const { deps } = site.w;
  const [game, reason] = [await findGame(deps.db.read, KEY), paused ? "Repairs" : null];
  await deps.db.transact((tx) => pauseGame(tx, deps, game, { paused, reason }));
  await deps.publicLog.advance();
}

async function restore(): Promise<void> {
  const { deps } = site.w;
  const row = { id: 1, reason: "The disk failed", createdAt: site.w.now() };
  await deps.db.transact((tx) => tx.insert(logRestores).values(row));
  await deps.publicLog.advance();
}

async function checked() {
  const { findings, app, kinds } = await verdictOf(site.w, 2, drandCheck([site.chain]));
  const problems = findings.filter(({ strength }) => strength === "problem").map(sentenceOf);
  return { problems, app, kinds, audit: (await problemsOf(site.w)).filter((line) => !line.includes("beacon")) };
}

it("rounds go on under their beacon, and what is served as the app is named again", async () => {
  const { deps } = site.w;
  await deps.db.transact((tx) => stateApp(tx, APP, site.w.now()));
  await restore();
  await site.seconds(4 * 60);
  const { problems, app, kinds, audit } = await checked();
  expect([problems, audit]).toEqual([[], []]);
  expect(app).toMatchObject(APP);
  expect([kinds.get("beacon"), kinds.get("draw")! > 2]).toEqual([1, true]);
});

it("a pause that acts goes on, and ends", async () => {
  await pause(true);
  await site.seconds(4 * 60);
  await restore();
  await site.seconds(60);
  await pause(false);
  await site.seconds(5 * 60);
  const { problems, kinds, audit } = await checked();
  expect([problems, audit]).toEqual([[], []]);
  expect([kinds.get("pause"), kinds.get("resume"), kinds.get("gap")]).toEqual([1, 1, 1]);
});
