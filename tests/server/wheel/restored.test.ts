import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { logRestores } from "#db/schema/index.ts";
import { set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import {
  begin,
  changeWords,
  closeAudited,
  pairOf,
  points,
  prize,
  seedOf,
  spin,
  spinRows,
  wheelWorld,
} from "./wheel-world.ts";

let w: World;
let mia: Player;
/** The member's pairs before the restore: an open one with a spin, and the next. */
let before: Awaited<ReturnType<typeof pairOf>>;

beforeEach(async () => {
  w = await wheelWorld(prize("none"), points("some", 100));
  await set(w, "spin_daily", "1000");
  mia = await w.player("mia_1");
  await changeWords(mia, "first");
  await spin(mia);
  before = await pairOf(mia);
  const { deps } = w;
  const said = { id: 1, reason: "The disk failed", createdAt: w.now() };
  await deps.db.transact(async (tx) => void (await tx.insert(logRestores).values(said)));
  await deps.publicLog.advance();
});
afterEach(() => closeAudited(w));

const commitOf = (number: number) =>
  createHash("sha256")
    .update(seedOf(w, mia, number))
    .digest("hex");

it("no pair from before is drawn from: somebody may have seen its seed", async () => {
  expect((await spin(mia)).data).toMatchObject({ nonce: 0, commit: commitOf(2) });
  expect(await pairOf(mia)).toMatchObject({ number: 2, commit: commitOf(2), next_commit: commitOf(3) });
  expect(before.next_commit).not.toBe(commitOf(1));
});

it("words for a commit from before end its pair without a spin", async () => {
  const spun = await spinRows(w);
  expect(await pairOf(mia)).toMatchObject({ number: null, next_commit: before.next_commit });
  expect((await begin(mia, "lucky", before.next_commit)).code).toBe(200);
  const after = await pairOf(mia);
  expect(after).toMatchObject({ number: null, next_number: 2, next_commit: commitOf(2) });
  expect(after.previous).toMatchObject({ number: 1, commit: before.next_commit, client_seed: "lucky", spins: [] });
  expect((await spin(mia, undefined, { client_seed: "lucky", commit: before.next_commit })).reason).toBe(
    "commit.stale",
  );
  expect(await spinRows(w)).toEqual(spun);
  expect((await changeWords(mia, "again")).code).toBe(200);
  expect((await spin(mia)).data).toMatchObject({ nonce: 0, commit: commitOf(2) });
});
