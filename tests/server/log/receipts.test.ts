import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseKey, type NoteKey } from "#shared/log/note.ts";
import { parseReceipt, receiptFaults, receiptText, type Receipt, type Shown } from "#shared/log/receipt.ts";
import { contentText } from "#shared/log/salted.ts";
import { MemberSalt } from "#server/domains/log/member-salt.ts";
import { BetLeaves, betContent } from "#server/domains/log/round-leaves.ts";
import { readTerms } from "#server/domains/log/read-log.ts";
import { memberSalts, bets, betColumns } from "#db/schema/index.ts";
import { saltedLeaf } from "#shared/log/receipt.ts";
import { isOddsRecord } from "#shared/lottery/odds-record.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { leavesOf } from "./read-log.ts";
import { world, type Player, type World } from "../../support/world.ts";

const ROUND = "20260302-0001";

let w: World;
let key: NoteKey;
let [mia, tom]: Player[] = [];

beforeAll(async () => {
  w = await world();
  await w.game();
  await w.game({ key: "faces", kind: "dice-faces", name: "Faces", periodS: 300, closeS: 5 });
  await w.live(1_000);
  await w.site.publicLog.advance();
  [mia, tom] = [await w.player("mia", { balance: 1_000 }), await w.player("tom", { balance: 1_000 })];
  key = parseKey((await w.call("/fair/head", {}, { method: "GET" })).data.key)!;
});
afterAll(() => w.close());

const place = (player: Player, item: string, options: { lid?: string; key?: string } = {}) =>
  player.call(
    "/game/placeOrder",
    { lid: options.lid ?? "lot_1", item, money: "2", expect: ROUND },
    options.key === undefined ? {} : { key: options.key },
  );

async function shownOf(player: Player, id: string, options: string[], game = "k3-1m"): Promise<Shown> {
  const terms = (await readTerms(w.deps.db.read, { game, round: ROUND }))!;
  const { commit, odds, odds_hash, beacon_rule: rule, unit } = terms;
  const member = String(player.memberId);
  return { order: id, member, game, round: ROUND, commit, odds, odds_hash, rule, options, stake: 200, unit };
}

describe("a receipt", () => {
  it("proves the bet that was shown, and no other", async () => {
    const { data } = await place(mia!, "10,A");
    const receipt = parseReceipt(data.receipt)!;
    const shown = await shownOf(mia!, data.id, ["10", "A"]);
    expect(receiptFaults(receipt, shown, key)).toEqual([]);
    expect(receiptFaults(receipt, { ...shown, stake: 300 }, key)).toEqual(["stake"]);
    expect(receiptFaults(receipt, { ...shown, member: String(tom!.memberId) }, key)).toEqual(["member"]);
    expect(receiptText(receipt)).toBe(data.receipt);
  });

  it("names its odds by the hash that the log, the round and the order name", async () => {
    const { data } = await place(tom!, "C");
    const { odds, odds_hash } = parseReceipt(data.receipt)!.bet;
    const leaf = (await leavesOf(w)).find((one) => one.kind === "odds" && one.game === "k3-1m");
    expect(leaf).toMatchObject({ id: odds, hash: odds_hash });
    const round = await w.call("/fair/round", { key: "k3-1m", expect: ROUND }, { method: "GET" });
    expect(round.data.odds).toMatchObject({ id: odds, hash: odds_hash, unit: "point", period: 60, close: 3 });
    expect(isOddsRecord(rulesOf("dice-sum"), round.data.odds!)).toBe(true);
    const orders = await tom!.call("/member/getUserGameList", {}, { method: "GET" });
    expect(orders.data.find(({ id }: { id: string }) => id === data.id)).toMatchObject({ odds: odds_hash });
  });

  it("is one of many in a batch, under one signature", async () => {
    const names = ["ann", "bea", "cal", "dan", "eve", "fay"];
    const players = await Promise.all(names.map((name) => w.player(name, { balance: 1_000 })));
    const placed = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        place(players[i % 6]!, i % 3 ? "A" : "C,3", i % 5 ? {} : { lid: "lot_2" }).then((answer) => ({ ...answer, i })),
      ),
    );
    const taken = placed.filter(({ code }) => code === 200);
    const receipts: Receipt[] = taken.map(({ data }) => parseReceipt(data.receipt)!);
    expect(receipts).not.toContain(null);
    expect(receipts.some(({ count }) => count > 1)).toBe(true);
    for (const [at, receipt] of receipts.entries()) {
      const { data, i } = taken[at]!;
      const { game, options } = receipt.bet;
      const shown = await shownOf(players[i % 6]!, data.id, [...options], game);
      expect(receiptFaults(receipt, shown, key)).toEqual([]);
    }
  });

  it("is the same for a repeated key, at once and after a restart", async () => {
    const first = await place(mia!, "A", { key: "tap" });
    expect((await place(mia!, "A", { key: "tap" })).data).toEqual(first.data);
    await w.restart();
    expect((await place(mia!, "A", { key: "tap" })).data).toEqual(first.data);
    const both = await Promise.all([1, 2].map(() => place(tom!, "C", { key: "twice" })));
    expect(both[0]!.data).toEqual(both[1]!.data);
  });
});

describe("the fast spelling of a bet", () => {
  it("is that of the slow one, for every bet", async () => {
    const salts = new Map((await w.deps.db.read.select().from(memberSalts)).map((row) => [row.memberId, row.salt]));
    const terms = (await readTerms(w.deps.db.read, { game: "k3-1m", round: ROUND }))!;
    const leaves = new BetLeaves(terms);
    const own = (await w.deps.db.read.select(betColumns).from(bets)).filter(({ roundId }) => roundId === 1);
    expect(own.length).toBeGreaterThan(20);
    for (const bet of own) {
      const secret = Buffer.from(salts.get(bet.memberId)!, "hex");
      const salt = createHmac("sha256", secret).update(`bet ${bet.id}`).digest();
      const member = new MemberSalt(bet.memberId, salts.get(bet.memberId)!);
      const content = betContent(terms, bet, member);
      expect(leaves.salted(bet, member).text).toBe(contentText(content));
      expect(leaves.leaf(bet, member)).toEqual(Buffer.from(saltedLeaf(salt, content)));
    }
  });
});
