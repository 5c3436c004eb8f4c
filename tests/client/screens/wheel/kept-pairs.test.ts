// @vitest-environment happy-dom
import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import {
  countUnchecked,
  differencesOf,
  isKeptBack,
  keepAnswer,
  keepChecked,
  keepLog,
  keepNext,
  keepSent,
  pairForSpin,
  readKept,
  wordsForNext,
  type Seeds,
} from "#client/screens/wheel/kept-pairs.ts";
import { makeWords } from "#client/screens/wheel/make-words.ts";
import { tableHash } from "#shared/wheel.ts";
import { newMember } from "./new-member.ts";

const commitOf = (what: string) => createHash("sha256").update(what).digest("hex");
const WHEEL = ["ten", "none"].map((id) => {
  return { id, title: id, image: `/${id}.svg`, weight: 1, probability: 0.5, kind: "points" as const, amount: "1.00" };
});
const tableOf = (wheel: typeof WHEEL) => ({ id: "tbl_1", hash: tableHash(wheel), prizes: wheel });

const fresh = newMember("mem_7", commitOf("seed 0"));

type Past = NonNullable<Seeds["previous"]>;

/** The answer of a house once the words of that commit are there. */
const begun = (words: string, over: Partial<Seeds> = {}): Seeds => ({
  ...fresh,
  number: 0,
  commit: fresh.next_commit,
  client_seed: words,
  words_by: "member",
  table: tableOf(WHEEL),
  nonce: 1,
  next_commit: commitOf("seed 1"),
  next_number: 1,
  ...over,
});

/** The same pair once it is over. */
const pastOf = (words: string, over: Partial<Past> = {}): Past => ({
  number: 0,
  seed: "0".repeat(64),
  commit: fresh.next_commit,
  client_seed: words,
  words_by: "member",
  table: tableOf(WHEEL),
  spins: [],
  ...over,
});

beforeEach(() => localStorage.clear());

/** The words of a first spin, which this device made and sent. */
function spinFirst(): string {
  keepNext(fresh);
  return pairForSpin(fresh, WHEEL).words!;
}

describe("the words of a phrase", () => {
  it("are five plain ones, chosen by the random numbers of the device", () => {
    expect(makeWords((bytes) => new Uint8Array(bytes))).toBe("amber-amber-amber-amber-amber");
    expect(makeWords(() => Uint8Array.of(0, 63, 64, 255, 1))).toBe("amber-willow-amber-willow-apple");
    expect(new Set(Array.from({ length: 50 }, () => makeWords())).size).toBe(50);
  });

  it("stay the same for a commit, however often the screen is opened, until they are taken", () => {
    const { words } = wordsForNext(fresh);
    expect([wordsForNext(fresh), pairForSpin(fresh, WHEEL).words]).toEqual([{ words, isSent: false }, words]);
    expect(wordsForNext(fresh)).toEqual({ words, isSent: true });
    expect(wordsForNext(begun(words)).words).not.toBe(words);
  });
});

describe("an honest house", () => {
  it("gets words for the table that they were first sent with, whatever the wheel shows later", () => {
    const words = spinFirst();
    const other = WHEEL.map((prize) => ({ ...prize, weight: 7 }));
    expect(pairForSpin(fresh, other)).toEqual({ commit: fresh.next_commit, words, table: tableHash(WHEEL) });
    expect(keepSent(fresh, words, tableHash(other))).toBe(tableHash(WHEEL));
  });

  it("differs in nothing: not with the first words, not with the next, not as seeds become public", () => {
    const words = spinFirst();
    const now = begun(words);
    expect(differencesOf(now)).toEqual([]);
    expect(pairForSpin(now, WHEEL)).toEqual({ commit: now.commit, words: null, table: null });
    keepNext(now);
    keepSent(now, "typed", tableHash(WHEEL));
    const previous = pastOf(words);
    const later = { number: 1, commit: now.next_commit, next_commit: commitOf("seed 2"), next_number: 2 };
    expect(differencesOf(begun("typed", { ...later, previous }))).toEqual([]);
  });

  it("may show a pair from the time when nothing bound the words, of which no device kept the commit", () => {
    const previous = pastOf("words-came-first", { table: null, words_by: null });
    expect(differencesOf({ ...fresh, next_number: 1, previous })).toEqual([]);
  });

  it("may show pairs that another device began", () => {
    keepNext(fresh);
    expect(differencesOf(begun("of-another-device"))).toEqual([]);
    const later = { number: 5, commit: commitOf("seed 5"), next_commit: commitOf("seed 6"), next_number: 6 };
    expect(differencesOf(begun("of-another-device", later))).toEqual([]);
  });
});

describe("a house convicts itself", () => {
  it("if it chooses a seed after it has heard the words: the commit was shown before", () => {
    const words = spinFirst();
    const ground = Array.from({ length: 100 }, (_, i) => commitOf(`seed ${i} that loses with ${words}`));
    for (const commit of ground) expect(differencesOf(begun(words, { commit }))).toEqual(["otherCommit"]);
  });

  it("if it feigns a failure, and then shows another commit for the same pair", () => {
    spinFirst();
    const again = { ...fresh, next_commit: commitOf("another seed") };
    expect(differencesOf(again)).toEqual(["otherCommit"]);
    keepNext(again);
    expect(readKept("mem_7")).toMatchObject([{ number: 0, commit: fresh.next_commit }]);
    expect(differencesOf(again)).toEqual(["otherCommit"]);
  });

  it("if it replaces the words, or calls them its own", () => {
    const words = spinFirst();
    expect(differencesOf(begun("others"))).toEqual(["otherWords"]);
    expect(differencesOf(begun(words, { words_by: "house" }))).toEqual(["otherWords"]);
  });

  it("if it says that nothing bound the words", () => {
    const words = spinFirst();
    expect(differencesOf(begun(words, { table: null }))).toEqual(["otherTable"]);
    expect(differencesOf({ ...fresh, next_number: 1, previous: pastOf(words, { table: null }) })).toEqual([
      "otherTable",
    ]);
  });

  it("if it says so of words that came after their commit, on a device that kept nothing", () => {
    const by = (words_by: Past["words_by"]) => ({
      ...fresh,
      next_number: 1,
      previous: pastOf("x", { table: null, words_by }),
    });
    expect([by("member"), by("house"), by(null)].map(differencesOf)).toEqual([["otherTable"], ["otherTable"], []]);
  });

  it("if it says so of a pair of which this device kept the commit, though another one sent the words", () => {
    keepNext(fresh);
    const previous = pastOf("of-another-device", { table: null, words_by: null });
    expect(differencesOf({ ...fresh, next_number: 1, previous })).toEqual(["otherTable"]);
  });

  it("if it binds the words to another table than the wheel showed, or shows a table without its hash", () => {
    const words = spinFirst();
    const poorer = [{ ...WHEEL[0]!, amount: "0.50" }, WHEEL[1]!];
    expect(differencesOf(begun(words, { table: tableOf(poorer) }))).toEqual(["otherTable"]);
    expect(differencesOf(begun(words, { table: { ...tableOf(WHEEL), prizes: poorer } }))).toEqual(["otherTable"]);
  });
});

describe("after a restore, which begins another log", () => {
  const other = { ...fresh, next_commit: commitOf("a seed of another key") };

  it("other pairs are no fraud, and are kept beside the earlier ones", () => {
    keepLog("house.example/log/1");
    spinFirst();
    keepLog("house.example/log/2");
    expect(differencesOf(other)).toEqual([]);
    keepNext(other);
    expect(readKept("mem_7")).toMatchObject([{ number: 0, commit: other.next_commit }]);
    expect(differencesOf({ ...other, next_commit: commitOf("a third seed") })).toEqual(["otherCommit"]);
  });

  it("a house that goes back to the earlier log has to show the earlier pairs", () => {
    keepLog("house.example/log/1");
    keepNext(fresh);
    keepLog("house.example/log/2");
    keepNext(other);
    keepLog("house.example/log/1");
    expect([differencesOf(fresh), differencesOf(other)]).toEqual([[], ["otherCommit"]]);
  });

  it("pairs that were kept before a log was known are of the first one that is", () => {
    keepNext(fresh);
    keepLog("house.example/log/1");
    expect(differencesOf(other)).toEqual(["otherCommit"]);
    keepNext(fresh);
    keepLog("house.example/log/2");
    expect(differencesOf(other)).toEqual([]);
  });
});

describe("a spin", () => {
  it("of a wheel with other prizes than those of the pair in use begins the next pair", () => {
    const now = begun("mine");
    keepNext(now);
    const { commit, words } = pairForSpin(now, [{ ...WHEEL[0]!, weight: 2 }, WHEEL[1]!]);
    expect([commit, words === null]).toEqual([now.next_commit, false]);
  });
});

describe("what a spin was answered", () => {
  const answerOf = (over = {}) => ({ nonce: 0, id: "ten", commit: fresh.next_commit, ...over });
  const answers = () => readKept("mem_7").find(({ number }) => number === 0)?.answers;

  it("is kept with the pair that it was asked of, once", () => {
    spinFirst();
    for (const over of [{}, {}, { nonce: 1 }]) keepAnswer("mem_7", fresh.next_commit, answerOf(over));
    expect(answers()).toEqual([0, 1].map((nonce) => ({ nonce, id: "ten", isOther: false })));
  });

  it("stays beside another answer to the same spin, and is marked if it names another pair", () => {
    spinFirst();
    const said = [{}, { id: "none" }, { commit: commitOf("another seed") }];
    for (const over of said) keepAnswer("mem_7", fresh.next_commit, answerOf(over));
    expect(answers()!.map(({ id, isOther }) => `${id} ${isOther}`)).toEqual(["ten false", "none false", "ten true"]);
  });

  it("of a pair whose commit was never shown here is not kept", () => {
    keepAnswer("mem_7", fresh.next_commit, answerOf());
    expect(readKept("mem_7")).toEqual([]);
  });

  it("is dropped once its pair is older than the one that is checked", () => {
    for (let number = 0; number < 4; number++) {
      const next_commit = commitOf(`${number}`);
      keepNext({ ...fresh, next_number: number, next_commit });
      keepAnswer("mem_7", next_commit, answerOf({ commit: next_commit }));
    }
    expect(readKept("mem_7").map((pair) => pair.answers?.length)).toEqual([undefined, 1, 1, 1]);
  });

  it("counts its pair as unchecked once that is over, until all agreed while it was public", () => {
    for (let number = 0; number < 4; number++) {
      const next_commit = commitOf(`${number}`);
      keepNext({ ...fresh, next_number: number, next_commit });
      if (number !== 1) keepAnswer("mem_7", next_commit, answerOf({ commit: next_commit }));
    }
    const inUse = { number: 3, commit: commitOf("3"), next_number: 4 };
    expect(countUnchecked({ ...fresh, ...inUse })).toBe(1);
    expect(countUnchecked({ ...fresh, next_number: 4 })).toBe(2);
    for (const number of [0, 0, 9]) keepChecked("mem_7", number);
    expect([countUnchecked({ ...fresh, ...inUse }), readKept("mem_7").length]).toEqual([0, 4]);
  });
});

describe("a pair whose seed has to be public", () => {
  const later = { number: 1, commit: commitOf("seed 1"), next_commit: commitOf("seed 2"), next_number: 2 };

  it.each<[string, Seeds]>([
    ["none yet before the first words", fresh],
    ["none yet with the first words", begun("mine")],
    ["the one before the pair in use", begun("mine", { ...later, previous: pastOf("mine") })],
    ["the last one where none is in use", { ...fresh, next_number: 1, previous: pastOf("mine") }],
  ])("is %s", (_, seeds) => {
    keepNext(seeds);
    expect(isKeptBack(seeds)).toBe(false);
  });

  it.each<[string, Partial<Seeds>]>([
    ["is not shown", { previous: null }],
    ["is not shown while none is in use", { number: null, commit: null, previous: null }],
    ["is an older one instead", { next_number: 3, number: 2, previous: pastOf("mine") }],
    ["is none by the number of the pair in use alone", { number: 0, previous: null }],
  ])("is kept back where it %s", (_, over) => {
    expect(isKeptBack(begun("mine", { ...later, ...over }))).toBe(true);
  });

  it("is kept back where the house goes on from an earlier one than it has shown", () => {
    keepNext(begun("mine", later));
    expect(isKeptBack(begun("mine"))).toBe(true);
  });
});

it("what one member's pairs were is no other's, and old pairs are forgotten", () => {
  keepNext(fresh);
  expect(readKept("mem_8")).toEqual([]);
  for (let number = 0; number < 30; number++)
    keepNext({ ...fresh, next_number: number, next_commit: commitOf(`${number}`) });
  expect(readKept("mem_7").map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, i) => i + 10));
});
