import { describe, expect, it } from "vitest";
import { checkPast, isSigned } from "#client/screens/wheel/check-past.ts";
import { keptOf, past, signedOf, wonAlways } from "./past-pair.ts";

const pair = past();
const kept = keptOf(pair);
const signed = signedOf(pair);
const RIGHT = { commit: true, complete: true, table: true, wrong: [], missing: [], isGood: true };
const other = pair.spins[2]!.id === "none" ? "ten" : "none";

describe("a public pair of an honest house agrees", () => {
  it.each([
    ["with all that the device kept and the house signed", kept, signed],
    ["on a device that kept nothing", undefined, signed],
    ["where the lines of its spins are not known", kept, []],
    ["where only some lines are known", undefined, signed.slice(2)],
    ["where the device was answered some of its spins", { ...kept, answers: kept.answers!.slice(0, 1) }, signed],
    ["on a device that kept the commit alone", { number: 0, commit: pair.commit }, signed],
    ["on a device that sent words without a table", { ...kept, table: undefined as never }, signed],
  ])("%s", (_, device, lines) => {
    expect(checkPast(pair, device, lines)).toEqual(RIGHT);
  });

  it("without spins", () => {
    const ended = past({ spins: [] });
    expect(checkPast(ended, { ...kept, answers: [] }, [])).toEqual(RIGHT);
  });

  it("from the time when nothing bound the words", () => {
    expect(checkPast(past({ words_by: null, table: null }), undefined, [])).toEqual(RIGHT);
  });
});

describe("a public pair does not agree", () => {
  it("without its table, whatever each spin was drawn from", () => {
    expect(checkPast(wonAlways("none", past({ table: null })), kept, []).isGood).toBe(false);
    const asOld = wonAlways("none", past({ table: null, words_by: null }));
    expect(checkPast(asOld, { number: 0, commit: pair.commit }, []).isGood).toBe(false);
    expect(checkPast(asOld, undefined, signed)).toMatchObject({ wrong: [0, 1, 2, 3], isGood: false });
  });

  it.each([
    ["the house signed", undefined, signed],
    ["the device was answered", kept, []],
  ])("without a spin at its end that %s", (_, device, lines) => {
    const fewer = past({ spins: pair.spins.slice(0, 3) });
    const missing = [{ nonce: 3, id: pair.spins[3]!.id }];
    expect(checkPast(fewer, device, lines)).toMatchObject({ complete: false, missing, wrong: [], isGood: false });
  });

  it("with a prize that is not the one that was signed, or answered", () => {
    const lines = signed.with(2, { ...signed[2]!, prize: other });
    expect(checkPast(pair, undefined, lines)).toMatchObject({ wrong: [2], missing: [], isGood: false });
    const answers = kept.answers!.with(2, { nonce: 2, id: other, isOther: false });
    expect(checkPast(pair, { ...kept, answers }, [])).toMatchObject({ wrong: [2], isGood: false });
  });

  it("with a spin that was answered twice, each time otherwise", () => {
    const answers = [...kept.answers!, { nonce: 2, id: other, isOther: false }];
    expect(checkPast(pair, { ...kept, answers }, signed)).toMatchObject({ wrong: [2], isGood: false });
  });

  it("with a spin whose answer named another pair", () => {
    const answers = kept.answers!.with(1, { ...kept.answers![1]!, isOther: true });
    expect(checkPast(pair, { ...kept, answers }, signed)).toMatchObject({ wrong: [1], isGood: false });
  });

  it.each([{ words: "others" }, { words_by: "house" as const }, { table_hash: "0".repeat(64) }])(
    "with a line that says otherwise what its spin was drawn from: %o",
    (over) => {
      const lines = signed.with(1, { ...signed[1]!, ...over });
      expect(checkPast(pair, undefined, lines)).toMatchObject({ wrong: [1], isGood: false });
    },
  );

  it("with other words, another commit or another table than the device kept", () => {
    for (const over of [{ words: "others" }, { commit: "0".repeat(64) }, { table: "0".repeat(64) }])
      expect(checkPast(pair, { ...kept, ...over }, signed).isGood).toBe(false);
  });
});

it("a pair is signed once every spin that it shows has its line", () => {
  expect([isSigned(pair, signed), isSigned(pair, signed.slice(1)), isSigned(past({ spins: [] }), [])]).toEqual([
    true,
    false,
    true,
  ]);
});
