import { describe, expect, it } from "vitest";
import { canonical } from "#shared/log/canonical.ts";
import { type Signer } from "#shared/log/note.ts";
import { MemoryLog } from "../../support/log-site.ts";
import { entryOfLeaf, HOUSE, ORIGIN } from "../../log/honest-log.ts";
import { LEAF } from "../../log/leaves.ts";
import { rotation } from "../../log/spoiled-log.ts";
import { bytes, signerOf } from "../../log/world.ts";
import { leaves, WitnessGround } from "./witness-ground.ts";

const ground = new WitnessGround();
const { poll, sizeOf, proven } = ground;

it("a fork of a log whose first leaves are a power of two is written down with what shows its beginning", async () => {
  ground.site.log = new MemoryLog(HOUSE).add(...leaves(0, 256));
  await poll();
  ground.site.log = new MemoryLog(HOUSE).add(...leaves(0, 256, "other"), ...leaves(256, 300));
  await poll();
  expect(proven()).toEqual([expect.stringContaining("show that its first 256 leaves are others")]);
});

describe("a fork of a log whose key was replaced", () => {
  const next = signerOf(ORIGIN, undefined, "next");
  const another = signerOf(ORIGIN, undefined, "another");
  const changed = (to: Signer, at: number, size: number, word = "") =>
    new MemoryLog(to).add(...leaves(0, at), entryOfLeaf(rotation(HOUSE, to, 3)), ...leaves(at + 1, size, word));

  it("convicts by a file alone: the old key signed one head, the new key the other", async () => {
    await poll();
    ground.site.log = changed(next, 200, 400);
    await poll();
    expect(sizeOf()).toBe(300);
    expect(proven()).toEqual(["A head of 300 leaves is signed by a key that leaf 200 of the log had replaced."]);
  });

  it("convicts by a file alone though a leaf of it has a time that no clock shows", async () => {
    await poll();
    ground.site.log = changed(next, 200, 400);
    const close = { ...LEAF.close, closed: Number.MAX_SAFE_INTEGER };
    ground.site.log.add(entryOfLeaf(LEAF.open), bytes(canonical(close)), entryOfLeaf(LEAF.time));
    await poll();
    expect(proven()).toEqual(["A head of 300 leaves is signed by a key that leaf 200 of the log had replaced."]);
  });

  it.each<[string, () => MemoryLog, string]>([
    ["the new key signed both", () => changed(next, 301, 400, "other"), "Two heads of 400 leaves have different roots"],
    ["a third key signed the other", () => changed(another, 301, 500), "each puts another key in its place: leaf 301"],
    [
      "the old key signed the other",
      () => new MemoryLog(HOUSE).add(...leaves(0, 500)),
      "A head of 500 leaves is signed by a key",
    ],
    ["the key was replaced elsewhere", () => changed(next, 350, 500), "show that its first 400 leaves are others"],
    [
      "the new key signed from an earlier leaf on",
      () => changed(next, 250, 290),
      "at two places, as number 301 and as number 250",
    ],
  ])("convicts by a file alone: %s", async (_, shown, says) => {
    await poll();
    ground.site.log = changed(next, 301, 400);
    await poll();
    expect(ground.said.at(-1)).toBe(`signed ${ORIGIN} with 400 leaves`);
    await ground.open();
    ground.site.log = shown();
    await poll();
    expect(sizeOf()).toBe(400);
    expect(proven()[0]).toContain(says);
  });
});
