import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logRestores } from "#db/schema/log.ts";
import { keepAnswer, keepLog, keepNext, keepSent, pairForSpin } from "#client/screens/wheel/kept-pairs.ts";
import { changeWheelSeed, luckdraw, luckdrawList, wheelSeeds } from "#shared/contract/wheel.ts";
import { tableHash } from "#shared/wheel.ts";
import { Phone } from "../../cheats/trial/phone.ts";
import { set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { closeAudited, offer, points, prize, spinRows, wheelWorld } from "./wheel-world.ts";

/*
 * The screen "Check my spins" of a member whose house is honest, with what the app keeps as it plays.
 */

let w: World;
let mia: Player;
let phone: Phone;

beforeEach(async () => {
  localStorage.clear();
  w = await wheelWorld(points("few", 100), prize("none"), prize("more", { kind: "spin", amount: 1 }));
  await set(w, "spin_daily", "1000");
  mia = await w.player("mia_1");
  phone = await phoneOf(await w.listen());
});
afterEach(() => closeAudited(w));

const phoneOf = (address: string): Promise<Phone> =>
  Phone.begin(address, { token: mia.token, member: `mem_${mia.memberId}` }, w.now);

/** Another phone of mia's, or one whose browser forgot all. */
async function newPhone(): Promise<Phone> {
  const other = await phoneOf(phone.address);
  other.hasPairs = false;
  return other;
}

/** The wheel as the app opens it: it checks the last public pair by itself. */
async function open() {
  keepLog((await phone.watcher.answer("log", {}))!);
  const seeds = await phone.client.must(wheelSeeds);
  keepNext(seeds);
  await phone.checkWheel();
  return { seeds, wheel: await phone.client.must(luckdrawList) };
}

async function spin(times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    const { seeds, wheel } = await open();
    const { commit, words, table } = pairForSpin(seeds, wheel);
    const named = words === null ? { commit } : { commit, client_seed: words, table: table! };
    keepAnswer(seeds.member, commit, await phone.client.must(luckdraw, named));
  }
}

async function change(words: string, shown?: Awaited<ReturnType<typeof open>>): Promise<void> {
  const { seeds, wheel } = shown ?? (await open());
  const table = keepSent(seeds, words, tableHash(wheel))!;
  await phone.client.must(changeWheelSeed, { client_seed: words, commit: seeds.next_commit, table });
}

/** What the screen says on this phone, and on one that kept nothing. */
async function said(): Promise<string[][]> {
  await open();
  return [await phone.checkWheel(), await (await newPhone()).checkWheel(), await phone.found()];
}

const NOTHING = [[], [], []];

describe("nothing is found, and nothing is unchecked", () => {
  it("before the first spin, in the first pair, and once that is public", async () => {
    expect(await said()).toEqual(NOTHING);
    await spin(2);
    expect(await said()).toEqual(NOTHING);
    await change("second");
    expect(await said()).toEqual(NOTHING);
    await spin(3);
    await change("third");
    expect(await said()).toEqual(NOTHING);
  });

  it("after a restart", async () => {
    await spin(2);
    await w.restart();
    phone.address = await w.listen();
    await spin();
    await change("second");
    await w.restart();
    phone.address = await w.listen();
    expect(await said()).toEqual(NOTHING);
  });

  it("when the operator changes the prizes between two spins", async () => {
    await spin(2);
    await offer(w, points("few", 200), prize("none"));
    expect(await said()).toEqual(NOTHING);
    await spin();
    expect((await phone.client.must(wheelSeeds)).previous!.spins).toHaveLength(2);
    expect(await said()).toEqual(NOTHING);
  });

  it("when the operator changes the prizes between words and spin, and the pair ends unspun", async () => {
    await spin();
    const shown = await open();
    await offer(w, points("few", 200), prize("none"));
    await change("for-the-old-prizes", shown);
    await spin();
    expect((await phone.client.must(wheelSeeds)).previous).toMatchObject({ number: 1, spins: [] });
    expect(await said()).toEqual(NOTHING);
  });

  it("when a prize runs out", async () => {
    await offer(w, points("few", 100, { stock: 1 }), prize("none"));
    for (let made: string[] = []; !made.includes("few"); made = (await spinRows(w)).map(({ prizeId }) => prizeId))
      await spin();
    await spin();
    expect((await phone.client.must(wheelSeeds)).number).toBe(1);
    expect(await said()).toEqual(NOTHING);
  });

  it("when another phone spins on, changes the words, and begins a pair that this one never saw", async () => {
    await spin(2);
    const other = (await newPhone()).client;
    const changeThere = async (words: string) => {
      const { next_commit: commit } = await other.must(wheelSeeds);
      await other.must(changeWheelSeed, { client_seed: words, commit });
    };
    await other.must(luckdraw, {});
    await changeThere("of-another-phone");
    expect(await said()).toEqual(NOTHING);
    await other.must(luckdraw, {});
    await changeThere("again");
    expect(await said()).toEqual(NOTHING);
  });

  it("when the answer to a spin was lost", async () => {
    await spin();
    await phone.client.must(luckdraw, {});
    await spin();
    await change("second");
    expect(await said()).toEqual(NOTHING);
  });

  it("after a restore, which ends the pair in use and the words for a commit from before", async () => {
    await spin(2);
    const restore = { id: 1, reason: "The disk failed", createdAt: w.now() };
    await w.deps.db.transact(async (tx) => void (await tx.insert(logRestores).values(restore)));
    await w.deps.publicLog.advance();
    await change("for-an-old-commit");
    await spin(2);
    await change("second");
    const [here, elsewhere] = await said();
    expect([here, elsewhere]).toEqual([[], []]);
  });
});

it("a pair that was public and over while this phone was away is said to be unchecked", async () => {
  await spin(2);
  const other = (await newPhone()).client;
  for (const words of ["one", "two"]) {
    const { next_commit: commit } = await other.must(wheelSeeds);
    await other.must(changeWheelSeed, { client_seed: words, commit });
  }
  expect(await said()).toEqual([["wheel: unchecked"], [], []]);
});

it("a pair whose house words the phone never sent agrees too", async () => {
  await phone.client.must(luckdraw, {});
  await change("mine");
  expect(await said()).toEqual(NOTHING);
});
