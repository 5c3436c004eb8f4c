import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatMoney } from "#shared/format.ts";
import { LOCALES } from "#shared/locales.ts";
import { traces } from "../../support/ledger.ts";
import { set } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

const offered = async () => {
  const { data } = await w.call("/system/base");
  return (data.pay_banklist as { code: string }[]).map(({ code }) => code);
};

describe("the channels that are offered", () => {
  it("are the sandbox alone while the unit is points, whatever else the operator named", async () => {
    await set(w, "pay_banklist", "bank,sandbox,card");
    expect(await offered()).toEqual(["sandbox"]);
    const mia = await w.player("mia_1");
    const before = await traces(w);
    const { code, data } = await mia.call("/member/doRecharge", { pay_way: "bank", money: "10" });
    expect([code, Object.keys(data.fields as object)]).toEqual([400, ["pay_way"]]);
    expect(await traces(w)).toEqual(before);
    expect((await mia.call("/member/doRecharge", { pay_way: "sandbox", money: "10" })).code).toBe(200);
  });

  it("are all but the sandbox for a currency", async () => {
    await set(w, "pay_banklist", "bank,sandbox,card");
    await set(w, "unit", "EUR");
    expect(await offered()).toEqual(["bank", "card"]);
  });
});

describe("the sandbox's page", () => {
  it("says points in words, in each language", async () => {
    const mia = await w.player("mia_1");
    for (const { code } of LOCALES) {
      const { data } = await mia.call("/member/doRecharge", { pay_way: "sandbox", money: "1234" }, { lang: code });
      const { body } = await w.site.app.inject({ url: new URL(data.pay_url as string).pathname });
      const amount = formatMoney(123_400, "point", code);
      expect(body).toContain(w.deps.text(code, "unit.points", { amount }));
      expect(w.deps.text(code, "unit.points", { amount })).not.toBe(amount);
    }
  });
});
