import { afterEach, beforeEach, expect, it } from "vitest";
import { recordTransfers } from "#server/domains/ledger/transfer.ts";
import { creditMember, reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { parseChained } from "#shared/log/salted.ts";
import { spend, traces } from "../../support/ledger.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => (w = await world()));
afterEach(() => w.close());

it("a debit says how many days it bought: none, unless it bought some", async () => {
  const mia = await w.player("mia_1", { balance: 100 });
  const { db } = w.deps;
  const { transferId } = await db.transact((tx) => creditMember(tx, w.deps, mia.memberId, 500, "sorry"));
  await db.transact((tx) => reverseCredit(tx, w.deps, transferId, "a mistake"));
  await spend(w, mia, 7);
  const { data } = await mia.call("/fair/mine", { from: "1" }, { method: "GET" });
  const debits = data.leaves.flatMap(({ content }) => {
    const said = parseChained(content)!;
    return said.kind === "debit" ? [[said.code, said.amount, said.days]] : [];
  });
  expect(debits).toEqual([
    ["reversal", 500, 0],
    ["plan", 700, 1],
  ]);
});

it("of no transfers none is recorded", async () => {
  const before = await traces(w);
  expect(await w.deps.db.transact((tx) => recordTransfers(tx, w.deps, []))).toEqual([]);
  expect(await traces(w)).toEqual(before);
});
