import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatMoney } from "#shared/format.ts";
import { LOCALES } from "#shared/locales.ts";
import { traces } from "../../support/ledger.ts";
import { set } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";
import { bodyOf, deliver, ordered, stateOf, tap } from "./shop.ts";

let w: World;
beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

const offered = async () => {
  const { data } = await w.call("/system/base");
  return data.pay_banklist.map(({ code }) => code);
};

describe("the offered channels", () => {
  it("are the sandbox alone while the unit is points, whatever else the operator configured", async () => {
    expect(await offered()).toEqual(["sandbox"]);
    await set(w, "pay_banklist", "bank,sandbox,card");
    expect(await offered()).toEqual(["sandbox"]);
    const mia = await w.player("mia_1");
    const before = await traces(w);
    const { code, fields } = await mia.call("/member/doRecharge", { pay_way: "bank", money: "10" });
    expect([code, Object.keys(fields!)]).toEqual([400, ["pay_way"]]);
    expect(await traces(w)).toEqual(before);
    expect((await mia.call("/member/doRecharge", { pay_way: "sandbox", money: "10" })).code).toBe(200);
  });
});

describe("the sandbox, where the unit is a currency", () => {
  it("is not offered, shows no page, takes no payment and accepts no notification", async () => {
    const mia = await w.player("mia_1");
    const orderNo = await ordered(mia, 10);
    await set(w, "unit", "EUR");
    expect(await offered()).toEqual([]);
    const { code, fields } = await mia.call("/member/doRecharge", { pay_way: "sandbox", money: "10" });
    expect([code, Object.keys(fields!)]).toEqual([400, ["pay_way"]]);
    const before = await traces(w);
    expect((await w.site.app.inject({ url: `/pay/sandbox/${orderNo}` })).statusCode).toBe(404);
    expect((await tap(w, orderNo, "pay")).statusCode).toBe(404);
    expect(await deliver(w, bodyOf(w, { order: orderNo }))).toMatchObject({ status: 404, code: 404 });
    expect(await traces(w)).toEqual(before);
    expect(await stateOf(w, mia.memberId)).toMatchObject({ balance: 0, statuses: ["waiting"], credits: 0 });
  });
});

describe("the sandbox's page", () => {
  it("says in words that these are points, in each language", async () => {
    for (const [i, { code }] of LOCALES.entries()) {
      const mia = await w.player(`mia_${i}`);
      const { data } = await mia.call("/member/doRecharge", { pay_way: "sandbox", money: "1234" }, { lang: code });
      const { body } = await w.site.app.inject({ url: new URL(data.pay_url).pathname });
      const amount = formatMoney(123_400, "point", code);
      const named = w.deps.text(code, "unit.points", { amount, count: 1_234 });
      expect(body).toContain(named);
      expect(named).not.toBe(amount);
    }
  });
});

describe("the unit", () => {
  it.each(["JPY", "KRW", "VND", "EUR"])("may be %s on an empty ledger", async (unit) => {
    await set(w, "unit", unit);
    expect((await w.call("/system/base")).data.unit).toBe(unit);
  });

  it.each(["KRW", "EUR"])(
    "takes whole amounts only, in %s: a fraction is refused by its field's name",
    async (unit) => {
      await set(w, "unit", unit);
      const mia = await w.player("mia_1", { balance: 1_000 });
      const before = await traces(w);
      const asked: [path: string, input: Record<string, string>, field: string][] = [
        ["/member/doRecharge", { pay_way: "btcpay", money: "10.5" }, "money"],
        ["/member/setUserWirhdraw", { money: "100.50", paypwd: "123456" }, "money"],
        ["/member/limits", { stake_day: "100.5" }, "stake_day"],
        ["/game/placeOrder", { item: "A", money: "1.5", lid: "lot_1", mid: "", expect: "20260302-0001" }, "money"],
      ];
      for (const [path, input, field] of asked) {
        const { code, fields } = await mia.call(path, input, { lang: "en_us" });
        expect([path, code, Object.keys(fields!)]).toEqual([path, 400, [field]]);
        expect((fields as Record<string, string>)[field]).toContain("whole number");
      }
      expect(await traces(w)).toEqual(before);
    },
  );

  it("without decimals is written without them, and the wire keeps its two places", async () => {
    await set(w, "unit", "KRW");
    const mia = await w.player("mia_1", { balance: 1_234 });
    const { data } = await mia.call("/member/getUserInfo", undefined, { lang: "en_us" });
    expect(data).toMatchObject({ money: "1234.00", money_value: "₩1,234", point: 0 });
  });

  it.each(["BHD", "KWD", "JOD", "XXY", "eur"])("cannot be %s", async (unit) => {
    await expect(set(w, "unit", unit)).rejects.toThrow("two or no digits");
  });

  it("is fixed by the first row of the ledger, and stays", async () => {
    await set(w, "unit", "EUR");
    await w.player("mia_1", { balance: 10 });
    await expect(set(w, "unit", "point")).rejects.toMatchObject({ reason: "unit.fixed" });
    await expect(set(w, "unit", "EUR")).rejects.toMatchObject({ reason: "unit.fixed" });
    expect((await w.call("/system/base")).data.unit).toBe("EUR");
  });

  it("is either changed before the first row or not at all, however close they come", async () => {
    for (let i = 0; i < 10; i++) {
      const one = await world();
      try {
        const [changed] = await Promise.allSettled([set(one, "unit", "EUR"), one.player("mia_1", { balance: 10 })]);
        const { data } = await one.call("/system/base");
        expect(data.unit).toBe(changed.status === "fulfilled" ? "EUR" : "point");
      } finally {
        await one.close();
      }
    }
  });
});
