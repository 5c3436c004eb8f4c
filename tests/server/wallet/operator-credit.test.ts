import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TransferCode } from "#server/domains/ledger/transfer.ts";
import { reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { fromUnits } from "#shared/money.ts";
import { move } from "../../support/ledger.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterEach(() => w.close());

/** Every reason for which money moves: a new one is no operator's credit until it is listed as one. */
const IS_OPERATORS: Record<TransferCode, boolean> = {
  credit: true,
  deposit: true,
  plan: false,
  reversal: false,
  demo: false,
  welcome: false,
  withdraw: false,
  "withdraw-return": false,
  spin: false,
  prize: false,
  chargeback: false,
  "chargeback-return": false,
  debt: false,
};

async function reverseOneOf(code: string): Promise<boolean> {
  const given = { memberId: mia.memberId, account: "house:operator", amount: fromUnits(5) } as const;
  const { transferId } = await move(w, { ...given, code: code as TransferCode, cause: `test:${code}` });
  const reversed = w.deps.db.transact((tx) => reverseCredit(tx, w.deps, transferId, "a mistake"));
  return reversed.then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ reason: "transfer.irreversible" });
      return false;
    },
  );
}

describe("a credit from the operator's account", () => {
  it("can be reversed when its reason is an operator's own credit, and not otherwise", async () => {
    const found: Record<string, boolean> = {};
    for (const code of Object.keys(IS_OPERATORS)) found[code] = await reverseOneOf(code);
    expect(found).toEqual(IS_OPERATORS);
  });

  it("cannot be reversed for an undecided reason", async () => {
    expect(await reverseOneOf("cashback")).toBe(false);
  });
});
