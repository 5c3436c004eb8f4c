import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attempts, members, messages } from "#db/schema/index.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { extendMembership, lockMember } from "#server/domains/account/change-status.ts";
import { endMembership, listEnding } from "#server/domains/account/end-membership.ts";
import { findMember, memberWireId, readMember } from "#server/domains/account/find-member.ts";
import { verifyPasscode } from "#server/domains/account/passcode.ts";
import { OPERATOR } from "#server/domains/account/hash-lanes.ts";
import { NOBODYS, Passwords } from "#server/domains/account/passwords.ts";
import { setRealName } from "#server/domains/account/real-name.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { START, world, type World } from "../../support/world.ts";

let w: World;

beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

const transact: World["deps"]["db"]["transact"] = (work) => w.deps.db.transact(work);
const add = (username: string, demo?: boolean) =>
  transact((tx) => addMember(tx, { username, passwordHash: null, ...(demo === undefined ? {} : { demo }) }, START));
const read = (id: number) => readMember(w.deps.db.read, id);
const setUntil = (id: number, memberUntil: number) =>
  transact((tx) => tx.update(members).set({ memberUntil }).where(eq(members.id, id)));

describe("a new member", () => {
  it("has an empty wallet, is no demo unless told, is not locked and has no membership", async () => {
    const mia = await add("mia_1");
    expect(await read(mia)).toMatchObject({ demo: false, locked: false, memberUntil: 0, createdAt: START });
    expect(await readWallet(w.deps.db.read, mia)).toMatchObject({ balance: 0, version: 0, frozen: false });
    expect((await read(await add("demo_1", true))).demo).toBe(true);
  });

  it("has one of twenty avatars: the first is the second member's number, and they come round", async () => {
    for (let i = 0; i < 41; i++) {
      const id = await add(`m_${i}`);
      expect([id, (await read(id)).avatar]).toEqual([id, `avatar/${id % 20 === 0 ? 1 : (id % 20) + 1}`]);
    }
  });

  it("is found by name in any case, and by id; nobody else is", async () => {
    const mia = await add("mia_1");
    expect((await findMember(w.deps.db.read, "MIA_1"))!.id).toBe(mia);
    expect(await findMember(w.deps.db.read, "mia")).toBeUndefined();
    await expect(read(mia + 1)).rejects.toThrow("there is no member");
    expect(memberWireId(mia)).toBe(`mem_${mia}`);
  });

  it("cannot have a name that is taken, and then leaves nothing behind", async () => {
    await add("mia_1");
    await expect(add("mia_1")).rejects.toMatchObject({ reason: "username.taken" });
    expect(await w.deps.db.read.select().from(members)).toHaveLength(1);
  });

  it("has a real name from the first that is set", async () => {
    const [mia, eva] = [await add("mia_1"), await add("eva_1")];
    expect(await transact((tx) => setRealName(tx, mia, "Mia"))).toBe(true);
    expect(await transact((tx) => setRealName(tx, mia, "Ann"))).toBe(false);
    expect([(await read(mia)).realName, (await read(eva)).realName]).toEqual(["Mia", null]);
  });
});

describe("a status", () => {
  const heard = async () => {
    await w.site.relay.wake();
    const ids: number[] = [];
    w.deps.bus.on("member.changed", ({ memberId }) => ids.push(memberId));
    return async () => {
      await w.site.relay.wake();
      return ids;
    };
  };

  it("that is locked locks the wallet of this member alone, and is announced", async () => {
    const [mia, eva] = [await add("mia_1"), await add("eva_1")];
    const ids = await heard();
    for (const locked of [true, false]) {
      await transact((tx) => lockMember(tx, w.deps, mia, locked));
      expect((await read(mia)).locked).toBe(locked);
      expect((await readWallet(w.deps.db.read, mia)).frozen).toBe(locked);
      expect((await read(eva)).locked).toBe(false);
      expect((await readWallet(w.deps.db.read, eva)).frozen).toBe(false);
    }
    expect(await ids()).toEqual([mia, mia]);
  });

  it("lasts from now for so many days, or from its end if that is later", async () => {
    const [mia, eva] = [await add("mia_1"), await add("eva_1")];
    const extend = (days: number) => transact((tx) => extendMembership(tx, w.deps, mia, days));
    const ids = await heard();
    expect(await extend(2)).toBe(START + 2 * DAY_MS);
    expect(await extend(3)).toBe(START + 5 * DAY_MS);
    w.pass(6 * DAY_MS);
    expect(await extend(1)).toBe(START + 7 * DAY_MS);
    expect([(await read(mia)).memberUntil, (await read(eva)).memberUntil]).toEqual([START + 7 * DAY_MS, 0]);
    expect(await ids()).toEqual([mia, mia, mia]);
  });
});

describe("a membership's end", () => {
  const span = (after: number, upTo: number, most = 10) => listEnding(w.deps.db.read, { after, upTo, most });
  const end = (memberId: number, until: number) => transact((tx) => endMembership(tx, w.deps, { memberId, until }));
  const told = () => w.deps.db.read.select().from(messages);

  it("is listed after the one moment and up to the other, the earliest first and no more than asked for", async () => {
    const [ann, ben, eva, mia] = [await add("ann_1"), await add("ben_1"), await add("eva_1"), await add("mia_1")];
    for (const [id, until] of [
      [ann, START + 30],
      [ben, START + 20],
      [eva, START + 20],
      [mia, START + 10],
    ] as const)
      await setUntil(id, until);
    const ids = async (...given: Parameters<typeof span>) => (await span(...given)).map(({ memberId }) => memberId);
    expect(await ids(START + 10, START + 30)).toEqual([ben, eva, ann]);
    expect(await ids(START + 9, START + 29)).toEqual([mia, ben, eva]);
    expect(await ids(START, START + 30, 2)).toEqual([mia, ben]);
  });

  it("has one message, dated with it, and is not listed any more; an earlier end does not count", async () => {
    const [ann, mia] = [await add("ann_1"), await add("mia_1")];
    for (const id of [ann, mia]) await setUntil(id, START);
    await end(mia, START);
    await end(mia, START);
    expect(await told()).toMatchObject([{ memberId: mia, kind: "membership.ended", createdAt: START }]);
    expect(await span(0, START)).toEqual([{ memberId: ann, until: START }]);
    await setUntil(mia, START + 1);
    expect(await span(0, START + 1)).toHaveLength(2);
    await transact((tx) => tx.update(messages).set({ kind: "withdraw.paid", createdAt: START + 1 }));
    w.pass(1);
    await end(mia, START + 1);
    expect(await told()).toHaveLength(2);
  });

  it("has no message before it, nor when it was moved", async () => {
    const mia = await add("mia_1");
    await setUntil(mia, START + 1);
    await end(mia, START + 1);
    expect(await told()).toEqual([]);
    w.pass(1);
    await end(mia, START);
    expect(await told()).toEqual([]);
    await end(mia, START + 1);
    expect(await told()).toHaveLength(1);
  });
});

describe("a passcode", () => {
  const PASSES = {
    verify: (_: string | null, pin: string) => Promise.resolve(pin === "246810"),
    renew: () => Promise.resolve(null),
  };
  const enter = (id: number, pin: string) =>
    verifyPasscode(w.deps, PASSES, id, pin).then(
      () => "right",
      ({ reason, detail }: { reason: string; detail?: { retryAfterS?: number } }) =>
        detail?.retryAfterS === undefined ? reason : `${reason} ${detail.retryAfterS}`,
    );
  const withPin = async (name: string) => {
    const id = await add(name);
    await transact((tx) => tx.update(members).set({ payPinHash: "hash" }).where(eq(members.id, id)));
    return id;
  };

  it("must have been set", async () => {
    expect(await enter(await add("mia_1"), "246810")).toBe("passcode.missing");
  });

  it("is locked for fifteen minutes by the fifth wrong one in a row, for its member alone", async () => {
    const [mia, eva] = [await withPin("mia_1"), await withPin("eva_1")];
    for (let i = 0; i < 5; i++) expect(await enter(mia, "0")).toBe("passcode.wrong");
    expect(await enter(mia, "246810")).toBe("passcode.locked 900");
    expect(await enter(eva, "246810")).toBe("right");
    w.pass(15 * MINUTE_MS - 1);
    expect(await enter(mia, "246810")).toBe("passcode.locked 1");
    w.pass(1);
    for (let i = 0; i < 4; i++) expect(await enter(mia, "0")).toBe("passcode.wrong");
    expect(await enter(mia, "246810")).toBe("right");
    expect(await w.deps.db.read.select().from(attempts)).toEqual([]);
  });

  it("is told of at the third wrong one in a row and at each lock, and not again before a right one", async () => {
    const mia = await withPin("mia_1");
    const told = async () => {
      const rows = await w.deps.db.read.select().from(messages).where(eq(messages.memberId, mia)).orderBy(messages.id);
      return rows.map(({ kind }) => kind.replace("security.passcode", ""));
    };
    const guess = async (times: number) => {
      for (let i = 0; i < times; i++) await enter(mia, "0");
      return told();
    };
    expect(await guess(2)).toEqual([]);
    expect(await guess(1)).toEqual(["Failed"]);
    expect(await guess(2)).toEqual(["Failed", "Locked"]);
    w.pass(15 * MINUTE_MS);
    expect(await guess(5)).toEqual(["Failed", "Locked", "Locked"]);
    w.pass(30 * MINUTE_MS);
    expect(await enter(mia, "246810")).toBe("right");
    expect(await guess(3)).toEqual(["Failed", "Locked", "Locked", "Failed"]);
  });

  it("is told of once when many wrong ones come at the same time", async () => {
    const mia = await withPin("mia_1");
    await Promise.all(Array.from({ length: 12 }, () => enter(mia, "0")));
    const rows = await w.deps.db.read.select().from(messages).where(eq(messages.memberId, mia));
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual(["security.passcodeFailed", "security.passcodeLocked"]);
  });

  it("is not locked by other attempts under the same name, and does not forget them", async () => {
    const mia = await withPin("mia_1");
    const other = {
      kind: "export" as const,
      subject: String(mia),
      failures: 9,
      blockedUntil: START + DAY_MS,
      lastAt: START,
    };
    await transact((tx) => tx.insert(attempts).values(other));
    expect(await enter(mia, "246810")).toBe("right");
    expect(await w.deps.db.read.select().from(attempts)).toMatchObject([other]);
  });

  it("that is right makes the count begin again", async () => {
    const mia = await withPin("mia_1");
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) expect(await enter(mia, "0")).toBe("passcode.wrong");
      expect(await enter(mia, "246810")).toBe("right");
    }
  });
});

describe("the queue of passwords", () => {
  it("hashes with argon2id", async () => {
    expect(await new Passwords(w.deps.keys).hash("later", OPERATOR)).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
  });

  it("accepts the right password, no other, and none where there is no hash", async () => {
    const passwords = new Passwords(w.deps.keys);
    const stored = await passwords.hash("open sesame", OPERATOR);
    expect(await passwords.verify(stored, "open sesame", OPERATOR)).toBe(true);
    expect(await passwords.verify(stored, "open sesam", OPERATOR)).toBe(false);
    expect(await passwords.verify(null, NOBODYS, OPERATOR)).toBe(false);
  });

  it("goes on after a hash that cannot be read", async () => {
    const passwords = new Passwords(w.deps.keys);
    await expect(passwords.verify("no hash", "a", OPERATOR)).rejects.toThrow("Decoding failed");
    expect(await passwords.verify(await passwords.hash("a", OPERATOR), "a", OPERATOR)).toBe(true);
  });
});
