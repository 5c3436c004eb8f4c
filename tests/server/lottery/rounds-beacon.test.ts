import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { unguard } from "../../support/copies.ts";
import { ENGINE } from "../../support/databases.ts";
import { runMigration } from "../../support/run-migration.ts";
import { program } from "../../support/program.ts";
import { diceFrom, faultsOf } from "../../support/recompute.ts";
import { operate } from "../admin/operate.ts";
import { goBackBeforeRanges } from "./before-ranges.ts";
import { expectPaid, failingWorld, payoutsOf, playRound, problemsOf, roundOf, ROUND } from "./failing-world.ts";
import type { FailingWorld } from "./failing-world.ts";

let site: FailingWorld;
let connection: OwnConnection;

beforeEach(async () => {
  site = await failingWorld();
  connection = await openConnection(site.w.config.database);
});
afterEach(async () => {
  await connection.close();
  await site.close();
});

const write = (change: string) => connection.run(`update rounds set ${change} where id = 1`);
const fair = async () => (await site.w.call("/fair/round", { key: "k3-1m", expect: ROUND }, { method: "GET" })).data;
const FAILURE = "it has a beacon that its rule does not allow";
const NAMED = `round k3-1m ${ROUND} has a beacon that its rule does not allow`;

describe("a beacon on an open round", () => {
  it("is refused by the database, by its trigger and by its check", async () => {
    await expect(write("beacon = 'chosen'")).rejects.toThrow(/what a round says is never changed/);
    await expect(write("beacon_rule = 'drand:quicknet:1000'")).rejects.toThrow(/what a round says is never changed/);
    const copied =
      'insert into rounds (game_id, day, number, "commit", odds_id, opened_at, closes_at, draws_at, from_bet, beacon)';
    await expect(
      connection.run(
        `${copied} select game_id, day + 1, number, "commit", odds_id, opened_at, closes_at, draws_at, from_bet, 'chosen' from rounds where id = 1`,
      ),
    ).rejects.toThrow(/rounds_beacon/);
    expect(await roundOf(site.w, 1)).toMatchObject({ beaconRule: "none", beacon: "" });
  });

  it.each([
    ["a beacon under no rule that has one", "beacon = 'chosen'"],
    ["a rule that there is not", "beacon_rule = 'drand:quicknet:1000'"],
    ["both", "beacon_rule = 'drand:quicknet:1000', beacon = 'chosen'"],
  ])("draws nothing, with every guard removed: %s", async (_, change) => {
    const { w, ill, well } = site;
    await unguard(connection);
    await write(change);
    await playRound(w);
    expect(await roundOf(w, 1)).toMatchObject({ failure: FAILURE, drawnAt: null, seed: null, dice: null });
    expect(await payoutsOf(w, 1)).toEqual([]);
    await expectPaid(ill, 0, 1);
    await expectPaid(well, 1);
    expect(await problemsOf(w)).toContain(NAMED);

    await w.restart();
    await w.live(60_000);
    expect(await roundOf(w, 1)).toMatchObject({ failure: FAILURE, drawnAt: null });

    await write("beacon_rule = 'none', beacon = ''");
    await operate(w, "round:retry", "k3-1m", ROUND);
    await w.live(2_000);
    await expectPaid(ill, 1);
    expect(await problemsOf(w)).toEqual([]);
  });
});

describe("a beacon on a drawn round", () => {
  it("stops its settling, and the audit names it", async () => {
    const { w } = site;
    await unguard(connection);
    await playRound(w);
    await write("settled_at = null, indexed_at = null, beacon = 'chosen'");
    await connection.run("delete from payouts where round_id = 1");
    await w.live(2_000);
    expect(await roundOf(w, 1)).toMatchObject({ failure: FAILURE, settledAt: null });
    expect(await payoutsOf(w, 1)).toEqual([]);
    expect(await problemsOf(w)).toContain(NAMED);
  });
});

describe("a stranger with the verifier", () => {
  const verify = async () => {
    const words = [...program("server/verify.ts"), "k3-1m", ROUND, "--url", await site.w.listen()];
    return promisify(execFile)(process.execPath, words).then(
      ({ stdout }) => ({ exit: 0, said: stdout }),
      (error: { code: number; stderr: string }) => ({ exit: error.code, said: error.stderr }),
    );
  };
  const RULE = "the round has no beacon but the one that its rule allows";
  const DICE = "the seed gives exactly these dice";

  it("gets a yes on an honest round, and a NO once it has a beacon, with or without dice to match", async () => {
    await playRound(site.w);
    expect(await verify()).toEqual({ exit: 0, said: expect.stringContaining(`yes  ${RULE}`) as string });
    const { seed } = await fair();
    const diceWith = (beacon: string) => diceFrom(seed!, `k3-1m:${ROUND}:${beacon}`);
    // One of 216 beacons changes nothing.
    const beacon = ["chosen", "another", "third"].find((one) => String(diceWith(one)) !== String(diceWith("")))!;
    await unguard(connection);
    await write(`beacon = '${beacon}'`);
    const lied = await verify();
    expect(lied).toEqual({ exit: 1, said: expect.stringContaining(`NO   ${RULE}`) as string });
    expect(lied.said).toContain(`yes  ${DICE}`);
    await write(`dice = '${JSON.stringify(diceWith(beacon))}'`);
    expect(faultsOf(await fair())).toHaveLength(2);
    expect((await verify()).said).toContain(`NO   ${DICE}`);
    await write("beacon = ''");
    expect(await verify()).toEqual({ exit: 1, said: expect.stringContaining(`NO   ${DICE}`) as string });
  });
});

describe("a database from before the rule", () => {
  const MIGRATION = "0013_beacon_rule";
  /** As the version before left it. */
  async function goBack(): Promise<void> {
    await goBackBeforeRanges(connection);
    for (const trigger of ["rounds_refunded_fixed", "rounds_beacon_fixed"])
      await connection.run(`drop trigger ${trigger}${ENGINE === "sqlite" ? "" : " on rounds"}`);
    await connection.run("alter table rounds drop column refunded_at");
    await connection.run("drop table beacon_changes");
    await connection.run("alter table rounds drop column beacon_signature");
    await connection.run("alter table rounds drop column beacon_rule");
    await connection.run("update rounds set beacon = 'chosen' where closed_at is null and id = 1");
    await expect(runMigration(connection, MIGRATION)).rejects.toThrow(/somebody changed the database/);
  }

  it("is refused with a beacon, and left as it was; without one each round gets the rule", async () => {
    await goBack();
    expect(await connection.all("select beacon from rounds where id = 1")).toEqual([{ beacon: "chosen" }]);
    await connection.run("update rounds set beacon = '' where id = 1");
    await runMigration(connection, MIGRATION);
    await runMigration(connection, "0017_drand_beacon");
    await runMigration(connection, "0023_refunds");
    await runMigration(connection, "0050_settle_ranges");
    expect(await connection.all("select distinct beacon_rule, beacon from rounds")).toEqual([
      { beacon_rule: "none", beacon: "" },
    ]);
    await expect(write("beacon = 'chosen'")).rejects.toThrow(/what a round says is never changed/);
    await playRound(site.w);
    expect(faultsOf(await fair())).toEqual([]);
    expect(await problemsOf(site.w)).toEqual([]);
  });
});

describe("the public data of a round", () => {
  it("names the rule from its opening on, and the same one after a restart", async () => {
    expect(await fair()).toMatchObject({ rule: "none", beacon: "", seed: null });
    await site.w.restart();
    await playRound(site.w);
    expect(await fair()).toMatchObject({ rule: "none", beacon: "", seed: expect.any(String) as string });
  });
});
