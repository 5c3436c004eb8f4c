import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logRestores } from "#db/schema/log.ts";
import { prizes, wheelPairs } from "#db/schema/wheel.ts";
import { memberLeafHashes } from "#server/domains/log/member-leaves.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { hashOfLeaf, parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { parseNote } from "#shared/log/note.ts";
import { isIncluded } from "#shared/log/tree.ts";
import { checkPair, rowsOf, tableHash, type Winnable } from "#shared/wheel.ts";
import type { Reply } from "../../support/call.ts";
import { set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import {
  begin,
  changeWords,
  closeAudited,
  offer,
  offerUntold,
  pairOf,
  points,
  prize,
  seedOf,
  spin,
  spinRows,
  wheelRows,
  wheelWorld,
} from "./wheel-world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await wheelWorld(prize("none"), points("some", 100));
  await set(w, "spin_daily", "1000");
  mia = await w.player("mia_1", { balance: 100 });
});
afterEach(() => closeAudited(w));

const commitOf = (player: Player, number: number) =>
  createHash("sha256")
    .update(seedOf(w, player, number))
    .digest("hex");
const outcome = ({ code, reason }: Reply) => [code, reason];

/** The outcome of a call that must change nothing. */
async function leavingNoTrace(call: () => Promise<Reply>): Promise<unknown[]> {
  const before = await wheelRows(w);
  const reply = await call();
  expect(await wheelRows(w)).toEqual(before);
  return outcome(reply);
}
const STALE = [409, "commit.stale"];

describe("words for a commit", () => {
  it("are refused for any commit but the one that is shown, and leave no trace", async () => {
    await changeWords(mia, "first");
    await changeWords(mia, "second");
    const [past, open, next] = [0, 1, 2].map((number) => commitOf(mia, number));
    const leo = await w.player("leo_1");
    const foreign = (await pairOf(leo)).next_commit;
    for (const commit of [past!, open!, commitOf(mia, 3), foreign, "nonsense"])
      for (const call of [
        () => begin(mia, "words", commit),
        () => spin(mia, undefined, { client_seed: "words", commit }),
      ])
        expect(await leavingNoTrace(call)).toEqual(STALE);
    expect(await pairOf(mia)).toMatchObject({ commit: open, next_commit: next, client_seed: "second" });
  });

  it("are refused without a commit", async () => {
    await pairOf(mia);
    const before = await wheelRows(w);
    for (const call of [
      mia.call("/fair/wheel", { client_seed: "words" }, { method: "POST" }),
      spin(mia, undefined, { client_seed: "words" }),
    ]) {
      const { code, fields } = await call;
      expect([code, Object.keys(fields!)]).toEqual([400, ["commit"]]);
    }
    expect(await wheelRows(w)).toEqual(before);
  });

  it("may be sent again while the pair is open, by any key and by a spin: nothing happens again", async () => {
    const { next_commit } = await pairOf(mia);
    await begin(mia, "words", next_commit, "one");
    const { wheelPairs } = await wheelRows(w);
    for (const key of [undefined, "one", "two"]) expect((await begin(mia, "words", next_commit, key)).code).toBe(200);
    const { data } = await spin(mia, undefined, { client_seed: "words", commit: next_commit });
    expect(data).toMatchObject({ nonce: 0, commit: next_commit });
    expect((await wheelRows(w)).wheelPairs).toHaveLength(wheelPairs!.length);
    expect(await leavingNoTrace(() => begin(mia, "others", next_commit))).toEqual(STALE);
    await changeWords(mia, "later");
    expect(await leavingNoTrace(() => begin(mia, "words", next_commit))).toEqual(STALE);
  });

  it("that come twice at once, and differ, are taken once: one pair, and one refusal", async () => {
    const { next_commit } = await pairOf(mia);
    const replies = await Promise.all(["one", "two"].map((words) => begin(mia, words, next_commit)));
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const taken = ["one", "two"][replies.findIndex(({ code }) => code === 200)];
    expect(await pairOf(mia)).toMatchObject({ commit: next_commit, client_seed: taken, next_number: 1 });
    expect((await wheelRows(w)).wheelPairs).toHaveLength(2);
  });

  it("that come twenty times at once, and agree, all succeed and make one pair", async () => {
    const { next_commit } = await pairOf(mia);
    const replies = await Promise.all(Array.from({ length: 20 }, () => begin(mia, "words", next_commit)));
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([200]));
    expect((await wheelRows(w)).wheelPairs).toHaveLength(2);
  });

  it("are refused before there was ever a prize, and bind to an empty wheel once all are gone", async () => {
    await w.close();
    w = await world();
    mia = await w.player("mia_1");
    const { next_commit } = await pairOf(mia);
    expect(await leavingNoTrace(() => begin(mia, "words", next_commit))).toEqual([422, "prizes.none"]);
    await offer(w, points("last", 100, { stock: 0 }));
    expect((await begin(mia, "words", next_commit)).code).toBe(200);
    expect((await pairOf(mia)).table!.prizes).toEqual([]);
    expect(await leavingNoTrace(() => spin(mia, undefined, { commit: next_commit }))).toEqual([422, "prizes.none"]);
  });
});

describe("the first spin", () => {
  it("begins the pair of its commit with its words", async () => {
    const { next_commit } = await pairOf(mia);
    const { code, data } = await spin(mia, undefined, { client_seed: "my-words", commit: next_commit });
    expect([code, data.nonce, data.commit]).toEqual([200, 0, next_commit]);
    const own = { commit: next_commit, client_seed: "my-words", words_by: "member", nonce: 1 };
    expect(await pairOf(mia)).toMatchObject({ ...own, next_commit: commitOf(mia, 1) });
  });

  it("states and ends a pair that was made before seeds were derived in the name of a log", async () => {
    const own = { memberId: mia.memberId, number: 0 };
    const seed = w.deps.keys.now.derive(`wheel:${mia.memberId}:0`);
    const row = { ...own, commit: createHash("sha256").update(seed).digest("hex"), createdAt: w.now() };
    await w.deps.db.transact((tx) => tx.insert(wheelPairs).values(row));
    expect((await spin(mia)).data).toMatchObject({ commit: commitOf(mia, 1), nonce: 0 });
    expect((await pairOf(mia)).previous).toMatchObject({ commit: row.commit, words_by: "house", spins: [] });
    const key = `pair:${mia.memberId}:0`;
    expect(await memberLeafHashes(w.deps.db.read, [{ memberId: mia.memberId, key }])).toEqual([expect.any(String)]);
  });

  it("that is refused begins nothing: the same words may come with the next", async () => {
    const { next_commit } = await pairOf(mia);
    await set(w, "spin_daily", "0");
    const asked = { client_seed: "my-words", commit: next_commit };
    expect(await leavingNoTrace(() => spin(mia, undefined, asked))).toEqual([422, "spins.none"]);
    await set(w, "spin_daily", "1");
    expect((await spin(mia, undefined, asked)).code).toBe(200);
  });

  it("whose answer was lost is the same spin when it is sent again, before and after a crash", async () => {
    const { next_commit } = await pairOf(mia);
    const asked = { client_seed: "my-words", commit: next_commit };
    const first = await spin(mia, "tap", asked);
    expect((await spin(mia, "tap", asked)).data).toEqual(first.data);
    await changeWords(mia, "other-words");
    const after = (await pairOf(mia)).next_commit;
    const lost = spin(mia, "tap-2", { client_seed: "third", commit: after }).catch(() => null);
    await w.crash();
    await lost;
    expect((await spin(mia, "tap", asked)).data).toEqual(first.data);
    expect(outcome(await spin(mia, "tap-2", { client_seed: "third", commit: after }))[0]).toBeOneOf([200, 409]);
    const nonces = (await spinRows(w)).map(({ pairId, nonce }) => `${pairId}:${nonce}`);
    expect(new Set(nonces).size).toBe(nonces.length);
  });
});

describe("a spin that names its commit alone", () => {
  it("is drawn from that pair while it is in use, and else refused without a trace", async () => {
    const { next_commit } = await pairOf(mia);
    expect(await leavingNoTrace(() => spin(mia, undefined, { commit: next_commit }))).toEqual(STALE);
    await begin(mia, "words", next_commit);
    expect((await spin(mia, undefined, { commit: next_commit })).data).toMatchObject({ nonce: 0, commit: next_commit });
    await changeWords(mia, "others");
    expect(await leavingNoTrace(() => spin(mia, undefined, { commit: next_commit }))).toEqual(STALE);
  });
});

describe("a pair whose table is no longer in force", () => {
  const change = () => offer(w, prize("none", { weight: 9 }), points("some", 100));

  it("ends at the next spin, and another begins with its own words", async () => {
    await changeWords(mia, "first");
    const old = await pairOf(mia);
    await spin(mia);
    await change();
    expect(await pairOf(mia)).toMatchObject({ commit: old.commit, table: old.table });
    expect(await leavingNoTrace(() => spin(mia, undefined, { commit: old.commit! }))).toEqual(STALE);
    const again = { client_seed: "first", commit: old.commit! };
    expect(await leavingNoTrace(() => spin(mia, undefined, again))).toEqual(STALE);
    const { data } = await spin(mia, undefined, { client_seed: "second", commit: old.next_commit });
    expect(data).toMatchObject({ nonce: 0, commit: old.next_commit });
    const { table, previous } = await pairOf(mia);
    expect(table!.hash).not.toBe(old.table!.hash);
    const { seed, commit, client_seed: clientSeed, words_by: wordsBy, spins } = previous!;
    expect([commit, previous!.table, spins.length]).toEqual([old.commit, old.table, 1]);
    expect(checkPair({ seed, commit, clientSeed, wordsBy, spins, table: previous!.table })).toEqual({
      commit: true,
      complete: true,
      table: true,
      wrong: [],
    });
  });

  it("ends without words of the member too: the next has the user name", async () => {
    await changeWords(mia, "first");
    await change();
    const { data } = await spin(mia);
    expect(data.commit).toBe(commitOf(mia, 1));
    expect(await pairOf(mia)).toMatchObject({ client_seed: "mia_1", words_by: "house" });
  });

  it("that changed between words and spin is told by a refusal, and nothing is spun", async () => {
    const { next_commit } = await pairOf(mia);
    await begin(mia, "words", next_commit);
    await change();
    expect(await leavingNoTrace(() => spin(mia, undefined, { commit: next_commit }))).toEqual(STALE);
  });

  it("is the one that somebody else exhausted by winning its last prize", async () => {
    await offer(w, points("rare", 5_000, { stock: 1, weight: 1_000_000 }), prize("none"));
    await changeWords(mia, "words");
    const { commit, next_commit } = await pairOf(mia);
    const leo = await w.player("leo_1");
    while ((await spin(leo)).data.id !== "rare");
    await w.deps.publicLog.advance();
    expect(await leavingNoTrace(() => spin(mia, undefined, { commit: commit! }))).toEqual(STALE);
    const { data } = await spin(mia, undefined, { client_seed: "others", commit: next_commit });
    expect([data.id, data.nonce]).toEqual(["none", 0]);
    expect((await pairOf(mia)).table!.prizes).toMatchObject([{ id: "none" }]);
  });

  it("goes on where the operator sets the same prizes again under other names", async () => {
    await changeWords(mia, "words");
    const { commit } = await pairOf(mia);
    await offer(w, prize("none", { title: "Better luck" }), points("some", 100, { title: "A point" }));
    const { code, data } = await spin(mia, undefined, { commit: commit! });
    expect([code, ["Better luck", "A point"].includes(data.title)]).toEqual([200, true]);
    await spin(mia);
    expect((await pairOf(mia)).nonce).toBe(2);
  });

  it("gives what its table says, though somebody changes the prize's own row", async () => {
    await offer(w, points("one", 100), points("two", 100));
    await changeWords(mia, "words");
    await w.deps.db.transact((tx) => tx.update(prizes).set({ amount: 1 }));
    await spin(mia);
    expect((await spinRows(w)).map(({ amount }) => amount)).toEqual([100]);
    await offer(w, points("one", 100), points("two", 100));
  });
});

describe("words for a table", () => {
  const OTHER = [prize("none", { weight: 9 }), points("some", 100)];
  const hashShown = async () => tableHash((await mia.call("/luckdrawlist", {}, { method: "POST" })).data);

  it("are refused before a head of the log holds it, and leave no trace", async () => {
    const { next_commit: commit } = await pairOf(mia);
    await offerUntold(w, ...OTHER);
    const calls = [() => begin(mia, "words", commit), () => spin(mia, undefined, { client_seed: "words", commit })];
    for (const call of calls) expect(await leavingNoTrace(call)).toEqual([409, "prizes.untold"]);
    await w.deps.publicLog.advance();
    expect((await calls[1]!()).code).toBe(200);
  });

  it("are told of it with the pair: looking at the wheel has a head made", async () => {
    const { next_commit: commit } = await pairOf(mia);
    await offerUntold(w, ...OTHER);
    await pairOf(mia);
    expect((await begin(mia, "words", commit)).code).toBe(200);
  });

  it("that is no longer in force end the pair without a spin, so that nobody can suit a table to words", async () => {
    const { next_commit: commit } = await pairOf(mia);
    const table = await hashShown();
    await offer(w, ...OTHER);
    const named = { client_seed: "words", commit, table };
    expect(await leavingNoTrace(() => spin(mia, undefined, named))).toEqual([409, "prizes.changed"]);
    const ending = () => mia.call("/fair/wheel", named, { method: "POST" });
    expect([(await ending()).code, (await ending()).code]).toEqual([200, 200]);
    expect(await pairOf(mia)).toMatchObject({ commit, client_seed: "words", table: { hash: table }, nonce: 0 });
    expect(await leavingNoTrace(() => spin(mia, undefined, { commit: commit }))).toEqual(STALE);
    const { next_commit } = await pairOf(mia);
    const { data } = await spin(mia, undefined, {
      client_seed: "others",
      commit: next_commit,
      table: await hashShown(),
    });
    expect(data.commit).toBe(next_commit);
  });

  it("that there never was are refused", async () => {
    const { next_commit: commit } = await pairOf(mia);
    const named = { client_seed: "words", commit, table: "ab".repeat(32) };
    const calls = [() => mia.call("/fair/wheel", named, { method: "POST" }), () => spin(mia, undefined, named)];
    for (const call of calls) expect(await leavingNoTrace(call)).toEqual([409, "prizes.changed"]);
  });

  it("may be made once its leaf is shown in a head that was announced", async () => {
    const hash = await hashShown();
    const { data } = await mia.call("/fair/table", { hash }, { method: "GET" });
    const leaf = parseLeaf(data.leaf) as Leaf<"table">;
    expect(tableHash(rowsOf(leaf.prizes as Winnable[]))).toBe(hash);
    const head = parseCheckpoint(parseNote(data.head)!.text)!;
    const path = data.path.map((one) => Buffer.from(one, "hex"));
    expect(isIncluded(hashOfLeaf(leaf), data.index, head, path)).toBe(true);
    await offerUntold(w, ...OTHER);
    expect((await mia.call("/fair/table", { hash: await hashShown() }, { method: "GET" })).code).toBe(404);
  });
});

describe("after a restore", () => {
  /** The member's pairs before: an open one with a spin, and the next. */
  let before: Awaited<ReturnType<typeof pairOf>>;

  beforeEach(async () => {
    await changeWords(mia, "first");
    await spin(mia);
    before = await pairOf(mia);
    const { deps } = w;
    const said = { id: 1, reason: "The disk failed", createdAt: w.now() };
    await deps.db.transact(async (tx) => void (await tx.insert(logRestores).values(said)));
    await deps.publicLog.advance();
  });

  it("no pair from before is drawn from: somebody may have seen its seed", async () => {
    expect((await spin(mia)).data).toMatchObject({ nonce: 0, commit: commitOf(mia, 2) });
    expect(await pairOf(mia)).toMatchObject({ number: 2, commit: commitOf(mia, 2), next_commit: commitOf(mia, 3) });
    expect(before.next_commit).not.toBe(commitOf(mia, 1));
  });

  it("words for a commit from before end its pair without a spin", async () => {
    const spun = await spinRows(w);
    expect(await pairOf(mia)).toMatchObject({ number: null, next_commit: before.next_commit });
    expect((await begin(mia, "lucky", before.next_commit)).code).toBe(200);
    const after = await pairOf(mia);
    expect(after).toMatchObject({ number: null, next_number: 2, next_commit: commitOf(mia, 2) });
    expect(after.previous).toMatchObject({ number: 1, commit: before.next_commit, client_seed: "lucky", spins: [] });
    expect((await spin(mia, undefined, { client_seed: "lucky", commit: before.next_commit })).reason).toBe(
      "commit.stale",
    );
    expect(await spinRows(w)).toEqual(spun);
    expect((await changeWords(mia, "again")).code).toBe(200);
    expect((await spin(mia)).data).toMatchObject({ nonce: 0, commit: commitOf(mia, 2) });
  });
});
