import { asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Db } from "#db/db.ts";
import { betColumns, betGroups, bets, logHeads, logRounds, memberSalts, rounds } from "#db/schema/index.ts";
import { idsOf } from "#server/domains/log/bet-groups.ts";
import { BetProofs } from "#server/domains/log/bet-proof.ts";
import { BetTrees } from "#server/domains/log/bet-trees.ts";
import { MemberSalt } from "#server/domains/log/member-salt.ts";
import { leafIn, readLeaves, readTerms } from "#server/domains/log/read-log.ts";
import { leafReader, TakenLeaves } from "#server/domains/log/taken-leaves.ts";
import { betContent, type BetPart, type RoundTerms } from "#server/domains/log/round-leaves.ts";
import { keyOfRound } from "#server/domains/log/round-keys.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { saltedLeaf } from "#shared/log/receipt.ts";
import { rootFrom } from "#shared/log/tree.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { maskOf } from "#shared/lottery/rules.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { MerkleTree } from "#shared/merkle.ts";
import { problemsOf } from "../../support/audited.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { withConnection } from "../../support/own-connection.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let players: Player[];

beforeEach(async () => {
  w = await world();
  await w.game();
  await w.game({ key: "slow", name: "An hour", periodS: 3_600, closeS: 3 });
  await w.live(1_000);
  const names = ["ann", "bea", "cal", "dan", "eve"];
  players = await Promise.all(names.map((name) => w.player(name, { balance: 100_000 })));
});
afterEach(async () => {
  disarm();
  await w.close();
});

const MASK = maskOf(rulesOf("dice-sum"), ["A", "10"]);
const openRounds = async () =>
  (await w.deps.db.read.select().from(rounds).orderBy(asc(rounds.id))).filter(({ closedAt }) => closedAt === null);

/** Bets of all members in turn; every fifth is on the slow game. */
async function bet(count: number): Promise<void> {
  const [one, two] = (await openRounds()).map(({ id }) => id);
  const book = betBookOf(w.deps.db);
  for (let from = 0; from < count; from += 100) {
    const orders = Array.from({ length: Math.min(100, count - from) }, (_, i) => ({
      memberId: players[i % players.length]!.memberId,
      roundId: i % 5 === 4 ? two! : one!,
      mask: MASK,
      stake: 100 + i,
      total: 2 * (100 + i),
      key: null,
      requestHash: "",
    }));
    const answers = await book.place(orders);
    expect(answers.filter((answer) => "refused" in answer)).toEqual([]);
  }
}

const subjectOf = (round: { day: number; number: number }, game: string) => ({ game, round: roundText(round) });

/** What the log says of a round's bets, and the same from the rows, by the slow way. */
async function bothOf(round: typeof rounds.$inferSelect, game: string) {
  const { read } = w.deps.db;
  const key = keyOfRound("close", subjectOf(round, game));
  const stated = leafIn("close", (await readLeaves(read, [key])).get(key)!);
  const terms = (await readTerms(read, subjectOf(round, game)))!;
  const salts = new Map((await read.select().from(memberSalts)).map((row) => [row.memberId, row.salt]));
  const own = await read.select(betColumns).from(bets).where(eq(bets.roundId, round.id)).orderBy(asc(bets.id));
  const tree = new MerkleTree();
  for (const one of own) {
    const member = new MemberSalt(one.memberId, salts.get(one.memberId)!);
    tree.add(saltedLeaf(Buffer.from(member.ofBet(one.id), "latin1"), betContent(terms, one, member)));
  }
  const stake = own.reduce((sum, { total }) => sum + total, 0);
  return [
    { bets: stated.bets, stake: stated.stake, bets_root: stated.bets_root },
    { bets: own.length, stake, bets_root: tree.root() },
  ];
}

async function expectStated(round: typeof rounds.$inferSelect, game = "k3-1m"): Promise<void> {
  const [stated, slow] = await bothOf(round, game);
  expect(stated).toEqual(slow);
}

const grow = () => w.site.publicLog.trees.grow();
const grownTo = async () => (await w.deps.db.read.select().from(logRounds)).map((row) => row.grownTo);
const groupsOf = (roundId: number) =>
  w.deps.db.read.select().from(betGroups).where(eq(betGroups.roundId, roundId)).orderBy(asc(betGroups.first));

describe("the tree over a round's bets", () => {
  it("grows while they are taken, and its closing has only the rest to take in", async () => {
    const [round] = await openRounds();
    await bet(300);
    await grow();
    expect(await grownTo()).toEqual([300, 300]);
    expect((await groupsOf(round!.id)).map(({ root, steps }) => [root, steps.length])).toEqual([[null, 239]]);
    await bet(600);
    await grow();
    await grow();
    expect((await groupsOf(round!.id)).map(({ steps }) => steps.length)).toEqual([255, 255, 207]);
    await bet(55);
    await w.live(60_000);
    await expectStated(round!);
    const groups = await groupsOf(round!.id);
    expect(groups.flatMap(idsOf)).toHaveLength(764);
    expect(groups.map(({ root, leaves }) => [root !== null, leaves])).toEqual([
      [true, null],
      [true, null],
      [true, null],
    ]);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("leaves to the next time what comes while it is stored", async () => {
    const { db } = w.deps;
    await bet(100);
    let stores = 0;
    const busy: Db = {
      ...db,
      async transact(work, kind) {
        if (++stores <= 3) await bet(20);
        return db.transact(work, kind);
      },
    };
    const trees = new BetTrees(busy, new TakenLeaves());
    await trees.grow();
    expect(await grownTo()).toEqual([100, 100]);
    await trees.grow();
    expect(await grownTo()).toEqual([120, 120]);
  });

  it("takes over the leaves of receipts, beside bets whose receipts another server made", async () => {
    const [round] = await openRounds();
    const { taken } = w.site.publicLog.receipts;
    const order = { lid: "lot_1", item: "A,10", money: "1", expect: roundText(round!) };
    for (let i = 0; i < 4; i++) {
      await bet(40);
      for (const player of players) expect((await player.call("/game/placeOrder", order)).code).toBe(200);
      if (i === 1) await grow();
    }
    const { first, leaves } = taken.after(90, 100);
    const known = leafReader({ first, leaves });
    expect([90, 91, 130, 131, 135, 180].map((id) => known(id) !== null)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    await grow();
    // The next time it forgets what is stored.
    await grow();
    expect(taken.after(0, 1_000).leaves).toHaveLength(0);
    await w.live(60_000);
    await expectStated(round!);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("is the same where nothing grew before the closing, and for a round without bets", async () => {
    const [round] = await openRounds();
    await bet(520);
    await w.live(60_000);
    await expectStated(round!);
    const [empty] = await openRounds();
    await w.live(60_000);
    await w.live(60_000);
    const all = await w.deps.db.read.select().from(rounds).orderBy(asc(rounds.id));
    await expectStated(all.find(({ id }) => id > round!.id && id !== empty!.id)!);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("is taken up by the next server where the last one was killed, in the middle of a write too", async () => {
    const [round] = await openRounds();
    await bet(300);
    await grow();
    await bet(300);
    arm("log.grow throw 1");
    await expect(grow()).rejects.toThrow("log.grow");
    disarm();
    expect(await grownTo()).toEqual([300, 300]);
    await w.crash();
    await bet(200);
    await grow();
    await w.crash();
    await w.live(60_000);
    await expectStated(round!);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("holds up no head where it cannot grow", async () => {
    await bet(10);
    arm("log.grow throw");
    const sizes = async () => (await w.deps.db.read.select().from(logHeads)).filter(({ note }) => note !== null).length;
    const before = await sizes();
    w.pass(61_000);
    await w.site.publicLog.tick();
    expect(await sizes()).toBe(before + 1);
    expect(await grownTo()).toEqual([null, null]);
    expect(w.logged.join()).toContain("no tree of bets grew");
  });

  it("is the same if several processes grow it at once", async () => {
    const [round] = await openRounds();
    const many = [1, 2, 3].map(() => new BetTrees(w.deps.db, new TakenLeaves()));
    for (let i = 0; i < 6; i++) {
      const betting = bet(200);
      await Promise.all(many.map((trees) => trees.grow()));
      await betting;
    }
    await w.live(60_000);
    await expectStated(round!);
    expect((await groupsOf(round!.id)).flatMap(idsOf)).toHaveLength(960);
    expect(await problemsOf(w)).toEqual([]);
  });
});

describe("a proof", () => {
  it("leads from each bet of a round to the root that was stated, whichever group it is in", async () => {
    const [round] = await openRounds();
    await bet(700);
    await grow();
    await bet(100);
    await w.live(60_000);
    const proofs = new BetProofs(w.deps.db);
    const terms = (await readTerms(w.deps.db.read, subjectOf(round!, "k3-1m")))!;
    const own = await w.deps.db.read.select(betColumns).from(bets).where(eq(bets.roundId, round!.id)).orderBy(bets.id);
    for (const [index, one] of own.entries()) {
      const proof = await proofs.prove({ memberId: one.memberId }, one.id);
      expect(proof).toMatchObject({ index, count: 640 });
      expect(await rootOf(terms, one, proof)).toBe(proof.bets_root);
    }
  });

  it("is made for a round from before there were groups, too", async () => {
    const [round] = await openRounds();
    await bet(700);
    await w.live(60_000);
    const before = await groupsOf(round!.id);
    await withConnection(w.config.database, (own) => dropGroups(own.run, w.deps.db.engine));
    expect(await groupsOf(round!.id)).toEqual([]);
    const [one] = await w.deps.db.read
      .select(betColumns)
      .from(bets)
      .where(eq(bets.roundId, round!.id))
      .orderBy(asc(bets.id))
      .limit(1);
    const proof = await new BetProofs(w.deps.db).prove({ memberId: one!.memberId }, one!.id);
    expect(proof).toMatchObject({ index: 0, count: 560 });
    expect(await groupsOf(round!.id)).toEqual(before);
  });

  it("leads elsewhere where a row of its group is not the one that was counted, and a bet that is gone has none", async () => {
    const [round] = await openRounds();
    await bet(50);
    await w.live(60_000);
    const [one, other] = await w.deps.db.read.select(betColumns).from(bets).where(eq(bets.roundId, round!.id)).limit(2);
    await withConnection(w.config.database, (own) => changeBet(own.run, w.deps.db.engine, other!.id));
    const terms = (await readTerms(w.deps.db.read, subjectOf(round!, "k3-1m")))!;
    const proofs = new BetProofs(w.deps.db);
    const proof = await proofs.prove({ memberId: one!.memberId }, one!.id);
    expect(await rootOf(terms, one!, proof)).not.toBe(proof.bets_root);
    expect(await rootOf(terms, one!, proof)).toMatch(/^[0-9a-f]{64}$/);
    const gone = proofs.prove({ memberId: one!.memberId }, 1_000_000);
    await expect(gone).rejects.toMatchObject({ reason: "object.unknown" });
  });
});

const saltOf = async (memberId: number) =>
  (await w.deps.db.read.select().from(memberSalts).where(eq(memberSalts.memberId, memberId)))[0]?.salt;

/** The root to which a proof leads from a bet. */
async function rootOf(
  terms: RoundTerms,
  bet: BetPart,
  proof: Awaited<ReturnType<BetProofs["prove"]>>,
): Promise<string | null> {
  const member = new MemberSalt(bet.memberId, (await saltOf(bet.memberId))!);
  const leaf = saltedLeaf(Buffer.from(proof.salt, "hex"), betContent(terms, bet, member));
  const path = proof.path.map((hash) => Buffer.from(hash, "hex"));
  const root = rootFrom(leaf, { index: proof.index, size: proof.count, path });
  return root && Buffer.from(root).toString("hex");
}

type Run = (text: string) => Promise<void>;

async function dropGroups(run: Run, engine: string): Promise<void> {
  const on = engine === "postgres" ? " on bet_groups" : "";
  await run(`drop trigger bet_groups_no_delete${on}; delete from bet_groups`);
}

async function changeBet(run: Run, engine: string, id: number): Promise<void> {
  const change = `update bets set stake = stake + 1 where id = ${id}`;
  await run(
    engine === "postgres"
      ? `set session_replication_role = replica; ${change}`
      : `drop trigger bets_no_update; ${change}`,
  );
}
