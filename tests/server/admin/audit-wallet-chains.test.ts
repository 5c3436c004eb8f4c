import { describe, expect, it } from "vitest";
import { Findings } from "#server/admin/audit/findings.ts";
import { WalletChains } from "#server/admin/audit/wallet-chains.ts";

type Row = [version: number, delta: number, balanceAfter: number];

/** What the audit finds in the rows of member 7 beside a wallet of theirs. */
function problemsOf(rows: Row[], wallet: { balance: number; version: number }): string[] {
  const chains = new WalletChains();
  const found = new Findings();
  for (const row of rows) chains.add(7, ...row);
  chains.check({ memberId: 7, ...wallet }, found);
  chains.checkRest(found);
  return found.problems;
}

const CHAIN: Row[] = [
  [1, 500, 500],
  [2, -200, 300],
  [3, 50, 350],
];
const WALLET = { balance: 350, version: 3 };
const LOOSE = "wallet of member 7: the versions or balances of its rows have a gap";

describe("the audit of a wallet's chain", () => {
  it("finds nothing in a whole chain, in any order, and in a wallet that nothing has moved", () => {
    expect(problemsOf(CHAIN, WALLET)).toEqual([]);
    expect(problemsOf([CHAIN[2]!, CHAIN[0]!, CHAIN[1]!], WALLET)).toEqual([]);
    expect(problemsOf([], { balance: 0, version: 0 })).toEqual([]);
  });

  it("names another balance, another version, and a gap behind the rows", () => {
    expect(problemsOf(CHAIN, { balance: 351, version: 4 })).toEqual([
      "wallet of member 7: its rows sum to 350, the balance is 351",
      "wallet of member 7: 3 rows, but version 4",
      LOOSE,
    ]);
    expect(problemsOf([], { balance: 5, version: 0 })).toEqual([
      "wallet of member 7: its rows sum to 0, the balance is 5",
      LOOSE,
    ]);
  });

  it.each<[string, Row[]]>([
    ["a version twice", [CHAIN[0]!, [1, -200, 300], CHAIN[2]!]],
    ["a version that is left out", [CHAIN[0]!, [3, -200, 300], [4, 50, 350]]],
    ["a balance within that does not follow", [CHAIN[0]!, [2, -200, 301], CHAIN[2]!]],
    ["balances that are wrong by the same the other way", [[1, 500, 501], [2, -200, 299], CHAIN[2]!]],
    [
      "changes in another order than their balances",
      [
        [1, 500, 500],
        [3, -200, 300],
        [2, 50, 350],
      ],
    ],
  ])("names %s, though number and sum are right", (_, rows) => {
    expect(problemsOf(rows, WALLET)).toEqual([LOOSE]);
  });

  it("names the rows of who has no wallet, once", () => {
    const chains = new WalletChains();
    const found = new Findings();
    for (const row of CHAIN) chains.add(7, ...row);
    chains.add(8, 1, 100, 100);
    chains.check({ memberId: 7, ...WALLET }, found);
    chains.checkRest(found);
    expect(found.problems).toEqual(["member 8 has 1 rows and no wallet"]);
  });
});
