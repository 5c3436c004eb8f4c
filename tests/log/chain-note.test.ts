import { describe, expect, it } from "vitest";
import { balanceText, chainText, parseBalanceNote, parseChainNote } from "#shared/log/chain-note.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { noteText, signNote, type Signer } from "#shared/log/note.ts";
import { signerOf } from "./world.ts";

const house = signerOf("house.example/log");
const signed = (text: string, by: Signer = house) => noteText(signNote({ text, signatures: [] }, by));

const END = { origin: "house.example/log", member: "7", number: 3, hash: "ab".repeat(32), time: 1_000 };
const BALANCE = { origin: "house.example/log", member: "7", version: 3, balance: 1_250 };
const [end, balance] = [chainText(END), balanceText(BALANCE)];

const OTHERS: [string, Signer][] = [
  ["another key of the same name", signerOf("house.example/log", undefined, "thief")],
  ["a key of another name", signerOf("horse.example/log", undefined, "house.example/log")],
];

describe("the note of a member's newest leaf", () => {
  it.each([
    END,
    { ...END, number: 0, hash: "0".repeat(64), time: 0 },
    { ...END, time: Date.UTC(9999, 11, 31, 23, 59, 59, 999) },
  ])("says what the house signed: %j", (said) => {
    expect(parseChainNote(signed(chainText(said)), house.key)).toEqual(said);
    expect(parseCheckpoint(chainText(said))).toBe(null);
  });

  it.each([
    ["another origin", end.replace("house", "horse")],
    ["no member", end.replace("member 7", "7")],
    ["a balance", end.replace("member", "balance")],
    ["no number", end.replace("\n3\n", "\n\n")],
    ["a negative number", end.replace("\n3\n", "\n-1\n")],
    ["a number that is no number", end.replace("\n3\n", "\nnull\n")],
    ["a time that is no number", end.replace("1000", "null")],
    ["a number in another spelling", end.replace("\n3\n", "\n03\n")],
    ["no hash", end.replace(END.hash, "ab")],
    ["a hash in large digits", end.replace(END.hash, END.hash.toUpperCase())],
    ["a negative time", end.replace("1000", "-1")],
    ["a time after the year 9999", end.replace("1000", String(Date.UTC(10_000, 0, 1)))],
    ["no time", end.replace("1000", "")],
    ["a line more", `${end}more\n`],
    ["only an origin", "house.example/log\n"],
  ])("with %s is none", (_, text) => {
    expect(text).not.toBe(end);
    expect(parseChainNote(signed(text), house.key)).toBe(null);
  });

  it.each(OTHERS)("by %s is none", (_, other) => {
    expect(parseChainNote(signed(end, other), house.key)).toBe(null);
  });

  it("without a signature is none", () => {
    expect(parseChainNote(end, house.key)).toBe(null);
  });
});

describe("the note of a balance", () => {
  it.each([BALANCE, { ...BALANCE, version: 0, balance: 0 }, { ...BALANCE, balance: -5 }])(
    "says what the house signed: %j",
    (said) => {
      expect(parseBalanceNote(signed(balanceText(said)), house.key)).toEqual(said);
    },
  );

  it.each([
    ["another origin", balance.replace("house", "horse")],
    ["a member's newest leaf", balance.replace("balance", "member")],
    ["a negative version", balance.replace("\n3\n", "\n-1\n")],
    ["a version that is no number", balance.replace("\n3\n", "\nnull\n")],
    ["no version", balance.replace("\n3\n", "\n\n")],
    ["no balance", balance.replace("1250", "")],
    ["a balance of half a cent", balance.replace("1250", "0.5")],
    ["a balance beyond all", balance.replace("1250", String(2 ** 53))],
    ["a balance in another spelling", balance.replace("1250", "1e3")],
    ["a line more", `${balance}more\n`],
  ])("with %s is none", (_, text) => {
    expect(text).not.toBe(balance);
    expect(parseBalanceNote(signed(text), house.key)).toBe(null);
  });

  it.each(OTHERS)("by %s is none", (_, other) => {
    expect(parseBalanceNote(signed(balance, other), house.key)).toBe(null);
  });
});
