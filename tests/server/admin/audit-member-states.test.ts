import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wallets } from "#db/schema/ledger.ts";
import { limitChanges } from "#db/schema/limits.ts";
import { bankAccounts } from "#db/schema/payments.ts";
import { KeyRing, masterKey } from "#server/config/keys.ts";
import { sealNumber } from "#server/domains/account/seal-number.ts";
import { NO_LEAF_BEFORE } from "#shared/log/salted.ts";
import { CONTENT, hashFor } from "../../log/leaves.ts";
import { named, problemsAtEnd, problemsOf, says } from "./audit-member-said.ts";
import { emptyRows, type Put, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

const nothing: Put = async () => {};

describe("the audit compares what was said last of a member's bank account with the account,", () => {
  const keys = new KeyRing([masterKey(Buffer.alloc(32, 7), { version: 1, fromDay: 0 })], { now: () => 0 });
  const random = (bytes: number) => Buffer.alloc(bytes, 1);
  const { bank, holder, account } = CONTENT.bank;
  const row = {
    memberId: 1,
    bankCode: bank,
    holder,
    sealed: sealNumber({ keys, random }, 1, account),
    last4: "",
    mobile: "",
    createdAt: 9,
  };
  const put =
    (...some: Partial<typeof row>[]): Put =>
    (tx) =>
      tx.insert(bankAccounts).values(some.map((one) => ({ ...row, ...one })));
  const bound = says("bank", {}, { word: "an account" });
  const unbound = says("unbind", { bank: hashFor("an account") });

  it("which is the same, with the number where the key is here", async () => {
    const two = { memberId: 2, sealed: sealNumber({ keys, random }, 2, "555"), bankCode: "other" };
    const said = [bound, says("bank", { account: "555", bank: "other" }, { memberId: 2 })];
    expect(await problemsAtEnd(rows, put({}, two), said, keys)).toEqual([]);
    expect(await problemsAtEnd(rows, put({ sealed: "none" }), [bound])).toEqual([]);
  });

  it.each<[string, Partial<typeof row>]>([
    ["is of another bank", { bankCode: "other" }],
    ["has another holder", { holder: "Somebody Else" }],
    ["has another number", { sealed: sealNumber({ keys, random }, 1, "555") }],
    ["has a number that cannot be opened", { sealed: "none" }],
  ])("which %s", async (_, other) => {
    const problems = await problemsAtEnd(rows, put(other), [bound], keys);
    expect(problems).toEqual([`${named(bound)} differs from its bank account`]);
  });

  it("which is another member's", async () => {
    const problems = await problemsAtEnd(rows, put({ memberId: 2 }), [bound]);
    expect(problems).toEqual([`${named(bound)} has no bank account in the tables`]);
  });

  it("which is there although it was unbound, or not there as it was bound again", async () => {
    const follows = `${named(unbound)} is followed by none, and the tables have an account`;
    const again = says("bank", { number: 4 });
    expect(await problemsAtEnd(rows, put({}), [bound, unbound])).toEqual([follows]);
    expect(await problemsAtEnd(rows, put({}), [bound, unbound, again])).toEqual([]);
    expect(await problemsAtEnd(rows, nothing, [bound, unbound])).toEqual([]);
    const problems = await problemsAtEnd(rows, nothing, [bound, unbound, again]);
    expect(problems).toEqual([`${named(again)} has no bank account in the tables`]);
  });

  it("only what the member's own leaves state is unbound, or what is from before them", async () => {
    const astray = (one: typeof unbound) => `${named(one)} names an account that no leaf before it states`;
    const other = says("unbind", { bank: hashFor("an account") }, { memberId: 2 });
    expect(await problemsOf(rows, nothing, [[bound], [unbound]])).toEqual([]);
    expect(await problemsOf(rows, nothing, [[says("unbind", { bank: NO_LEAF_BEFORE })]])).toEqual([]);
    expect(await problemsOf(rows, nothing, [[unbound, bound]])).toEqual([astray(unbound)]);
    expect(await problemsOf(rows, nothing, [[bound, other]])).toEqual([astray(other)]);
  });
});

describe("the audit compares what was said last of a member's limits with the wallet:", () => {
  type Change = typeof limitChanges.$inferInsert;
  const put =
    (wallet: Partial<typeof wallets.$inferInsert>, ...waiting: Partial<Change>[]): Put =>
    async (tx) => {
      await tx.insert(wallets).values({ memberId: 1, ...wallet });
      const change = { memberId: 1, name: "limitStakeDay", value: 900, dueAt: 30 };
      if (waiting.length > 0) await tx.insert(limitChanges).values(waiting.map((one) => ({ ...change, ...one })));
    };
  interface Of {
    at?: number;
    from?: number;
    name?: string;
    memberId?: number;
  }
  const limit = (value: number | "none", { at = 1, from = at, name = "stake_day", memberId = 1 }: Of = {}) =>
    says("limit", { limit: name, value, at, from }, { memberId });
  const differs = (one: ReturnType<typeof limit>, is: string) => `${named(one)} differs from the tables: ${is}`;

  it("each is the same, and what was not said may be anything", async () => {
    const said = [
      limit(500),
      limit("none", { name: "loss_week" }),
      limit(60, { name: "remind_minutes" }),
      limit(77, { name: "exclude_until" }),
    ];
    const wallet = { limitStakeDay: 500, limitDepositDay: 3, remindMinutes: 60, excludedUntil: 77 };
    expect(await problemsAtEnd(rows, put(wallet), said)).toEqual([]);
  });

  it("each differs", async () => {
    const said = [limit(500), limit("none", { name: "loss_week" }), limit(77, { name: "exclude_until" })];
    expect(await problemsAtEnd(rows, put({ limitLossWeek: 5, excludedUntil: 78 }), said)).toEqual([
      differs(said[0]!, "stake_day is none"),
      differs(said[1]!, "loss_week is 5"),
      differs(said[2]!, "exclude_until is 78"),
    ]);
  });

  it("the last of several in force counts", async () => {
    const said = [limit(500), limit(400, { at: 5 })];
    expect(await problemsAtEnd(rows, put({ limitStakeDay: 400 }), said)).toEqual([]);
    const problems = await problemsAtEnd(rows, put({ limitStakeDay: 500 }), said);
    expect(problems).toEqual([differs(said[1]!, "stake_day is 500")]);
  });

  const raise = limit(900, { at: 10, from: 30 });

  it("a raise waits, and until then the one before holds", async () => {
    const said = [limit(400, { at: 5 }), limit(500, { at: 10 }), raise];
    expect(await problemsAtEnd(rows, put({ limitStakeDay: 500 }, {}), said)).toEqual([]);
    expect(await problemsAtEnd(rows, put({ limitStakeDay: 900 }), said)).toEqual([]);
    expect(await problemsAtEnd(rows, put({ limitStakeDay: 900 }, {}), said)).toEqual([
      differs(raise, "stake_day is 900"),
    ]);
    expect(await problemsAtEnd(rows, put({ limitStakeDay: 500 }), said)).toEqual([differs(raise, "stake_day is 500")]);
  });

  it("nothing holds before a raise of a limit from before the log", async () => {
    expect(await problemsAtEnd(rows, put({ limitStakeDay: 123 }, {}), [raise])).toEqual([]);
  });

  it.each<[string, Partial<Change>]>([
    ["at another time", { dueAt: 29 }],
    ["for another value", { value: 901 }],
    ["for none", { value: null }],
  ])("a raise waits %s", async (_, other) => {
    const problems = await problemsAtEnd(rows, put({ limitStakeDay: 500 }, other), [limit(500), raise]);
    expect(problems).toEqual([differs(raise, "stake_day is 500")]);
  });

  it("the end of a limit waits", async () => {
    const end = limit("none", { at: 10, from: 30 });
    expect(await problemsAtEnd(rows, put({ limitStakeDay: 500 }, { value: null }), [limit(500), end])).toEqual([]);
  });

  it("a raise that was called off never holds", async () => {
    const said = [limit(500), raise, limit(300, { at: 20 }), limit(800, { at: 25, from: 45 })];
    const waits = { value: 800, dueAt: 45 };
    expect(await problemsAtEnd(rows, put({ limitStakeDay: 300 }, waits), said)).toEqual([]);
    const called = said.slice(0, 3).toSpliced(2, 1, limit(800, { at: 20, from: 45 }));
    expect(await problemsAtEnd(rows, put({ limitStakeDay: 500 }, waits), called)).toEqual([]);
  });

  it("what waits for another limit, or another member, is not this one's", async () => {
    const others = put({ limitStakeDay: 500 }, { name: "limitLossDay" }, { memberId: 2 });
    const both: Put = async (tx, run) => {
      await others(tx, run);
      await tx.insert(wallets).values({ memberId: 2, limitStakeDay: 600 });
    };
    const said = [
      limit(500),
      limit(600, { memberId: 2 }),
      says("limit", { ...raise.content } as never, { memberId: 2 }),
    ];
    expect(await problemsAtEnd(rows, both, said)).toEqual([]);
  });
});

describe("the audit keeps what a page says for its end:", () => {
  it("of a member's erasure", async () => {
    const problems = await problemsAtEnd(rows, nothing, [says("erasure", {}, { memberId: 3 })]);
    expect(problems).toEqual(["the log says that member 3 was erased, the tables do not"]);
  });

  it("of a comment", async () => {
    const problems = await problemsAtEnd(rows, nothing, [says("comment", { id: "cmt_1" })]);
    expect(problems).toEqual(["the log's comment, leaf 2 of member m1, of cmt_1 has no comment in the tables"]);
  });
});
