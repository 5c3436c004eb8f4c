import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { creditMember } from "#server/domains/wallet/operator-credit.ts";
import { fromUnits } from "#shared/money.ts";
import { TestSocket } from "../../support/client.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { ask, operate } from "./operate.ts";

const SECOND = 1_000;

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterEach(() => w.close());

/** The command's work, without its process. */
const credited = (units: number) =>
  w.deps.db.transact((tx) => creditMember(tx, w.deps, mia.memberId, fromUnits(units), "A birthday"));
const reverse = (transfer: string) => operate(w, "member:reverse", transfer, "--reason", "A mistake");
const newest = async () => (await mia.call("/member/getMoneylog")).data.list[0];

async function socketOf(player: Player): Promise<TestSocket> {
  const line = new TestSocket(await w.listen(), player.token);
  await line.until("hello");
  return line;
}

describe("member:credit", () => {
  it("reaches the member's screen at once, and their money log with the reason", async () => {
    const line = await socketOf(mia);
    const given = await ask(w, "member:credit", "mia_1", "50", "--reason", "A birthday");
    expect(given).toEqual({ ok: true, transfer: "trf_1", money: "50.00" });
    const change = { money: "50.00", money_value: "50", delta: "50.00", type: "credit", version: 1 };
    expect(await line.until("balance:change", undefined, SECOND)).toEqual(change);
    line.close();
    expect(await newest()).toMatchObject({ type: "credit", money: "50.00", balance: "50.00", desc: "A birthday" });
  });
});

describe("member:reverse", () => {
  it("takes a credit back, and the money log says why", async () => {
    await credited(50);
    const line = await socketOf(mia);
    expect(await reverse("trf_1")).toMatchObject({ exit: 0, err: "" });
    const taken = await line.until("balance:change", ({ version }) => version === 2, SECOND);
    expect(taken).toMatchObject({ money: "0.00", delta: "-50.00", type: "reversal" });
    line.close();
    expect(await newest()).toMatchObject({ type: "reversal", money: "-50.00", balance: "0.00", desc: "A mistake" });
  });

  it("takes it back once when two operators do it at the same moment", async () => {
    await credited(50);
    await credited(80);
    const ran = await Promise.all([reverse("trf_1"), reverse("trf_1")]);
    expect(new Set(ran.map(({ exit }) => exit))).toEqual(new Set([0, 1]));
    expect(await newest()).toMatchObject({ balance: "80.00", version: 3 });
  });
});

describe("recharge:credit and recharge:list", () => {
  it("book a top-up that the member sees as credited by the operator, with the reason, and that can be reversed", async () => {
    const line = await socketOf(mia);
    const booked = await ask(w, "recharge:credit", "mia_1", "120", "--reason", "Bank transfer 77");
    expect(booked).toEqual({ ok: true, transfer: "trf_1", money: "120.00" });
    const record = await line.until("record:change", undefined, SECOND);
    expect(record).toMatchObject({
      kind: "recharge",
      status: 4,
      status_text: w.deps.text("en_us", "deposit.credited"),
    });
    expect(await line.until("balance:change", undefined, SECOND)).toMatchObject({ money: "120.00", type: "deposit" });
    line.close();
    const { data } = await mia.call("/member/getUserRechargeList");
    expect(data).toMatchObject([{ id: record.id, status: 4, money: "120.00", desc: "Bank transfer 77" }]);
    expect(data[0]!.pay_time).toBeGreaterThan(0);
    expect((await mia.call("/member/getPersonalreport")).data).toMatchObject({ recharge: "120.00" });

    const row = { username: "mia_1", money: "120.00", status: 4, status_text: "credited", channel: "operator" };
    expect(await ask(w, "recharge:list")).toMatchObject([{ id: record.id, ...row }]);

    expect((await reverse("trf_1")).exit).toBe(0);
    expect((await mia.call("/member/getPersonalreport")).data).toMatchObject({ recharge: "0.00" });
  });
});
