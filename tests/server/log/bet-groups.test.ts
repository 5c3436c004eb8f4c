import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { finished, GROUP, GrowingGroups, idsOf, type BetGroup } from "#server/domains/log/bet-groups.ts";
import { sumOfGroups } from "#server/domains/log/bet-trees.ts";
import { Growth, type BetRow, type RoundToGrow } from "#server/domains/log/grow-bets.ts";
import type { RoundTerms } from "#server/domains/log/round-leaves.ts";
import { pathDigests, rootDigest } from "#server/domains/log/digest-tree.ts";
import { MemberSalt } from "#server/domains/log/member-salt.ts";
import { digest, leafDigest, nodeDigest, sha256 } from "#server/domains/log/sha256.ts";
import { treeOf } from "#server/domains/log/bet-trees.ts";
import { markOf } from "#shared/log/salted.ts";
import { inclusionOf, proofOf, rootOf } from "#shared/log/tree.ts";
import { leafHash, MerkleTree, nodeHash } from "#shared/merkle.ts";

const hex = (letters: string) => Buffer.from(letters, "latin1").toString("hex");
const leafOf = (id: number) => digest(Buffer.from(`bet ${id}`));
/** Numbers with holes, as they are where rounds are mixed. */
const idAt = (i: number) => 1_000 + i * 3 + (i % 7);

describe("fast hashes", () => {
  it("are those of the slow way", () => {
    for (let i = 0; i < 200; i++) {
      const [left, right] = [randomBytes(32), randomBytes(32)];
      const [l, r] = [left.toString("latin1"), right.toString("latin1")];
      expect(hex(nodeDigest(l, r))).toBe(Buffer.from(nodeHash(left, right)).toString("hex"));
      expect(hex(leafDigest(l))).toBe(Buffer.from(leafHash(left)).toString("hex"));
      const salt = new MemberSalt(7, left.toString("hex"));
      const hmac = (name: string) => createHmac("sha256", left).update(name).digest();
      expect(hex(salt.ofBet(i))).toBe(hmac(`bet ${i}`).toString("hex"));
      expect(hex(salt.ofPayout(i))).toBe(hmac(`payout ${i}`).toString("hex"));
      expect(salt.markSalt).toBe(hmac("mark").toString("hex"));
      expect(salt.mark).toBe(markOf(hmac("mark"), "7"));
    }
  });

  it.each([1, 2, 3, 5, 8, 100, 255, 256, 257, 512])("give the root and the paths of a tree of %i", (count) => {
    const leaves = Array.from({ length: count }, (_, i) => leafOf(i));
    const tree = treeOf(leaves.map((leaf) => Buffer.from(leaf, "latin1")));
    const { root, paths } = pathDigests(leaves);
    expect(hex(root)).toBe(Buffer.from(rootOf(count, tree)).toString("hex"));
    expect(rootDigest(leaves)).toBe(root);
    for (const [i, path] of paths.entries())
      expect(hex(path)).toBe(Buffer.concat(proofOf(inclusionOf(i, count), tree)).toString("hex"));
  });
});

describe("groups of bets", () => {
  /** Adds bets in steps of so many, and stores what came of each step. */
  function grown(count: number, step: number): BetGroup[] {
    const stored = new Map<number, BetGroup>();
    for (let from = 0; from < count; from += step) {
      const open = [...stored.values()].find(({ root }) => root === null) ?? null;
      const growing = new GrowingGroups(open && (JSON.parse(JSON.stringify(open)) as BetGroup));
      for (let i = from; i < Math.min(from + step, count); i++) growing.add(idAt(i), leafOf(i), 100 + i);
      for (const group of growing.groups) stored.set(group.first, group);
    }
    return [...stored.values()].map(finished);
  }

  it.each([0, 1, 2, 255, 256, 257, 511, 512, 513, 1_000, 2_049])(
    "of %i bets have the root over all of them",
    (count) => {
      const tree = new MerkleTree(sha256);
      for (let i = 0; i < count; i++) tree.add(Buffer.from(leafOf(i), "latin1"));
      const sum = Array.from({ length: count }, (_, i) => 100 + i).reduce((total, one) => total + one, 0);
      for (const step of [1, 100, 256, 300, 5_000]) {
        const groups = grown(count, step);
        expect(sumOfGroups(groups, groups.at(-1) ?? null)).toEqual({ count, sum, root: tree.root() });
        expect(groups.flatMap(idsOf)).toEqual(Array.from({ length: count }, (_, i) => idAt(i)));
        expect(groups.slice(0, -1).every(({ steps }) => steps.length === GROUP - 1)).toBe(true);
        expect(groups.every(({ leaves }) => leaves === null)).toBe(true);
      }
    },
  );
});

describe("bets that come", () => {
  const terms: RoundTerms = {
    kind: "open",
    game: "k3-1m",
    round: "20260302-0001",
    rules: "dice-sum",
    period: 60,
    unit: "point",
    commit: "a".repeat(64),
    odds: "1",
    odds_hash: "b".repeat(64),
    beacon_rule: "none",
    opens: 0,
    closes: 57_000,
    draws: 60_000,
  };
  const roundOf = (id: number, after: number, rules = "dice-sum"): RoundToGrow => ({
    id,
    after,
    terms: { ...terms, rules },
    open: null,
  });
  const salts = new Map([[7, new MemberSalt(7, "c".repeat(64))]]);
  const page = Array.from({ length: 9 }, (_, i): BetRow => [11 + i, 7, 1, 0, 100, 100, 5, 1 + (i % 3)]);

  it("go to their rounds, each from where it stopped; a round whose kind nobody knows fails alone", () => {
    const growth = new Growth(
      { after: 10, upTo: null, rounds: [roundOf(1, 10), roundOf(2, 14), roundOf(3, 10, "none")] },
      19,
    );
    growth.add(page, salts);
    const [one, two, three] = growth.grown.rounds;
    expect([one, two].map((round) => "groups" in round! && idsOf(round.groups[0]!))).toEqual([
      [11, 14, 17],
      [15, 18],
    ]);
    expect(three).toMatchObject({ id: 3, failure: expect.stringContaining("bet 13") });
    expect(growth.after).toBeNull();
  });
});
