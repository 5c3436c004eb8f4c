import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SHARE_LEDGER } from "#db/postgres/transactions.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { bet, move } from "../../support/ledger.ts";
import { firstWrongSeal, readSeals } from "../../support/seals.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;
let other: OwnConnection;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  await bet(w, mia, 10, "A,B");
  other = await openConnection(w.config.database);
});
afterEach(async () => {
  await other.close();
  await w.close();
});

const seal = () => w.site.housekeeping.seal();

describe("sealing the ledger", () => {
  it("is left to another process that has begun it", async () => {
    await other.run("begin; select pg_advisory_xact_lock(7247, 4)");
    await seal();
    expect(await readSeals(other)).toEqual([]);
    await other.run("commit");
    await seal();
    expect(await readSeals(other)).toHaveLength(1);
    expect(await firstWrongSeal(other)).toBeNull();
  });

  it("numbers seals without a gap, also where the sequence of numbers leaves some out, as after a crash", async () => {
    await seal();
    await other.run("select setval(pg_get_serial_sequence('seals', 'id'), 34)");
    await bet(w, mia, 10, "A,B");
    await seal();
    expect((await other.all<{ id: number }>("select id from seals order by id")).map(({ id }) => id)).toEqual([1, 2]);
    expect(await firstWrongSeal(other)).toBeNull();
  });

  it("waits for open writes, so that it includes rows committed late", async () => {
    await other.run(`begin; select ${SHARE_LEDGER};
      insert into transfers (code, cause, debit, credit, amount, created_at)
      values ('credit', 'early', 'house:operator', 'house:plans', 1, 0)`);
    const later = { code: "credit", cause: "later", account: "house:operator", amount: 7 } as const;
    await move(w, { ...later, memberId: mia.memberId });
    const sealing = seal();
    await setTimeout(400);
    expect(await readSeals(other)).toEqual([]);
    await other.run("commit");
    await sealing;
    expect(await readSeals(other)).toMatchObject([{ transfers_to: 3 }]);
    expect(await firstWrongSeal(other)).toBeNull();
  });

  describe("while one of its tables is locked", () => {
    /** Locks that keep writers out, or other processes from sealing. */
    const kept = `select objid from pg_locks
      where locktype = 'advisory' and classid = 7247 and objid in (1, 4) and mode = 'ExclusiveLock'`;
    const noneKept = async () => await expect.poll(() => other.all(kept), { timeout: 10_000 }).toEqual([]);

    it("is tried again, and keeps none of its locks", async () => {
      await other.run("begin; lock table transfers in access exclusive mode");
      const sealing = seal();
      await setTimeout(500);
      await other.run("commit");
      await sealing;
      await noneKept();
      expect(await readSeals(other)).toHaveLength(1);
    });

    it("fails after all its tries, and keeps none of its locks", async () => {
      await other.run("begin; lock table transfers in access exclusive mode");
      await expect(seal()).rejects.toThrow("lock timeout");
      await other.run("commit");
      await noneKept();
    });
  });

  it("waits for acts of operators that other processes began earlier, and covers all of them", async () => {
    const act = (words: string) =>
      `insert into operator_acts (at, who, host, command, words, outcome) values (0, 'anna', 'here', 'audit', '${words}', 'done')`;
    await other.run(`begin; select ${SHARE_LEDGER}; ${act("early")}`);
    const third = await openConnection(w.config.database);
    await third.run(`begin; select ${SHARE_LEDGER}; ${act("late")}; commit`);
    await third.close();
    const sealing = seal();
    await setTimeout(400);
    expect(await readSeals(other)).toEqual([]);
    await other.run("commit");
    await sealing;
    const [sealed] = await other.all<{ acts: string; acts_to: number }>("select acts, acts_to from seals");
    expect([sealed!.acts_to, JSON.parse(sealed!.acts)]).toEqual([
      2,
      [1, 2].map((id) => [id, expect.stringMatching(/^[0-9a-f]{64}$/)]),
    ]);
    expect(await firstWrongSeal(other)).toBeNull();
  });

  it("of an act makes an erasure begin anew that did not see it", async () => {
    const act = "insert into operator_acts (at, who, host, command, words, outcome)";
    await other.run(`${act} values (0, 'anna', 'here', 'member:lock', 'mia_1', 'done')`);
    await other.run("begin isolation level serializable");
    await other.all("select 1 from operator_acts");
    await seal();
    const erased = other.run("update operator_acts set words = 'erased 1', salt = null");
    await expect(erased).rejects.toThrow("could not serialize access");
    await other.run("rollback");
  });
});
