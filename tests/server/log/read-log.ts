import { hash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { expect } from "vitest";
import { logBundles, logHeads, logLeaves } from "#db/schema/log.ts";
import { addLeaf } from "#server/domains/log/add-leaf.ts";
import type { BeaconCheck } from "#shared/log/check/context.ts";
import { sentenceOf } from "#shared/log/check/finding.ts";
import { LogCheck, type Verdict } from "#shared/log/check-log.ts";
import { leafText, parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { parseBundle, WIDTH } from "#shared/log/tiles.ts";
import { merkleLeaf, MerkleTree } from "#shared/merkle.ts";
import type { World } from "../../support/world.ts";

/** All numbered leaves of a site's log, straight from its tables. Expects that they have every number once. */
export async function leavesOf({ deps }: Pick<World, "deps">, log = 1): Promise<Leaf[]> {
  const { read } = deps.db;
  const ownBundles = (await read.select().from(logBundles)).filter((row) => row.log === log);
  const bundles = new Map(ownBundles.map(({ index, data }) => [index, data]));
  const rows = (await read.select().from(logLeaves)).filter((row) => row.log === log && row.number !== null);
  rows.sort((a, b) => a.number! - b.number!);
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, i) => i));
  const packed = [...bundles]
    .sort(([a], [b]) => a - b)
    .flatMap(([, data]) => parseBundle(inflateRawSync(data), WIDTH)!);
  const texts = rows.map(({ text }, i) => text ?? Buffer.from(packed[i]!).toString());
  return texts.map((text) => parseLeaf(text)!);
}

/** Expects that every head of the log is the root over its leaves, signed or not, and larger than the one before. */
export async function expectWhole(w: Pick<World, "deps">, log = 1): Promise<void> {
  const all = await w.deps.db.read.select().from(logHeads);
  const heads = all.filter((head) => head.log === log).sort((a, b) => a.size - b.size);
  const leaves = await leavesOf(w, log);
  const tree = new MerkleTree();
  for (const leaf of leaves) {
    tree.add(merkleLeaf(leafText(leaf)));
    const head = heads.find(({ size }) => size === tree.size);
    if (head) expect([head.size, head.root]).toEqual([tree.size, tree.root()]);
  }
  expect(heads.at(-1)?.size ?? 0).toBe(leaves.length);
  const kinds = heads.map(({ size }) => leaves[size - 1]!.kind);
  expect(new Set(kinds)).toEqual(new Set(heads.length ? ["time"] : []));
}

/** What strangers check (shared/log/check-log.ts), of all that the log has to say now. */
export async function verdictOf(w: World, log = 1, beacons: BeaconCheck | null = null): Promise<Verdict> {
  await w.deps.publicLog.advance();
  const { data } = await w.call("/fair/head", {}, { method: "GET" });
  const check = new LogCheck({ key: data.key, beacons, hash: (bytes) => hash("sha256", bytes, "buffer") });
  for (const leaf of await leavesOf(w, log)) check.add(Buffer.from(leafText(leaf)));
  return check.end({ origin: data.key.split("+")[0]!, key: data.key });
}

/** What a stranger would accuse the house of. */
export async function accusationsOf(w: World): Promise<string[]> {
  const { findings } = await verdictOf(w);
  return findings.filter(({ strength }) => strength === "problem").map(sentenceOf);
}

/** States many things at once: seals that nobody made. */
export const stateMany = ({ deps, now }: Pick<World, "deps" | "now">, count: number, from = 0): Promise<void> =>
  deps.db.transact(async (tx) => {
    for (let i = 0; i < count; i++) {
      const seal = { number: 1_000_000 + from + i, root: "0".repeat(64), seal: "1".repeat(64), at: now() };
      await addLeaf(tx, { kind: "seal", ...seal });
    }
  }, "setup");
