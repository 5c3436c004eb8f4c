import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { bankAccounts, logKeys, masterKeys, memberLeaves } from "#db/schema/index.ts";
import { openNumber } from "#server/domains/account/seal-number.ts";
import { unbindBank } from "#server/domains/payments/unbind-bank.ts";
import { Resealing } from "#server/jobs/reseal.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { problemsOf } from "../../support/audited.ts";
import type { Player, World } from "../../support/world.ts";
import { reasonOf } from "../../support/reason-of.ts";
import { bind, DAY_START, move, NUMBER, owner, RING, ringWorld, until, withKeys } from "./ring-world.ts";

const OTHER = "88001122334455";

let w: World;
let players: Player[];
beforeEach(async () => {
  w = await ringWorld();
  players = [await owner(w, "mia_1"), await owner(w, "ben_2"), await owner(w, "kim_3")];
  await withKeys(w, RING);
  await until(w, DAY_START + 1_000);
});
afterEach(async () => {
  disarm();
  await w.close();
});

const banks = () => w.deps.db.read.select().from(bankAccounts).orderBy(bankAccounts.memberId);
const leaves = async () =>
  (await w.deps.db.read.select().from(memberLeaves).orderBy(memberLeaves.id)).filter(({ key }) =>
    key.startsWith("bank:"),
  );
const numbers = async () => (await banks()).map(({ memberId, sealed }) => openNumber(w.deps, memberId, sealed));

describe("moving to the master key in force", () => {
  it("is done by two processes at once, and changes nothing of what is said", async () => {
    const before = await leaves();
    const [one, other] = [new Resealing(w.deps), new Resealing(w.deps)];
    await Promise.all([one.step(), other.step(), one.step(), other.step()]);
    expect((await banks()).map(({ sealed }) => sealed.slice(0, 2))).toEqual(["2.", "2.", "2."]);
    expect(await numbers()).toEqual([NUMBER, NUMBER, NUMBER]);
    const strip = ({ content, ...rest }: (typeof before)[number]) => ({
      ...rest,
      content: content.replace(/"account":"[^"]*"/, ""),
    });
    expect((await leaves()).map(strip)).toEqual(before.map(strip));
    expect((await leaves()).every(({ content }) => content.includes('"account":"2.'))).toBe(true);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("goes on where a process was killed, and takes no account back that its member changed meanwhile", async () => {
    const { memberId } = players[1]!;
    arm(`keys.reseal:${memberId} throw 1`);
    await expect(new Resealing(w.deps).step()).rejects.toThrow("failpoint");
    expect((await banks()).map(({ sealed }) => sealed.startsWith("2."))).toEqual([true, false, false]);
    const changes = async () => {
      await w.deps.db.transact((tx) => unbindBank(tx, w.deps, memberId));
      await bind(w, players[1]!, OTHER);
    };
    await Promise.all([new Resealing(w.deps).step(), changes()]);
    await w.crash();
    await move(w);
    expect(await numbers()).toEqual([NUMBER, OTHER, NUMBER]);
    expect((await banks()).every(({ sealed }) => sealed.startsWith("2."))).toBe(true);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("leaves a row alone that does not open, and moves the others", async () => {
    const { memberId } = players[0]!;
    const { sealed: stranger } = (await banks())[1]!;
    await w.deps.db.transact((tx) =>
      tx.update(bankAccounts).set({ sealed: stranger }).where(eq(bankAccounts.memberId, memberId)),
    );
    await move(w);
    expect((await banks()).map(({ sealed }) => sealed.startsWith("2."))).toEqual([false, true, true]);
    expect(w.logged.filter((line) => line.includes("a bank account could not be moved"))).toHaveLength(1);
  });
});

describe("the database", () => {
  const change = async (content: (old: string) => string, more: Record<string, unknown> = {}) => {
    const [leaf] = await leaves();
    const set = { content: content(leaf!.content), ...more };
    const done = await w.deps.db
      .transact((tx) => tx.update(memberLeaves).set(set).where(eq(memberLeaves.id, leaf!.id)))
      .then(() => "changed", reasonOf);
    const isSame = JSON.stringify((await leaves())[0]) === JSON.stringify(leaf);
    return [done, isSame];
  };
  const anew = (version: string) => (old: string) =>
    old.replace(/"account":"(?:\d+\.)?[^"]*"/, `"account":"${version}abcdef"`);
  const REFUSED = [expect.stringContaining("what the log says of members is never changed"), true];

  it.each([
    ["the holder", (old: string) => old.replace("NGUYEN", "TRAN"), {}],
    ["the holder with the account", (old: string) => anew("2.")(old).replace("NGUYEN", "TRAN"), {}],
    ["the account under no other key", anew(""), {}],
    ["the account under the first key", anew("1."), {}],
    ["the account in other letters", (old: string) => anew('2."')(old), {}],
    ["a space", (old: string) => anew("2.")(old).replace(":", ": "), {}],
    ["everything", () => "", {}],
    ["the hash too", anew("2."), { hash: "0".repeat(64) }],
    ["the number too", anew("2."), { number: 7 }],
    ["the salt too", anew("2."), { salt: "0".repeat(64) }],
  ])("keeps a member's leaf as it is, but for the account under a later key: %s", async (_, content, more) => {
    expect(await change(content, more)).toEqual(REFUSED);
  });

  it("takes an account under a later key, and none under an earlier one after that", async () => {
    expect(await change(anew("3."))).toEqual(["changed", false]);
    expect(await change(anew("2."))).toEqual(REFUSED);
    expect(await change(anew("3."))).toEqual(REFUSED);
  });

  it("keeps the log's keys as they are, but for their secret under a later key", async () => {
    const set = (sealedKey: string) =>
      w.deps.db.transact((tx) => tx.update(logKeys).set({ sealedKey })).then(() => "changed", reasonOf);
    const never = expect.stringContaining("keys of the log are never changed");
    expect(await set("other")).toEqual(never);
    expect(await set("")).toEqual(never);
    expect(await set("3.other")).toBe("changed");
    expect(await set("2.other")).toEqual(never);
  });

  it("keeps what it knows of a master key", async () => {
    const STAYS = expect.stringContaining("what is known of a master key is never");
    const rows = await w.deps.db.read.select().from(masterKeys);
    for (const set of [{ fromDay: 1 }, { fingerprint: "0" }, { exportKey: "0" }])
      expect(await w.deps.db.transact((tx) => tx.update(masterKeys).set(set)).catch(reasonOf)).toEqual(STAYS);
    expect(await w.deps.db.transact((tx) => tx.delete(masterKeys)).catch(reasonOf)).toEqual(STAYS);
    expect(await w.deps.db.read.select().from(masterKeys)).toEqual(rows);
  });
});
