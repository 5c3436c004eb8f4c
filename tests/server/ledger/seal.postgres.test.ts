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
});
