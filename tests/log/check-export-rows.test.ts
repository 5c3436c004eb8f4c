import { describe, expect, it } from "vitest";
import { balancesIn, checkExport, unlisted } from "#shared/log/check-export.ts";
import { leafText, type Leaf } from "#shared/log/leaf.ts";
import { saltedLeaf } from "#shared/log/receipt.ts";
import { contentText, hashOfContent, type Content } from "#shared/log/salted.ts";
import { rootFrom } from "#shared/log/tree.ts";
import { MemoryLog } from "../support/log-site.ts";
import { entryOfLeaf, HOUSE, KEY } from "./honest-log.ts";
import { hexOf } from "./world.ts";

/* Single rows of an export against what the log says. */

const BET: Content<"bet"> = {
  kind: "bet",
  order: "bet_1",
  member: "11".repeat(32),
  game: "k3-1m",
  round: "20260302-0001",
  commit: "22".repeat(32),
  odds: "odds_1",
  odds_hash: "33".repeat(32),
  rule: "none",
  options: ["A", "7"],
  stake: 200,
  unit: "points",
  time: 1_000,
};

describe("a bet with a receipt", () => {
  const row = { id: "bet_1", game: "k3-1m", round: "20260302-0001", options: ["7", "A"], stake: "2.00" };

  it("is listed where the file says the same of it", () => {
    expect(unlisted({ bets: [row] }, [BET])).toEqual([]);
    expect(unlisted({ bets: [row] }, [BET, { ...BET, order: "bet_2" }])).toEqual(["bet_2"]);
    expect(unlisted({ bets: [] }, [BET])).toEqual(["bet_1"]);
    for (const other of [{ game: "k3-3m" }, { round: "20260302-0002" }, { options: ["A"] }, { stake: "2.01" }])
      expect(unlisted({ bets: [{ ...row, ...other }] }, [BET])).toEqual(["bet_1"]);
  });
});

it("the balance after each change is read in hundredths", () => {
  expect(balancesIn({ entries: [{ balance: "10.00" }, { balance: "9.95" }] })).toEqual([1_000, 995]);
  expect(balancesIn({})).toEqual([]);
});

const SALT = "44".repeat(32);
/** A file with this log and these sections. */
const checked = (log: MemoryLog, sections: object) => {
  const known = [
    { kind: "head", text: log.note() },
    { kind: "key", text: KEY },
  ];
  return checkExport({ log: known, ...sections }, [])!;
};

describe("the entries", () => {
  const entries = [
    { id: "gift_1", version: "1", amount: "10.00", balance: "10.00" },
    { id: "bet_1", version: "2", amount: "-2.00", balance: "8.00" },
    { id: "bet_2", version: "3", amount: "-1.00", balance: "7.00" },
  ];
  const bets = [{ id: "bet_1" }, { id: "bet_2" }];
  const faulty = (rows: object[], listed: object[] = bets) =>
    checked(new MemoryLog(HOUSE).add(entryOfLeaf({ kind: "time", time: 1 })), { entries: rows, bets: listed }).faulty;

  it("lead from one balance to the next, from the first change on", () => {
    expect(faulty(entries)).toEqual([]);
    for (const i of entries.keys()) {
      const spoilt = (change: object) => entries.map((entry, at) => (at === i ? { ...entry, ...change } : entry));
      expect(faulty(spoilt({ version: "7" }))).toEqual([`entries ${i + 1}`]);
      expect(faulty(spoilt({ balance: "1.00" }))).toEqual([`entries ${i + 1}`]);
    }
  });

  it("and the bets name each other", () => {
    expect(faulty(entries, [{ id: "bet_2" }])).toEqual(["bet_1"]);
    expect(faulty(entries, [...bets, { id: "bet_3" }])).toEqual(["bet_3"]);
  });
});

describe("a bet of a closed round", () => {
  const leaf = saltedLeaf(Buffer.from(SALT, "hex"), BET);
  const round = { game: "k3-1m", round: "20260302-0001" };
  const close: Leaf = { kind: "close", ...round, bets: 1, stake: 200, bets_root: hexOf(leaf), closed: 2_000 };
  const log = new MemoryLog(HOUSE).add(entryOfLeaf(close));
  const listed = { id: "bet_1", ...round, options: ["A", "7"], stake: "2.00" };
  const closing = { kind: "close", id: "0", text: leafText(close), proof: [] as unknown };
  const bet = { kind: "bet", id: "bet_1", text: contentText(BET), proof: [SALT, "0", "1"] as unknown };
  const entries = [{ id: "bet_1", version: "1", amount: "-2.00", balance: "-2.00" }];

  const provenIn = (log: MemoryLog, ...proofs: object[]) => {
    const { proven, faulty } = checked(log, { proofs, bets: [listed], entries });
    return [proven, faulty];
  };
  const proven = (...proofs: object[]) => provenIn(log, ...proofs);

  it("is proven by the closing that counts it", () => {
    expect(proven(closing, bet)).toEqual([1, []]);
    expect(proven(bet)).toEqual([0, ["bet_1"]]);
  });

  it("is not by a closing without its form, its place or its proof", () => {
    const other = leafText({ kind: "time", time: 2 });
    for (const spoilt of [{ text: other }, { id: "none" }, { id: "1" }, { proof: "none" }, { proof: ["none"] }])
      expect(proven({ ...closing, ...spoilt }, bet)).toEqual([0, ["bet_1"]]);
  });

  it("is not by a proof without its form, or of another bet", () => {
    for (const spoilt of [
      { text: "none" },
      { text: contentText({ ...BET, stake: 300 }) },
      { proof: "none" },
      { proof: ["none", "0", "1"] },
      { proof: [SALT, "none", "1"] },
      { proof: [SALT, "0", "2"] },
      { proof: [SALT, "0", "1", "none"] },
      { proof: ["55".repeat(32), "0", "1"] },
    ])
      expect(proven(closing, { ...bet, ...spoilt })).toEqual([0, ["bet_1"]]);
    expect(proven(closing, { ...bet, id: "bet_9" })).toEqual([0, ["bet_9"]]);
  });

  it("is not in a tree of more bets than the closing counts", () => {
    const neighbour = Buffer.from("66".repeat(32), "hex");
    const root = rootFrom(leaf, { index: 0, size: 2, path: [neighbour] })!;
    const wide = { ...close, bets_root: hexOf(root) };
    const proofs = (counted: Leaf<"close">) => [
      { ...closing, text: leafText(counted) },
      { ...bet, proof: [SALT, "0", "2", hexOf(neighbour)] },
    ];
    const logOf = (counted: Leaf<"close">) => new MemoryLog(HOUSE).add(entryOfLeaf(counted));
    expect(provenIn(logOf({ ...wide, bets: 2 }), ...proofs({ ...wide, bets: 2 }))).toEqual([1, []]);
    expect(provenIn(logOf(wide), ...proofs(wide))).toEqual([0, ["bet_1"]]);
  });
});

describe("a comment", () => {
  const COMMENT: Content<"comment"> = {
    kind: "comment",
    member: "mem_1",
    number: 1,
    before: "0".repeat(64),
    at: 1_000,
    id: "cmt_1",
    listing: "lst_1",
    state: "shown",
    text: "Lovely host",
    hearts: 5,
  };
  const hash = hashOfContent(Buffer.from(SALT, "hex"), COMMENT);
  const log = new MemoryLog(HOUSE).add(entryOfLeaf({ kind: "comment", hash }));
  const own = { id: "com_1", text: "Lovely host", status: "shown" };
  const proof = { id: "0", text: contentText(COMMENT), proof: [SALT] as unknown };

  const faulty = (row: object, listed: object = own) =>
    checked(log, { comments: [listed], comment_proofs: [row] }).faulty;

  it("is listed as the log has it", () => {
    expect(faulty(proof)).toEqual([]);
    expect(faulty(proof, { ...own, text: "Awful host" })).toEqual(["cmt_1"]);
    expect(faulty(proof, { ...own, status: "hidden" })).toEqual(["cmt_1"]);
    expect(faulty({ ...proof, id: "1" })).toEqual(["cmt_1"]);
  });

  it("whose proof has no form is named by its place", () => {
    expect(faulty({ ...proof, text: contentText(BET) })).toEqual(["comment 0"]);
    expect(faulty({ ...proof, text: "none" })).toEqual(["comment 0"]);
    expect(faulty({ ...proof, proof: ["none"] })).toEqual(["comment 0"]);
    expect(faulty({ ...proof, proof: "none" })).toEqual(["comment 0"]);
    expect(faulty({ ...proof, proof: [SALT, "none"] })).toEqual(["comment 0"]);
    expect(faulty({ ...proof, id: "first" })).toEqual(["comment first"]);
  });
});
