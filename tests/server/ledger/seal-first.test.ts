import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { houseEntries } from "#db/schema/ledger.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { firstWrongSeal, readSeals } from "../../support/seals.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
let connection: OwnConnection;

beforeEach(async () => {
  w = await world();
  connection = await openConnection(w.config.database);
});
afterEach(async () => {
  await connection.close();
  await w.close();
});

async function sealed(): Promise<[seals: number, firstWrong: unknown]> {
  await w.site.housekeeping.seal();
  return [(await readSeals(connection)).length, await firstWrongSeal(connection)];
}

describe("the first seal", () => {
  it("waits for the first row", async () => {
    expect(await sealed()).toEqual([0, null]);
  });

  it("covers a transfer that is alone", async () => {
    await w.player("mia_1", { balance: 1 });
    expect(await sealed()).toEqual([1, null]);
    expect(await sealed()).toEqual([1, null]);
  });

  it("covers a row of the house that is alone", async () => {
    const row = { kind: "bets", amount: 0, fromId: 1, toId: 0, createdAt: w.now() } as const;
    await w.deps.db.transact((tx) => tx.insert(houseEntries).values(row));
    expect(await sealed()).toEqual([1, null]);
    expect(await sealed()).toEqual([1, null]);
  });
});
