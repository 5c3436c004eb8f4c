import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { QUICKNET, randomnessOf } from "#shared/lottery/beacon.ts";
import { ownChain, DrandRelay, QUICKNET_1000 } from "../../support/drand-relay.ts";
import { audited } from "../../support/audited.ts";
import { Copies, unguard } from "../../support/copies.ts";
import { openConnection } from "../../support/own-connection.ts";
import { program } from "../../support/program.ts";
import { diceFrom } from "../../support/recompute.ts";
import { MINUTE_GAME, world, type World } from "../../support/world.ts";
import { changeBeacons, modeOfSetting } from "#server/domains/lottery/change-beacon.ts";
import { operate } from "../admin/operate.ts";
import { betSurely, balanceOf } from "./failing-world.ts";
import { readsOf } from "./rounds-world.ts";

/*
 * drand's own chain, with its own key: the round that is drawn here follows from the signature that drand published at
 * that second, in 2023. A relay on loopback hands it out, and knows no other.
 */
const ROUND = "20230823-0960";
/** Betting closes 40 s before the draw, so that round 1000 is the first one 3 s after it. */
const GAME = { ...MINUTE_GAME, closeS: 40 };
const { signature, randomness, signedAt } = QUICKNET_1000;
const DRAWS = Date.UTC(2023, 7, 23, 16);

let relay: DrandRelay;
let w: World;
const { fair } = readsOf(() => w);

beforeEach(async () => {
  relay = await DrandRelay.start((path) =>
    path === `/${QUICKNET.hash}/public/1000` ? { body: { round: 1_000, signature } } : { status: 404, body: {} },
  );
  w = await world({ now: DRAWS - 180_000, env: { BEACON_RELAYS: relay.url } });
  await w.game(GAME);
  await w.settle();
});
afterEach(async () => {
  await w.close();
  await relay.stop();
});

/** Lets the jobs run until something is so. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let i = 0; i < 400; i++) {
    await w.settle();
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  throw new Error("it never came to be so");
}

/** Sets the beacon as the operator does, and plays the round that drand's round 1000 draws. */
async function play(): Promise<void> {
  const from = await w.deps.db.transact((tx) => changeBeacons(tx, w.deps, modeOfSetting("drand")));
  expect(from).toEqual([{ game: "k3-1m", from: ROUND }]);
  for (let i = 0; i < 12; i++) await w.live(10_000);
  await until(
    async () =>
      (await w.call("/Lottery/getLotteryInfo", { key: "k3-1m" }, { method: "GET" })).data.next_expect === ROUND,
  );
  const player = await w.player("bettor", { balance: 100 });
  await betSurely(player, "lot_1", ROUND);
  while (w.now() < DRAWS) await w.live(1_000);
  await until(async () => (await fair(ROUND)).drawn !== null);
  await until(async () => (await balanceOf(player)) === "99.50");
}

const verify = async () => {
  const words = [...program("server/verify.ts"), "k3-1m", ROUND, "--url", await w.listen()];
  return promisify(execFile)(process.execPath, words).then(
    ({ stdout }) => ({ exit: 0, said: stdout }),
    (error: { code: number; stderr: string }) => ({ exit: error.code, said: error.stderr }),
  );
};

describe("a round that drand's round 1000 draws", () => {
  it("is proved by the verifier, and agrees with the audit", async () => {
    await play();
    const drawn = await fair(ROUND);
    expect(drawn).toMatchObject({
      rule: `drand:${QUICKNET.hash}:1000`,
      beacon: randomness,
      beacon_signature: signature,
    });
    expect(drawn.opencode).toEqual(diceFrom(drawn.seed!, `k3-1m:${ROUND}:${randomness}`));
    expect(drawn.closes).toBeLessThanOrEqual(signedAt - 3_000);
    const { exit, said } = await verify();
    expect({ exit, said }).toEqual({ exit: 0, said: expect.stringContaining(randomness) as string });
    expect(said).not.toContain("NO ");
    await w.site.housekeeping.seal();
    const copies = await Copies.of(w);
    const lie = (change: string) => copies.tampered(`update rounds set ${change} where number = 960`);
    const name = `round k3-1m ${ROUND}`;
    const forged = ownChain().sign(1_000);
    const lies: [change: string, found: string][] = [
      [
        "closes_at = closes_at - 3000",
        `${name} does not name the first beacon at least 3 s after its close, 8 s before its draw`,
      ],
      [
        "draws_at = closes_at + 7000",
        `${name} does not name the first beacon at least 3 s after its close, 8 s before its draw`,
      ],
      [
        `beacon_rule = 'drand:${QUICKNET.hash}:1001'`,
        `${name} has a beacon that its chain did not sign for the round that its rule names`,
      ],
      [`beacon_signature = '${forged}'`, `${name} has a beacon that its rule does not allow`],
      [
        "beacon_rule = 'none', beacon = '', beacon_signature = ''",
        `${name} follows the beacon none, not drand:${QUICKNET.hash} as announced`,
      ],
      ["beacon = '', beacon_signature = ''", `${name} has a beacon that its rule does not allow`],
    ];
    expect((await audited(await lie("id = id"))).problems).toEqual([]);
    for (const [change, found] of lies) expect((await audited(await lie(change))).problems).toContain(found);
    const early = await copies.tampered("update beacon_changes set announced_at = announced_at + 60000");
    expect((await audited(early)).problems).toContain(
      `k3-1m: the beacon from ${ROUND} was announced less than two rounds ahead`,
    );
    await copies.close();
    const connection = await openConnection(w.config.database);
    await unguard(connection);
    const beacon = randomnessOf(forged);
    await connection.run(`update rounds set beacon = '${beacon}', beacon_signature = '${forged}' where number = 960`);
    await connection.close();
    const lied = await verify();
    expect(lied.exit).toBe(1);
    expect(lied.said).toContain("NO   the round has no beacon but the one that its rule allows");
  });
});

describe("the setting", () => {
  it("takes none and drand alone, and tells nothing new where it changes nothing", async () => {
    expect((await operate(w, "setting:set", "beacon", "dice")).exit).not.toBe(0);
    const same = await operate(w, "setting:set", "beacon", "none");
    expect(same).toMatchObject({ exit: 0, out: expect.stringContaining('beacon is "none" now.') as string });
    const changed = await operate(w, "setting:set", "beacon", "drand");
    expect(changed).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/It acts on\n {2}k3-1m from round \d{8}-/) as string,
    });
    await w.game({ ...GAME, key: "later" });
    const { data } = await w.call("/fair/beacons", { key: "later" }, { method: "GET" });
    expect(data).toEqual([{ game: "later", mode: `drand:${QUICKNET.hash}`, from: "20230823-0958", at: w.now() }]);
  });
});
