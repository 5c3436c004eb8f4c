import { and, asc, count, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bankAccounts, logLeaves, logRestores, memberChains, memberLeaves, transfers } from "#db/schema/index.ts";
import { setRealName } from "#server/domains/account/real-name.ts";
import { sealNumber } from "#server/domains/account/seal-number.ts";
import { addMemberLeaf, isMemberLeafTold } from "#server/domains/log/member-leaves.ts";
import { stateBankOnce } from "#server/domains/payments/state-withdrawal.ts";
import { approveWithdrawal, payWithdrawal, refuseWithdrawal } from "#server/domains/payments/decide-withdrawal.ts";
import { creditMember, reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { hexToBytes } from "@noble/hashes/utils.js";
import { parseChainNote } from "#shared/log/chain-note.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { hashOfLeaf } from "#shared/log/leaf.ts";
import { parseKey, parseNote } from "#shared/log/note.ts";
import { follows, hashOfContent, NO_LEAF_BEFORE, parseChained, type ChainedKind } from "#shared/log/salted.ts";
import { isIncluded } from "#shared/log/tree.ts";
import { fromUnits } from "#shared/money.ts";
import { DAY_MS } from "#shared/time.ts";
import { spend } from "../../support/ledger.ts";
import { audited, problemsOf } from "../../support/audited.ts";
import { Copies } from "../../support/copies.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { changeWords, offer, pairOf, points, prize, spin } from "../wheel/wheel-world.ts";
import { ask, asked, bind, NUMBER, PIN, saver } from "../payments/purse.ts";
import { give } from "../../support/credentials.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await saver(w, "mia_1", 1_000);
});
afterEach(async () => {
  const problems = await problemsOf(w);
  await w.close();
  if (problems.length > 0) throw new Error(`the audit finds: ${problems.join("; ")}`);
});

const mine = async (player = mia, from = 1) =>
  (await player.call("/fair/mine", { from: String(from) }, { method: "GET" })).data;
const saysOf = async (player = mia) =>
  (await mine(player)).leaves.map(({ content }) => {
    const { member: _member, number: _number, before: _before, at: _at, ...own } = parseChained(content)!;
    return own;
  });
const credit = (units: number, player = mia) =>
  w.deps.db.transact((tx) => creditMember(tx, w.deps, player.memberId, fromUnits(units), "A gift"));
const rows = () => w.deps.db.read.select().from(memberLeaves).orderBy(asc(memberLeaves.id));
const limits = (input: Record<string, string>) => mia.call("/member/limits", input, { method: "POST" });

describe("the log says of a member", () => {
  it("what an operator credited and reversed, and what was bought", async () => {
    const { transferId } = await credit(40);
    await w.deps.db.transact((tx) => reverseCredit(tx, w.deps, transferId, "A mistake"));
    await spend(w, mia, 70);
    expect((await saysOf()).filter(({ kind }) => kind !== "bank")).toEqual([
      { kind: "credit", code: "credit", cause: "test:mia_1", amount: 100_000, unit: "point" },
      { kind: "credit", code: "credit", cause: expect.stringMatching(/^op_/), amount: 4_000, unit: "point" },
      { kind: "debit", code: "reversal", cause: `trf_${transferId}`, amount: 4_000, unit: "point", days: 0 },
      {
        kind: "debit",
        code: "plan",
        cause: expect.stringMatching(/^spent:1d:/),
        amount: 7_000,
        unit: "point",
        days: 1,
      },
    ]);
  });

  it("the whole number of an account, which the table keeps encrypted", async () => {
    expect((await saysOf())[1]).toEqual({ kind: "bank", bank: "vn_acb", account: NUMBER, holder: "Mia Tran" });
    expect(JSON.stringify(await rows())).not.toContain(NUMBER);
  });

  it("each step of a withdrawal, with the leaf of its account", async () => {
    const [paid, refused] = [await asked(mia, 100), await asked(mia, 200)];
    const { db } = w.deps;
    await db.transact((tx) => approveWithdrawal(tx, w.deps, paid));
    await db.transact((tx) => payWithdrawal(tx, w.deps, paid));
    await db.transact((tx) => refuseWithdrawal(tx, w.deps, refused, "No"));
    const { leaves } = await mine();
    const step = (id: number, state: string, units: number) => {
      const own = { id: `wdr_${id}`, state, amount: fromUnits(units), unit: "point", bank: leaves[1]!.hash };
      return { kind: "withdrawal", ...own };
    };
    expect((await saysOf()).slice(2)).toEqual([
      step(paid, "review", 100),
      step(refused, "review", 200),
      step(paid, "approved", 100),
      step(paid, "paid", 100),
      step(refused, "refused", 200),
    ]);
  });

  it("a limit that is set, one that will be raised, one that is called off, and a break", async () => {
    const now = w.now();
    const until = Math.floor((now + 2 * DAY_MS) / 1000);
    for (const day of ["500", "900", "500", "500"]) await limits({ stake_day: day });
    await limits({ stake_day: "900" });
    await limits({ exclude_until: String(until) });
    const of = (value: number, from: number) => ({ kind: "limit", limit: "stake_day", value, from });
    expect((await saysOf()).slice(2)).toEqual([
      of(50_000, now),
      of(90_000, now + DAY_MS),
      of(50_000, now),
      of(90_000, now + DAY_MS),
      { kind: "limit", limit: "exclude_until", value: until * 1000, from: now },
    ]);
    await w.live(DAY_MS);
    await w.site.housekeeping.tick();
  });

  it("a raise that takes the place of another one, while the limit of before is in force", async () => {
    for (const loss_day of ["80", "90", "100"]) await limits({ loss_day });
    expect(await problemsOf(w)).toEqual([]);
    await w.live(DAY_MS);
    await w.site.housekeeping.tick();
    await limits({ loss_day: "110" });
    await limits({ loss_day: "120" });
    expect(await problemsOf(w)).toEqual([]);
  });

  it("the commit of a pair before its words, and each spin", async () => {
    await offer(w, points("five", 500), prize("thanks"));
    const { next_commit, table } = await pairOf(mia);
    expect([(await saysOf())[2], table]).toEqual([{ kind: "pair", pair: 0, next_commit }, null]);
    await changeWords(mia, "mine");
    const { data } = await spin(mia);
    const { table: bound } = await pairOf(mia);
    const said = (await saysOf()).slice(3);
    expect(said).toMatchObject([
      { kind: "pair", pair: 1 },
      { kind: "spin", pair: 0, nonce: 0, words: "mine", words_by: "member", table_hash: bound!.hash, prize: data.id },
    ]);
  });
});

describe("a member's chain", () => {
  it("is linked without a gap, and each leaf is proved by a head that was announced", async () => {
    await credit(5);
    await w.deps.publicLog.advance();
    const { head, leaves } = await mine();
    const { size, root } = parseCheckpoint(parseNote(head!)!.text)!;
    let before = { number: 0, hash: NO_LEAF_BEFORE };
    for (const { number, hash, content, salt, place } of leaves) {
      const said = parseChained(content)!;
      expect(follows(said, before)).toBe(true);
      expect(hashOfContent(hexToBytes(salt), said)).toBe(hash);
      const leaf = hashOfLeaf({ kind: said.kind, hash });
      expect(isIncluded(leaf, place!.index, { size, root }, place!.path.map(hexToBytes))).toBe(true);
      before = { number, hash };
    }
    expect(leaves).toHaveLength(3);
    expect((await mine(mia, 3)).leaves.map(({ number }) => number)).toEqual([3]);
  });

  it("is one's own: others get theirs, and nobody sees more than hashes in the log", async () => {
    const tom = await w.player("tom_1", { balance: 7 });
    expect(await saysOf(tom)).toEqual([
      { kind: "credit", code: "credit", cause: "test:tom_1", amount: 700, unit: "point" },
    ]);
    const all = await w.deps.db.read.select().from(logLeaves);
    const texts = all.map(({ text }) => text!).filter((text) => /"(credit|bank)"/.test(text));
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(text).toMatch(/^\{"hash":"[0-9a-f]{64}","kind":"(credit|bank)"\}$/);
  });

  it("is signed at its end with each balance", async () => {
    await w.deps.publicLog.advance();
    const key = parseKey((await w.call("/fair/head", {}, { method: "GET" })).data.key)!;
    const { chain } = (await mia.call("/member/getUserInfo")).data;
    const [{ hash, number } = { hash: "", number: 0 }] = (await mine()).leaves.slice(-1);
    const end = { origin: key.name, member: String(mia.memberId), number, hash, time: w.now() };
    expect(parseChainNote(chain, key)).toEqual(end);
    expect(parseChainNote(chain.replace("\n2\n", "\n1\n"), key)).toBeNull();
    const newcomer = await w.player("ida_1");
    const none = (await newcomer.call("/member/getUserInfo")).data.chain;
    expect(parseChainNote(none, key)).toMatchObject({ number: 0, hash: NO_LEAF_BEFORE });
  });

  it("has no leaf of what was refused", async () => {
    const before = await rows();
    expect((await ask(mia, 5_000)).code).toBe(422);
    expect((await bind(mia)).code).toBe(409);
    expect((await limits({ exclude_until: "1" })).code).toBe(400);
    expect((await spin(mia)).code).toBe(422);
    const failed = w.deps.db.transact(async (tx) => {
      await creditMember(tx, w.deps, mia.memberId, 100, "A gift");
      throw new Error("midway");
    });
    await expect(failed).rejects.toThrow("midway");
    expect(await rows()).toEqual(before);
  });

  it("has one leaf of a request that was repeated with its key", async () => {
    const ids = [await ask(mia, 100, { key: "w-1" }), await ask(mia, 100, { key: "w-1" })].map(({ data }) => data.id);
    expect(ids[0]).toBe(ids[1]);
    expect((await saysOf()).filter(({ kind }) => kind === "withdrawal")).toHaveLength(1);
  });

  it("stays in order, however much comes at once", async () => {
    await Promise.all([
      ...Array.from({ length: 8 }, (_, i) => credit(i + 1)),
      ...["100", "90", "80"].map((loss_day) => limits({ loss_day })),
      ask(mia, 100),
      ask(mia, 110),
    ]);
    const numbers = (await rows()).filter(({ memberId }) => memberId === mia.memberId).map(({ number }) => number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, i) => i + 1));
    expect(numbers.length).toBeGreaterThan(12);
    const [end] = await w.deps.db.read.select().from(memberChains).where(eq(memberChains.memberId, mia.memberId));
    expect(end!.number).toBe(numbers.length);
  });

  it("outlives a kill before its leaves have their numbers", async () => {
    await credit(5);
    const waiting = and(eq(logLeaves.log, 1));
    const [before] = await w.deps.db.read.select({ leaves: count() }).from(logLeaves).where(waiting);
    await w.crash();
    await w.deps.publicLog.advance();
    const { leaves } = await mine();
    expect(leaves.every(({ place }) => place !== null)).toBe(true);
    const [after] = await w.deps.db.read.select({ leaves: count() }).from(logLeaves).where(waiting);
    expect(after!.leaves).toBeGreaterThan(before!.leaves);
  });

  it("states nothing twice", async () => {
    const said = { kind: "credit", code: "credit", cause: "test:mia_1", amount: 1, unit: "point", at: 1 } as const;
    const again = w.deps.db.transact((tx) => addMemberLeaf<"credit">(tx, mia.memberId, said));
    await expect(again).rejects.toThrow(/member_leaves|insert into/i);
    expect(await isMemberLeafTold(w.deps.db.read, mia.memberId, "credit:credit:test:mia_1")).toBe(false);
  });
});

describe("an account from before the log said accounts", () => {
  it("is stated with the next withdrawal, once", async () => {
    const tom = await w.player("tom_1", { balance: 900 });
    await give(w, tom.memberId, { pin: PIN });
    await w.deps.db.transact((tx) => setRealName(tx, tom.memberId, "Tom Lee"));
    const [own] = await w.deps.db.read.select().from(bankAccounts);
    const sealed = sealNumber(w.deps, tom.memberId, "123456");
    await w.deps.db.transact((tx) => tx.insert(bankAccounts).values({ ...own!, memberId: tom.memberId, sealed }));
    await asked(tom, 100);
    await asked(tom, 100);
    await w.deps.db.transact((tx) => stateBankOnce(tx, w.deps, tom.memberId));
    const kinds: ChainedKind[] = (await saysOf(tom)).map(({ kind }) => kind);
    expect(kinds).toEqual(["credit", "bank", "withdrawal", "withdrawal"]);
  });
});

describe("what is said and what is done", () => {
  const FIRST = "member.leaf";

  it("are one: a process that is killed between them leaves neither", async () => {
    const before = { leaves: await rows(), ledger: await w.deps.db.read.select().from(transfers) };
    const logged = await w.deps.db.read.select({ all: count() }).from(logLeaves);
    arm(`${FIRST} throw`);
    await expect(credit(40)).rejects.toThrow(FIRST);
    expect((await limits({ stake_day: "500" })).code).toBe(500);
    disarm();
    expect(await rows()).toEqual(before.leaves);
    expect(await w.deps.db.read.select().from(transfers)).toEqual(before.ledger);
    expect(await w.deps.db.read.select({ all: count() }).from(logLeaves)).toEqual(logged);
    await credit(40);
    expect((await rows()).length).toBe(before.leaves.length + 1);
  });
});

describe("a log that begins again after a restore", () => {
  it("states where each member's chain ends, and the audit says if it does not", async () => {
    const leo = await saver(w, "leo_1", 100);
    await credit(40);
    await w.deps.publicLog.advance();
    const ends = [(await mine()).leaves.at(-1)!, (await mine(leo)).leaves.at(-1)!];
    await w.deps.db.transact((tx) =>
      tx.insert(logRestores).values({ id: 1, reason: { en_us: "x" }, createdAt: w.now() }),
    );
    await w.deps.publicLog.advance();
    const after = [(await mine()).leaves, (await mine(leo)).leaves];
    for (const [i, leaves] of after.entries()) {
      expect(leaves.at(-1)).toMatchObject({ hash: ends[i]!.hash, place: { index: expect.any(Number) } });
      expect(leaves.slice(0, -1).every(({ place }) => place === null)).toBe(true);
    }
    expect(await problemsOf(w)).toEqual([]);
    const copies = await Copies.of(w);
    const cut = 'delete from log_leaves where log = 2 and text like \'%"kind":"credit"%\'';
    const { problems } = await audited(await copies.tampered(cut));
    await copies.close();
    expect(problems).toContainEqual(
      `the log's chain of member ${mia.memberId} ends at leaf ${ends[0] && after[0]!.length}, which the log of today does not state`,
    );
  });
});
