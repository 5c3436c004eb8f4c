import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { members } from "#db/schema/index.ts";
import { eq } from "drizzle-orm";
import { DAY_MS } from "#shared/time.ts";
import type { Reply } from "../../support/call.ts";
import { give } from "../../support/credentials.ts";
import { lock, set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { everything } from "../http/furnished.ts";
import { ask, asked, bind, PIN, saver, stateOf } from "./purse.ts";

let w: World;
let mia: Player;
let count = 0;

beforeAll(async () => {
  w = await world();
});
afterAll(() => w.close());
beforeEach(async () => {
  mia = await saver(w, `mia_${++count}`, 1_000);
});

/** What the members of earlier tests left in the account of held withdrawals. */
const held = async () => (await stateOf(w, mia.memberId)).held;
const answer = ({ code, reason }: Reply) => [code, reason];
const rules = async () => (await mia.call("/member/getUserWithdrawRole", undefined, { lang: "en_us" })).data;
const listOf = async (player: Player) =>
  (await player.call("/member/getUserWithdrawList", undefined, { lang: "en_us" })).data;

/** The code and reason of a refusal that left no trace, except for the passcode's count. */
async function noTo(work: () => ReturnType<typeof ask>): Promise<unknown[]> {
  const before = await everything(w, ["attempts"]);
  const no = answer(await work());
  expect(await everything(w, ["attempts"])).toEqual(before);
  return no;
}

async function while_(name: string, value: string, otherwise: string, work: () => Promise<void>): Promise<void> {
  await set(w, name, value);
  await work().finally(() => set(w, name, otherwise));
}

describe("requesting a withdrawal", () => {
  it("takes the amount from the balance at once, and holds it", async () => {
    const before = await held();
    const { code, data } = await ask(mia, 300);
    expect([code, data]).toEqual([200, { id: expect.stringMatching(/^wdr_\d+$/), money: "300.00" }]);
    const state = { balance: 700, version: 2, withdrawn: 0, statuses: ["review"], messages: [], held: before + 300 };
    expect(await stateOf(w, mia.memberId)).toEqual(state);
    const [row] = await listOf(mia);
    const text = w.deps.text("en_us", "withdraw.review");
    const at = Math.floor(w.now() / 1000);
    const shown = {
      id: data.id,
      number: data.id.replace("wdr_", "W-"),
      status: 1,
      status_text: text,
      money: "300.00",
      desc: "",
    };
    expect(row).toEqual({ ...shown, create_time: at, update_time: at });
    const log = (await mia.call("/member/getMoneylog", undefined, { lang: "en_us" })).data.list[0];
    expect(log).toMatchObject({ type: "withdraw", type_txt: "Withdrawal", money: "-300.00", balance: "700.00" });
    expect((await mia.call("/member/getPersonalreport")).data.withdrawal).toBe("0.00");
  });

  it("can take the whole balance, down to zero", async () => {
    await asked(mia, 1_000);
    expect((await stateOf(w, mia.memberId)).balance).toBe(0);
  });

  it("is no bet: a self-excluded member can withdraw", async () => {
    await mia.call("/member/limits", { exclude_until: String(Math.floor((w.now() + 200 * DAY_MS) / 1000)) });
    expect((await ask(mia, 100)).code).toBe(200);
  });

  it("is refused beyond the balance", async () => {
    expect(await noTo(() => ask(mia, 1_001))).toEqual([422, "withdraw.beyond"]);
  });

  it("is refused to a locked member, who can still list withdrawals", async () => {
    await asked(mia, 100);
    await lock(w, mia.memberId, true);
    expect(await noTo(() => ask(mia, 100))).toEqual([403, "member.locked"]);
    expect(await listOf(mia)).toHaveLength(1);
  });

  it("is refused with a wrong passcode, and with a right one after five of them", async () => {
    const guess = () => ask(mia, 100, { pin: "000000" });
    for (let i = 0; i < 4; i++) expect((await guess()).data).toEqual({ reason: "passcode.wrong", tries_left: 4 - i });
    // The last one leaves a message.
    expect((await guess()).data).toEqual({ reason: "passcode.wrong", tries_left: 0 });
    expect(await noTo(() => ask(mia, 100))).toEqual([429, "passcode.locked"]);
  });

  it("names what is missing, one after the other", async () => {
    const ben = await w.player(`ben_${count}`, { balance: 500 });
    expect(await noTo(() => ask(ben, 100))).toEqual([422, "name.missing"]);
    const name = { realName: "Ben Li" };
    await w.deps.db.transact((tx) => tx.update(members).set(name).where(eq(members.id, ben.memberId)));
    expect(await noTo(() => ask(ben, 100))).toEqual([422, "bank.missing"]);
    await give(w, ben.memberId, { pin: PIN });
    await bind(ben, { username: "Ben Li" });
    await w.deps.db.transact((tx) => tx.update(members).set({ payPinHash: null }).where(eq(members.id, ben.memberId)));
    expect(await noTo(() => ask(ben, 100))).toEqual([422, "passcode.missing"]);
  });
});

describe("the rules for a withdrawal", () => {
  it("are listed with the part of today's limit that is used", async () => {
    const all = { min: "100.00", max: "2000000000.00", daily_count: 50, closed: 0, debt: "0.00", cooling_until_ms: 0 };
    expect(await rules()).toEqual({ ...all, used_today: 0, arrival: w.deps.text("en_us", "withdraw.arrival") });
    await asked(mia, 100);
    expect(await rules()).toMatchObject({ used_today: 1 });
    w.pass(DAY_MS);
    expect(await rules()).toMatchObject({ used_today: 0 });
  });

  it("set a minimum and a maximum, and name them in a refusal", async () => {
    expect(await noTo(() => ask(mia, 99))).toEqual([422, "withdraw.range"]);
    await while_("max_withdraw", "500", "2000000000", async () => {
      expect(await noTo(() => ask(mia, 501))).toEqual([422, "withdraw.range"]);
      expect((await ask(mia, 501)).msg).toContain("500");
      expect((await ask(mia, 500)).code).toBe(200);
    });
  });

  it("limit the number per day, also of concurrent requests", async () => {
    await while_("daily_withdraw_count", "4", "50", async () => {
      const replies = await Promise.all(Array.from({ length: 50 }, () => ask(mia, 100)));
      expect(replies.filter(({ code }) => code === 200)).toHaveLength(4);
      const others = replies.filter(({ code }) => code !== 200).map(answer);
      expect(new Set(others.map(String))).toEqual(new Set(["422,withdraw.range"]));
      expect(await stateOf(w, mia.memberId)).toMatchObject({ balance: 600, version: 5 });
      w.pass(DAY_MS);
      expect((await ask(mia, 100)).code).toBe(200);
    });
  });

  it("include whether withdrawals are open; if not, the house's reason is given", async () => {
    await while_("close_withdraw", "1", "0", async () => {
      expect(await noTo(() => ask(mia, 100))).toEqual([403, "withdraw.closed"]);
      expect((await ask(mia, 100)).msg).toBe(w.deps.text("en_us", "refusal.withdraw.closed"));
      expect(await rules()).toMatchObject({ closed: 1 });
      await while_("close_withdraw_reason", '{"en_us":"Moving banks","ko_kr":"은행 이전"}', "", async () => {
        expect((await ask(mia, 100)).msg).toBe("Moving banks");
        expect((await ask(mia, 100, { lang: "ko_kr" })).msg).toBe("은행 이전");
      });
    });
  });
});

describe("many withdrawals at once", () => {
  it("take no more than the balance: sixty on a balance for ten", async () => {
    const before = await held();
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask(mia, 100)));
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(10);
    const others = replies.filter(({ code }) => code !== 200).map(answer);
    expect(new Set(others.map(String))).toEqual(new Set(["422,withdraw.beyond"]));
    const all = { balance: 0, version: 11, held: before + 1_000 };
    expect(await stateOf(w, mia.memberId)).toMatchObject(all);
  });

  it("with one idempotency key are one", async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(mia, 100, { key: "tap" })));
    expect(new Set(replies.map(({ code, data }) => `${code} ${data.id}`)).size).toBe(1);
    expect(await stateOf(w, mia.memberId)).toMatchObject({ balance: 900, statuses: ["review"] });
    const again = await ask(mia, 100, { key: "tap" });
    expect([again.code, again.data]).toEqual([200, replies[0]!.data]);
    expect(answer(await ask(mia, 200, { key: "tap" }))).toEqual([409, "key.reused"]);
  });

  it("can use a key again after a refusal", async () => {
    expect((await ask(mia, 5_000, { key: "tap" })).code).toBe(422);
    expect((await ask(mia, 5_000, { key: "tap" })).code).toBe(422);
    expect((await ask(mia, 100, { key: "tap" })).code).toBe(200);
  });

  it("are found again by their key after a restart", async () => {
    const first = await ask(mia, 100, { key: "tap" });
    await w.restart();
    expect((await ask(mia, 100, { key: "tap" })).data).toEqual(first.data);
    expect(await stateOf(w, mia.memberId)).toMatchObject({ balance: 900, statuses: ["review"] });
  });
});
