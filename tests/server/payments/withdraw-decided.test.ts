import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as decide from "#server/domains/payments/decide-withdrawal.ts";
import type { Refusal } from "#shared/refusal.ts";
import { lock } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { everything } from "../http/furnished.ts";
import { asked, saver, stateOf } from "./purse.ts";

let w: World;
let mia: Player;
let id: number;
let count = 0;

beforeAll(async () => {
  w = await world();
});
afterAll(() => w.close());
beforeEach(async () => {
  mia = await saver(w, `mia_${++count}`, 1_000);
  id = await asked(mia, 300);
});

const approve = (which = id) => w.deps.db.transact((tx) => decide.approveWithdrawal(tx, w.deps, which));
const refuse = (which = id) => w.deps.db.transact((tx) => decide.refuseWithdrawal(tx, w.deps, which, "Wrong name"));
const pay = (which = id) => w.deps.db.transact((tx) => decide.payWithdrawal(tx, w.deps, which));
const state = () => stateOf(w, mia.memberId);
const first = async () => (await mia.call("/member/getUserWithdrawList", undefined, { lang: "en_us" })).data[0];
const messages = async (lang: "en_us" | "ko_kr") => (await mia.call("/member/messages", undefined, { lang })).data;

/** The reason of a refusal that left no trace. */
async function noTo(work: () => Promise<unknown>): Promise<string> {
  const before = await everything(w);
  const no = await work().catch((error: unknown) => error);
  expect(await everything(w)).toEqual(before);
  return (no as Refusal).reason;
}

/** Takes the same step several times at once. Returns how many succeeded; the others were refused. */
async function doneOf(step: () => Promise<unknown>): Promise<number> {
  const ends = await Promise.allSettled(Array.from({ length: 10 }, step));
  const reasons = ends.filter((end) => end.status === "rejected").map(({ reason }) => (reason as Refusal).reason);
  expect(new Set(reasons)).toEqual(new Set(["withdraw.decided"]));
  return ends.length - reasons.length;
}

describe("a withdrawal that is approved and paid", () => {
  it("leaves the house, and only then counts as withdrawn", async () => {
    const { held } = await state();
    await approve();
    expect(await state()).toMatchObject({ balance: 700, withdrawn: 0, statuses: ["approved"], held });
    expect(await first()).toMatchObject({ status: 2, status_text: "Approved" });
    w.pass(5_000);
    await pay();
    expect(await state()).toMatchObject({ balance: 700, version: 2, withdrawn: 300, statuses: ["paid"] });
    expect((await state()).held).toBe(held - 300);
    const { status, create_time, update_time } = (await first())!;
    expect([status, update_time - create_time]).toEqual([4, 5]);
    expect((await mia.call("/member/getPersonalreport")).data.withdrawal).toBe("300.00");
  });

  it("is announced to the member in their language, newest first", async () => {
    await approve();
    await pay();
    expect((await messages("en_us")).slice(0, 3).map(({ kind, text }) => [kind, text])).toEqual([
      ["withdraw.paid", "Your withdrawal of 300 points was paid"],
      ["withdraw.approved", "Your withdrawal of 300 points was approved"],
      ["security.withdrawAsked", "A withdrawal of 300 points was requested"],
    ]);
    // Each of these leads to the withdrawal; the security message does not.
    const about = (await messages("en_us")).slice(0, 3).map(({ record }) => record);
    expect(about).toEqual([(await first())!.id, (await first())!.id, ""]);
    expect((await messages("ko_kr"))[0]!.text).toBe("300포인트 출금이 완료되었습니다");
  });

  it("is paid once by concurrent payments", async () => {
    await approve();
    expect(await doneOf(() => pay())).toBe(1);
    expect(await state()).toMatchObject({ withdrawn: 300, messages: ["withdraw.approved", "withdraw.paid"] });
  });

  it("is approved once, and not paid before that", async () => {
    expect(await noTo(() => pay())).toBe("withdraw.decided");
    expect(await doneOf(() => approve())).toBe(1);
  });

  it("is final once it is paid", async () => {
    await approve();
    await pay();
    expect(await noTo(() => refuse())).toBe("withdraw.decided");
    expect(await noTo(() => approve())).toBe("withdraw.decided");
  });

  it("is paid to a locked member too: the money was theirs", async () => {
    await lock(w, mia.memberId, true);
    await approve();
    await pay();
    expect(await state()).toMatchObject({ withdrawn: 300 });
  });
});

describe("a withdrawal that is refused", () => {
  it.each([
    ["in review", async () => {}],
    ["approved", async () => void (await approve())],
  ])("returns what was held, with the reason, when it was %s", async (_, before) => {
    await before();
    const { held } = await state();
    await refuse();
    expect(await state()).toMatchObject({ balance: 1_000, version: 3, withdrawn: 0, statuses: ["refused"] });
    expect((await state()).held).toBe(held - 300);
    expect(await first()).toMatchObject({ status: 3, desc: "Wrong name" });
    expect((await messages("en_us"))[0]).toMatchObject({
      kind: "withdraw.refused",
      text: "Your withdrawal was refused and 300 points returned to your balance. Reason: Wrong name",
    });
    const log = (await mia.call("/member/getMoneylog", undefined, { lang: "en_us" })).data.list[0];
    expect(log).toMatchObject({ type: "withdraw-return", money: "300.00", balance: "1000.00", desc: "Wrong name" });
  });

  it("returns it once on concurrent refusals", async () => {
    expect(await doneOf(() => refuse())).toBe(1);
    expect(await state()).toMatchObject({ balance: 1_000, version: 3 });
  });

  it("ends in one way only when it is approved, paid and refused at once", async () => {
    await approve();
    const ends = await Promise.allSettled([pay(), refuse(), pay(), refuse()]);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { balance, withdrawn } = await state();
    expect(balance + withdrawn).toBe(1_000);
  });

  it("does not count towards the day's limit", async () => {
    const used = async () => (await mia.call("/member/getUserWithdrawRole")).data.used_today;
    expect(await used()).toBe(1);
    await refuse();
    expect(await used()).toBe(0);
  });

  it("returns what was held to a locked member", async () => {
    await lock(w, mia.memberId, true);
    await refuse();
    expect(await state()).toMatchObject({ balance: 1_000 });
  });
});

describe("an unknown withdrawal", () => {
  it.each([["approved", approve] as const, ["refused", refuse] as const, ["paid", pay] as const])(
    "cannot be %s",
    async (_, step) => {
      expect(await noTo(() => step(999_999))).toBe("object.unknown");
    },
  );
});
