import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { excludeMember } from "#server/domains/ledger/limits.ts";
import { readVersion, readWallet, refuseOnBreak } from "#server/domains/ledger/wallet.ts";
import { whyRefused } from "#server/domains/ledger/why-refused.ts";
import { DAY_MS } from "#shared/time.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => (w = await world()));
afterEach(() => w.close());

it("who is no member has no wallet and no version", async () => {
  const { read } = w.deps.db;
  await expect(readWallet(read, 999)).rejects.toThrow("member 999 has no wallet");
  await expect(readVersion(read, 999)).rejects.toThrow("member 999 has no wallet");
});

it("a break refuses until its last millisecond, and no longer", async () => {
  const { memberId } = await w.player("mia_1");
  const until = w.now() + DAY_MS;
  await w.deps.db.transact((tx) => excludeMember(tx, memberId, until, w.now()));
  const { read } = w.deps.db;
  await expect(refuseOnBreak(read, memberId, until - 1)).rejects.toMatchObject({ reason: "member.excluded" });
  await expect(refuseOnBreak(read, memberId, until)).resolves.toBeUndefined();
});

describe("why a wallet refuses", () => {
  const wallet = { frozen: false, excludedUntil: 0, balance: 100 };

  it.each([
    ["member.locked", { frozen: true, excludedUntil: 10, balance: 0 }],
    ["member.excluded", { excludedUntil: 6, balance: 0 }],
    ["balance.insufficient", { excludedUntil: 5, balance: 99 }],
    ["limit.reached", { excludedUntil: 5, balance: 100 }],
  ] as const)("%s, before what comes after it", (reason, state) => {
    expect(whyRefused({ ...wallet, ...state }, 5, 100)).toBe(reason);
  });
});
