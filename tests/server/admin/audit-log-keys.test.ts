import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bets } from "#db/schema/bets.ts";
import { houseEntries } from "#db/schema/ledger.ts";
import { batchSignatures, logKeys, logRotations, memberSalts } from "#db/schema/log.ts";
import { games, rounds } from "#db/schema/lottery.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { auditKeys, rotatedKeys, statedKey } from "#server/admin/audit/log-keys.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { MemberSalt } from "#server/domains/log/member-salt.ts";
import { BetLeaves } from "#server/domains/log/round-leaves.ts";
import { addLeaf } from "#server/domains/log/add-leaf.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { keyText } from "#shared/log/note.ts";
import { batchText } from "#shared/log/receipt.ts";
import { parseDay } from "#shared/time.ts";
import { MerkleTree } from "#shared/merkle.ts";
import { LEAF } from "../../log/leaves.ts";
import { base64Of, bytes, hexOf, serverHash, signerOf } from "../../log/world.ts";
import { GAMES } from "./audit-round-rows.ts";
import { all, emptyRows, type Put, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

const ORIGIN = "house.example/log";
const [first, second, third] = ["first", "second", "third"].map((word) => signerOf(ORIGIN, undefined, word)) as [
  ReturnType<typeof signerOf>,
  ReturnType<typeof signerOf>,
  ReturnType<typeof signerOf>,
];
type Key = typeof logKeys.$inferSelect;
const key = (id: number, signer: typeof first, change: Partial<Key> = {}): Key => ({
  id,
  log: 1,
  origin: ORIGIN,
  publicKey: hexOf(signer.key.publicKey),
  sealedKey: "sealed",
  firstBatch: 0,
  createdAt: id,
  ...change,
});
const putKeys =
  (...some: Key[]): Put =>
  (tx) =>
    tx.insert(logKeys).values(some);

describe("the audit asks what the log says of a new key for the key,", () => {
  const change = (next: typeof first): Leaf<"key"> => ({ ...LEAF.key, next: keyText(next.key) });
  const keys = putKeys(
    key(1, first),
    key(2, second, { firstBatch: 13, createdAt: 9 }),
    key(3, third, { log: 2, firstBatch: 20 }),
  );
  const rotated =
    (id: number, reason: typeof logRotations.$inferInsert.reason): Put =>
    (tx) =>
      tx.insert(logRotations).values({ id, reason, createdAt: 8 });
  const statedIn = (put: Put, leaf: Leaf<"key">) =>
    rows.within(async (tx, run) => {
      await put(tx, run);
      return statedKey(tx, leaf);
    });
  const given = { old: keyText(first.key), batch: 12, at: 9 };

  it("and its reason, in whatever languages", async () => {
    const put = all(keys, rotated(1, { ms_my: "Curi", en_us: "Stolen" }), rotated(2, "another"));
    const [said, ...more] = await statedIn(put, change(second));
    expect([said, more]).toEqual([{ ...change(second), ...given, reason: { en_us: "Stolen", ms_my: "Curi" } }, []]);
    expect(JSON.stringify(said!.reason)).toBe('{"en_us":"Stolen","ms_my":"Curi"}');
  });

  it("for which nobody may have asked", async () => {
    const said = await statedIn(keys, change(second));
    expect(said).toEqual([{ ...change(second), ...given, reason: "" }]);
  });

  it.each([
    ["begins the first log", first],
    ["begins another log", third],
    ["is unknown", signerOf(ORIGIN, undefined, "fourth")],
  ])("and finds none where it %s", async (_, next) => {
    const said = await statedIn(keys, change(next));
    expect(said).toEqual([]);
  });

  it("and demands one of each but the first", () => {
    const wanted = rotatedKeys([key(1, first), key(2, second), key(3, third, { publicKey: "no key" })]);
    expect(wanted).toEqual([
      { kind: "key", next: keyText(second.key) },
      { kind: "key", next: "" },
    ]);
  });
});

/** What is found of the keys, where a server worked until that moment. */
const problemsOf = (put: Put, worked = 0) =>
  rows.within(async (tx, run) => {
    await put(tx, run);
    // A payout tells that a server worked, and is no batch of bets.
    const sign = { id: 900, kind: "payouts" as const, amount: 0, fromId: 1, toId: 1, createdAt: worked };
    await tx.insert(houseEntries).values(sign);
    const found = new Findings();
    await auditKeys(tx, await SignsOfLife.read(tx, 1_000_000), found);
    return found.problems;
  });

describe("the audit names a key", () => {
  const three = putKeys(key(1, first), key(2, second), key(3, third));
  const asked = (...ids: number[]): Put => {
    const values = ids.map((id) => ({ id, reason: "", createdAt: 100_000 + id }));
    return (tx) => tx.insert(logRotations).values(values);
  };

  it("that was to be replaced, and was not", async () => {
    const says = "the log's key 3 was to be replaced: a server worked on for 400 s";
    expect(await problemsOf(all(three, asked(1, 2, 3)), 500_003)).toEqual([says]);
    expect(await problemsOf(all(three, asked(1, 2, 3)), 100_003)).toEqual([]);
    expect(await problemsOf(all(three, asked(1, 2)), 500_003)).toEqual([]);
  });

  it("that is in force and was forgotten", async () => {
    const forgotten = putKeys(key(1, first, { sealedKey: "" }), key(2, second, { sealedKey: "" }));
    expect(await problemsOf(forgotten)).toEqual(["the log's key 2 is in force and was forgotten"]);
    expect(await problemsOf(three)).toEqual([]);
  });
});

/** The signature of a batch that holds these leaves. */
function signature(signer: typeof first, batch: number, leaves: readonly Uint8Array[] = []): string {
  const tree = new MerkleTree(serverHash);
  for (const leaf of leaves) tree.add(leaf);
  return base64Of(signer.sign(bytes(batchText(ORIGIN, batch, { size: tree.size, root: tree.rootHash() }))));
}

const batch = (id: number, fromId = 100, toId = 99) => ({
  id,
  kind: "bets" as const,
  amount: 0,
  fromId,
  toId,
  createdAt: 1,
});
const putBatches =
  (...ids: number[]): Put =>
  (tx) =>
    tx.insert(houseEntries).values(ids.map((id) => batch(id)));
const sign =
  (signed: Record<number, string>): Put =>
  (tx) =>
    tx
      .insert(batchSignatures)
      .values(Object.entries(signed).map(([id, one]) => ({ batch: Number(id), signature: one })));
const isNone = (id: number) => `the signature of the batch ${id} is not one of its bets by its key`;
const isUnsigned = (id: number) => `the batch ${id} has no signature, and its key was forgotten`;

describe("the audit checks the batches of keys that were replaced:", () => {
  const keys = (forgotten: Partial<Key>, kept: Partial<Key> = {}) =>
    putKeys(
      key(1, first, { firstBatch: 3, ...forgotten }),
      key(2, second, { firstBatch: 6, ...kept }),
      key(3, third, { firstBatch: 8 }),
    );

  it("each of a forgotten one has a signature, from its first to its last", async () => {
    const batches = putBatches(2, 3, 4, 5, 6, 7, 8);
    expect(await problemsOf(all(keys({ sealedKey: "" }), batches))).toEqual([3, 4, 5].map(isUnsigned));
    expect(await problemsOf(all(keys({}, { sealedKey: "" }), batches))).toEqual([6, 7].map(isUnsigned));
    expect(await problemsOf(all(keys({}), batches))).toEqual([]);
    const paid: Put = (tx) => tx.insert(houseEntries).values({ ...batch(4), kind: "payouts" });
    expect(await problemsOf(all(keys({ sealedKey: "" }), paid))).toEqual([]);
  });

  it("each signature is by the key of its batch", async () => {
    const signed = sign({ 3: signature(first, 3), 5: signature(first, 5), 6: signature(second, 6) });
    const put = all(keys({ sealedKey: "" }), putBatches(3, 5, 6), signed);
    expect(await problemsOf(put)).toEqual([]);
    const swapped = sign({ 5: signature(second, 5), 6: signature(first, 6), 7: signature(second, 6) });
    expect(await problemsOf(all(keys({}), putBatches(5, 6, 7), swapped))).toEqual([5, 6, 7].map(isNone));
  });

  it.each<[string, Partial<Key>, string]>([
    ["is no text of one", {}, "!"],
    ["is of another length", {}, "AAAA"],
    ["is by a key that is none", { publicKey: "zz".repeat(32) }, signature(first, 3)],
    ["is by a key of another length", { publicKey: "ab" }, signature(first, 3)],
    ["is by a key whose origin is no name", { origin: "no name" }, signature(first, 3)],
  ])("no signature %s", async (_, change, signed) => {
    expect(await problemsOf(all(keys(change), putBatches(3), sign({ 3: signed })))).toEqual([isNone(3)]);
  });
});

describe("what a batch signs", () => {
  const DAY = parseDay("20260302")!;
  const round = {
    gameId: 1,
    day: DAY,
    number: 1,
    commit: "",
    oddsId: 7,
    openedAt: 1,
    closesAt: 2,
    drawsAt: 3,
    fromBet: 1,
  };
  const salts = { 1: "11".repeat(32), 2: "22".repeat(32) };
  const openings = [LEAF.open, { ...LEAF.open, game: "k3-5m" }];
  const bet = (id: number, roundId: number, memberId: number) => {
    const [mask, stake, createdAt] = [1n, 100 + id, 40 + id];
    return { id, memberId, roundId, oddsId: 7, mask, stake, total: stake, version: 1, balanceAfter: 0, createdAt };
  };
  /** Three members' bets in two rounds, of which the third has no salt any more. */
  const BETS = [bet(1, 5, 1), bet(2, 6, 2), bet(3, 5, 2), bet(4, 5, 3)];
  const saltOf = (id: number) => new MemberSalt(id, (salts as Record<number, string>)[id] ?? "");
  const leaves = BETS.map((one) => new BetLeaves(openings[one.roundId - 5]!).leaf(one, saltOf(one.memberId)));
  const played: Put = async (tx, run) => {
    await tx.insert(games).values(GAMES);
    await tx.insert(rounds).values([
      { ...round, id: 5 },
      { ...round, id: 6, gameId: 2 },
    ]);
    await tx.insert(bets).values([...BETS, bet(5, 5, 1)].toReversed());
    await tx.insert(memberSalts).values(Object.entries(salts).map(([id, salt]) => ({ memberId: Number(id), salt })));
    await tx.insert(houseEntries).values(batch(3, 1, 4));
    await putKeys(key(1, first), key(2, second, { firstBatch: 6 }))(tx, run);
  };
  const opened: Put = async (tx) => {
    for (const leaf of openings) await addLeaf(tx, leaf);
  };

  it("is the tree over its bets, in their order, each as the log opened its round", async () => {
    expect(await problemsOf(all(played, opened, sign({ 3: signature(first, 3, leaves) })))).toEqual([]);
    const other = signature(first, 3, leaves.toReversed());
    expect(await problemsOf(all(played, opened, sign({ 3: other })))).toEqual([isNone(3)]);
  });

  it("is nothing where one of its rounds is from before the log, or gone", async () => {
    const signed = sign({ 3: signature(first, 3, leaves) });
    const unsigned = sign({ 3: "" });
    const half: Put = (tx) => addLeaf(tx, openings[0]!);
    expect(await problemsOf(all(played, half, signed))).toEqual([isNone(3)]);
    expect(await problemsOf(all(played, half, unsigned))).toEqual([]);
    const lost: Put = (tx) => tx.delete(rounds);
    expect(await problemsOf(all(played, opened, lost, unsigned))).toEqual([]);
    expect(await problemsOf(all(played, opened, unsigned))).toEqual([isNone(3)]);
  });
});
