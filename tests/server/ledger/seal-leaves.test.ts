import { expect, it } from "vitest";
import { houseEntries } from "#db/schema/ledger.ts";
import { SealedTable } from "#server/domains/ledger/seal-leaves.ts";

const FIRST = ["id", "kind", "amount", "fromId", "toId", "createdAt"];
const row = { id: 1, kind: "bets", amount: 5, fromId: 1, toId: 2, createdAt: 9 };
const table = new SealedTable("house", houseEntries, FIRST);

it("a leaf leaves out a later column without a value, whether the row says so or not", () => {
  const plain = '["house",1,"bets",5,1,2,9]';
  expect(table.leaf(row)).toBe(plain);
  expect(table.leaf({ ...row, roundId: null })).toBe(plain);
  expect(table.leaf({ ...row, roundId: 7 })).toBe('["house 2",1,"bets",5,1,2,9,{"roundId":7}]');
});
