import { eq, ne } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { journalIndex } from "#db/schema/ledger.ts";
import { rounds } from "#db/schema/lottery.ts";
import { plans } from "#db/schema/member.ts";
import { readJournal, versionsBetween } from "#server/domains/ledger/journal.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { lockMember } from "#server/domains/account/change-status.ts";
import { creditMember, reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toSeconds } from "#shared/time.ts";
import { ENGINE } from "../../support/databases.ts";
import { bet, drawWithoutSettling } from "../../support/ledger.ts";
import { settleInSteps } from "../../support/settling.ts";
import { topUp } from "../../support/top-up.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;
let leo: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  leo = await w.player("leo_1", { balance: 1_000 });
  await w.live(1_000);
});
afterEach(() => w.close());

interface Entry {
  id: string;
  type: string;
  type_txt: string;
  desc: string;
  money: string;
  balance: string;
  version: number;
  key: string | null;
  expect: string | null;
}
const log = async (player: Player, query: Record<string, string> = {}, lang = "en_us") =>
  (await player.call("/member/getMoneylog", query, { method: "GET", lang })).data;

/** The whole log. It must have every version from the newest down, each balance the one before plus its amount. */
async function wholeLog(player: Player): Promise<Entry[]> {
  const { list, count } = await log(player, { limit: "50" });
  expect(list.map(({ version }) => version)).toEqual(Array.from({ length: count }, (_, i) => count - i));
  for (const [i, { money, balance }] of list.entries()) {
    const before = list[i + 1]?.balance ?? "0.00";
    expect((Number(before) + Number(money)).toFixed(2)).toBe(balance);
  }
  expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
  return list;
}
const typesOf = (list: Entry[]) => list.map(({ type }) => type).reverse();

describe("the money log around the settling of a round", () => {
  it("has no gap after any step of it", async () => {
    for (const player of [mia, leo]) for (let i = 0; i < 3; i++) await bet(w, player, 10, "A,B");
    await topUp(w, mia, 5);
    await bet(w, mia, 20, "C,D");
    expect(typesOf(await wholeLog(mia))).toEqual(["credit", "stake", "stake", "stake", "deposit", "stake"]);

    w.pass(MINUTE_MS);
    await drawWithoutSettling(w);
    const won = ["credit", "stake", "stake", "stake", "deposit", "stake", "payout"];
    const seen = new Set<string>();
    const paid = new Set<number>();
    for await (const piece of settleInSteps(w, 1)) {
      const [{ settledAt, indexedAt } = { settledAt: null, indexedAt: null }] = await w.deps.db.read
        .select()
        .from(rounds)
        .where(eq(rounds.id, 1));
      const index = await w.deps.db.read.select().from(journalIndex).where(ne(journalIndex.kind, "transfer"));
      seen.add(`settled ${settledAt !== null}, indexed ${index.length}, done ${indexedAt !== null}`);
      if (piece && "outcomes" in piece) for (const { memberId } of piece.outcomes) paid.add(memberId);
      expect(typesOf(await wholeLog(mia))).toEqual(paid.has(mia.memberId) ? won : won.slice(0, -1));
      expect(await wholeLog(leo)).toHaveLength(paid.has(leo.memberId) ? 5 : 4);
      if (settledAt === null || indexedAt !== null) continue;
      const { version } = await readWallet(w.deps.db.read, mia.memberId);
      await bet(w, mia, 1);
      expect((await wholeLog(mia))[0]).toMatchObject({ type: "stake", version: version + 1 });
      won.push("stake");
    }
    const stages = [...seen];
    expect([stages[0], stages[1], stages.at(-1)]).toEqual([
      "settled false, indexed 0, done false",
      "settled true, indexed 0, done false",
      "settled true, indexed 9, done false",
    ]);
    // One engine indexes a number of bets at a time, the other for a few ms.
    const between = ENGINE === "postgres" ? ["settled true, indexed 5, done false"] : stages.slice(2, -1);
    expect(stages.slice(2, -1)).toEqual(between);
    expect(typesOf(await wholeLog(mia))).toEqual(won);
  });

  it("has none while bets arrive, rounds are settled and the server restarts", async () => {
    for (let round = 0; round < 4; round++) {
      const playing = Promise.all(Array.from({ length: 6 }, () => bet(w, mia, 1, "A,B")));
      await Promise.all([playing, wholeLog(mia), wholeLog(mia), w.settle(), wholeLog(mia)]);
      w.pass(MINUTE_MS);
      const settling = w.settle();
      for (let i = 0; i < 5; i++) await wholeLog(mia);
      await settling;
      if (round === 1) await w.restart();
    }
    expect(typesOf(await wholeLog(mia)).filter((type) => type === "stake")).toHaveLength(24);
  });

  it("has none once the keys of old bets are deleted", async () => {
    await bet(w, mia, 10, "A,B", "a-key");
    await w.live(MINUTE_MS);
    await w.live(DAY_MS + HOUR_MS);
    await w.site.housekeeping.tick();
    await bet(w, mia, 10, "A,B");
    expect(typesOf(await wholeLog(mia))).toEqual(["credit", "stake", "payout", "stake"]);
  });
});

describe("the money log", () => {
  it("names the round of a payout, and none of other changes", async () => {
    const expected: unknown[] = [[null, null]];
    for (let i = 0; i < 2; i++) {
      const { data } = await mia.call("/Lottery/getLotteryInfo", { key: "k3-1m" }, { method: "GET" });
      await bet(w, mia, 10, "A,B");
      await w.live(MINUTE_MS);
      expected.push([null, null], ["k3-1m", data.next_expect]);
    }
    expect((await wholeLog(mia)).map((one) => [one.key, one.expect]).reverse()).toEqual(expected);
  });

  it("lists the newest first, in pages, with a total", async () => {
    for (let i = 1; i <= 24; i++) await bet(w, mia, i);
    const versions = async (query: Record<string, string>) =>
      (await log(mia, query)).list.map(({ version }) => version);
    expect((await log(mia)).count).toBe(25);
    expect(await versions({})).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
    expect(await versions({ page: "3" })).toEqual([5, 4, 3, 2, 1]);
    expect(await versions({ page: "2", limit: "7" })).toEqual([18, 17, 16, 15, 14, 13, 12]);
    expect(await versions({ page: "", limit: "50" })).toHaveLength(25);
    expect(await log(mia, { page: "4" })).toEqual({ list: [], count: 25 });
    expect(await log(mia, { page: "9007199254740991" })).toEqual({ list: [], count: 25 });
  });

  it.each([{ page: "0" }, { page: "two" }, { limit: "51" }, { limit: "0" }, { page: "-1" }])(
    "refuses the page %j",
    async (query) => {
      const { code, fields } = await mia.call("/member/getMoneylog", query, { method: "GET" });
      expect([code, Object.keys(fields!)]).toEqual([400, Object.keys(query)]);
    },
  );

  it("describes each entry in the member's language, with the operator's reason", async () => {
    const { db } = w.deps;
    await db.transact((tx) => tx.insert(plans).values({ id: "p1", name: "P", days: 1, price: 300, position: 0 }));
    await bet(w, mia, 10, "A,B");
    await w.live(MINUTE_MS);
    await topUp(w, mia, 70);
    await mia.call("/member/buyPlan", { id: "p1" });
    const { transferId } = await db.transact((tx) => creditMember(tx, w.deps, mia.memberId, 1_234, "sorry"));
    await db.transact((tx) => reverseCredit(tx, w.deps, transferId, "not so sorry"));
    const rows = (await wholeLog(mia)).reverse();
    expect(rows.map(({ type, type_txt, money, desc }) => [type, type_txt, money, desc])).toEqual([
      ["credit", "Credit by the operator", "1000.00", ""],
      ["stake", "Bet", "-20.00", ""],
      ["payout", "Bet settled", "19.50", ""],
      ["deposit", "Top-up", "70.00", ""],
      ["plan", "Membership", "-3.00", ""],
      ["credit", "Credit by the operator", "12.34", "sorry"],
      ["reversal", "Credit reversed by the operator", "-12.34", "not so sorry"],
    ]);
    const texts = async (lang: string) => (await log(mia, {}, lang)).list.map(({ type_txt }) => type_txt);
    for (const lang of ["vn_vn", "ja_ja"]) {
      const own = await texts(lang);
      expect(own).not.toContain("Bet");
      expect(own.some((text) => text.includes("entry."))).toBe(false);
    }
  });

  it("dates each entry by when it happened", async () => {
    const placed = toSeconds(w.now());
    await bet(w, mia, 10, "A,B");
    await w.live(MINUTE_MS);
    const { data } = await mia.call("/member/getMoneylog");
    const [win, stake] = data.list;
    expect([stake!.createtime, win!.createtime]).toEqual([placed, placed + 60]);
  });

  it("is private to each member, and a locked member may still read it", async () => {
    await bet(w, leo, 10);
    await w.deps.db.transact((tx) => lockMember(tx, w.deps, mia.memberId, true));
    expect(await wholeLog(mia)).toHaveLength(1);
    expect((await w.call("/member/getMoneylog")).code).toBe(401);
  });
});

describe("the versions of a period", () => {
  it("are those from its first second to the one before its last", async () => {
    const begunAt = toSeconds(w.now()) - 1;
    for (let i = 0; i < 6; i++) {
      await topUp(w, leo, 5);
      w.pass(2_000);
    }
    const { read } = w.deps.db;
    const { list } = await log(leo, { limit: "50" });
    const rows = (await readJournal(read, leo.memberId, 1, list.length)).toReversed();
    expect(rows).toHaveLength(7);
    for (let second = begunAt - 2; second < begunAt + 16; second++) {
      const before = rows.filter(({ at }) => at < second * 1_000).length;
      const member = { memberId: leo.memberId };
      expect(await versionsBetween(read, { ...member, from: second })).toEqual({ first: before + 1, last: 7 });
      expect(await versionsBetween(read, { ...member, to: second })).toEqual({ first: 1, last: before });
    }
  });
});
