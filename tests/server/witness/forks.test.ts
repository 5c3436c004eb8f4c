import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pollLog } from "#server/witness/poll.ts";
import { WitnessState } from "#server/witness/state.ts";
import { Witness } from "#server/witness/witness.ts";
import { provenBy } from "#server/verify/fork-file.ts";
import { siteFiles } from "#server/verify/log-files.ts";
import type { EvidenceFile } from "#shared/log/evidence/file.ts";
import { readEvidence } from "#shared/log/evidence/read.ts";
import { type Signer } from "#shared/log/note.ts";
import { LogSite, MemoryLog } from "../../support/log-site.ts";
import { entryOfLeaf, HOUSE, ORIGIN } from "../../log/honest-log.ts";
import { rotation } from "../../log/spoiled-log.ts";
import { bytes, signerOf } from "../../log/world.ts";

const NOW = Date.UTC(2026, 2, 2, 10);
const leaf = (i: number, word: string) => bytes(`leaf ${word} ${i}`);
const leaves = (from: number, to: number, word = "") =>
  Array.from({ length: to - from }, (_, i) => leaf(from + i, word));

/** A witness that polls, by itself: nobody asks it. */
let folder: string;
let site: LogSite;
let state: WitnessState;
let witness: Witness;
let said: string[];

const file = () => join(folder, "witness.json");
const evidence = () => `${file()}.fork.json`;
const say = (text: string) => void said.push(text);
/** What the file that was written down proves by itself. */
const proven = () => provenBy(readEvidence(readFileSync(evidence(), "utf8")) as EvidenceFile);

async function start(): Promise<void> {
  state = await WitnessState.open(file());
  witness = new Witness({ state, clock: { now: () => NOW }, say, evidence: evidence() });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "trio-witness-"));
  said = [];
  site = await LogSite.listen(new MemoryLog(HOUSE).add(...leaves(0, 300)));
  await start();
});
afterEach(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

const poll = () => pollLog({ witness, state, files: siteFiles(site.address), say });
const sizeOf = (origin = ORIGIN) => state.head(origin)?.size;

it("a fork of a log whose first leaves are a power of two is written down with what shows its beginning", async () => {
  site.log = new MemoryLog(HOUSE).add(...leaves(0, 256));
  await poll();
  site.log = new MemoryLog(HOUSE).add(...leaves(0, 256, "other"), ...leaves(256, 300));
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
    site.log = changed(next, 200, 400);
    await poll();
    expect(sizeOf()).toBe(300);
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
    site.log = changed(next, 301, 400);
    await poll();
    expect(said.at(-1)).toBe(`signed ${ORIGIN} with 400 leaves`);
    await start();
    site.log = shown();
    await poll();
    expect(sizeOf()).toBe(400);
    expect(proven()[0]).toContain(says);
  });
});
