import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bet } from "../../support/ledger.ts";
import { set } from "../../support/operator.ts";
import { DAY_MS } from "#shared/time.ts";
import type { Player, World } from "../../support/world.ts";
import { offer, pairOf, points, prize, closeAudited, spin, wheelRows, wheelWorld } from "./wheel-world.ts";

let w: World;
let mia: Player;

/** Without free spins, at 10 units each. */
beforeEach(async () => {
  w = await wheelWorld(prize("one"), prize("two"));
  await w.game();
  await w.live(1_000);
  await set(w, "spin_daily", "0");
  await set(w, "spin_price", "10");
  mia = await w.player("mia_1", { balance: 100 });
});
afterEach(() => closeAudited(w));

const money = async () => (await mia.call("/member/getUserInfo")).data.money;
const reasonOf = async () => {
  const before = await wheelRows(w);
  const { code, reason } = await spin(mia);
  expect([code, await wheelRows(w)]).toEqual([422, before]);
  return reason;
};

describe("a bought spin", () => {
  it("costs its price once the free ones are used up", async () => {
    await set(w, "spin_daily", "1");
    expect(await pairOf(mia)).toMatchObject({ spins_left: 1, spins_daily: 1, spin_price: "10.00" });
    await spin(mia);
    expect(await money()).toBe("100.00");
    const { data } = await spin(mia);
    expect([data.nonce, data.spins_left, await money()]).toEqual([1, 0, "90.00"]);
    const log = (await mia.call("/member/getMoneylog", undefined, { lang: "en_us" })).data;
    expect(log.list[0]).toMatchObject({ type: "spin", type_txt: "Wheel spin", money: "-10.00", version: 2 });
    w.pass(DAY_MS);
    await spin(mia);
    expect(await money()).toBe("90.00");
  });

  it("costs the announced price, or is refused: neither free nor at another price", async () => {
    for (const price of ["0.00", "9.99", "10.01"]) {
      const before = await wheelRows(w);
      const { code, reason } = await spin(mia, undefined, { price });
      expect([code, reason, await wheelRows(w)]).toEqual([422, "spins.price", before]);
    }
    expect((await spin(mia, undefined, { price: "10.00" })).code).toBe(200);
    await set(w, "spin_daily", "1");
    w.pass(DAY_MS);
    expect((await spin(mia, undefined, { price: "10.00" })).reason).toBe("spins.price");
    expect((await spin(mia, undefined, { price: "0.00" })).code).toBe(200);
    expect(await money()).toBe("90.00");
  });

  it.each(["10", "-1.00", "1e3", "١.00"])("is refused at the invalid price of %s", async (price) => {
    const { code, fields } = await spin(mia, undefined, { price });
    expect([code, Object.keys(fields!)]).toEqual([400, ["price"]]);
  });

  it("is paid and won in one transaction: two entries without a gap", async () => {
    await offer(w, points("one", 400), points("two", 400));
    await spin(mia);
    expect(await money()).toBe("94.00");
    const { list } = (await mia.call("/member/getMoneylog")).data;
    const moved = (list as { type: string; money: string; version: number }[]).map((row) => [
      row.type,
      row.money,
      row.version,
    ]);
    expect(moved.slice(0, 2)).toEqual([
      ["prize", "4.00", 3],
      ["spin", "-10.00", 2],
    ]);
  });

  it("counts as play in the report and in each of its series", async () => {
    await offer(w, points("one", 400), points("two", 400));
    await bet(w, mia, 5, "A,B");
    await spin(mia);
    await w.live(60_000);
    const figures = { play_money: "20.00", win_money: "13.75", recharge: "0.00", withdrawal: "0.00" };
    expect((await mia.call("/member/getPersonalreport")).data).toEqual(figures);
    for (const by of ["day", "week", "month"]) {
      const { data } = await mia.call("/member/reportSeries", { by }, { method: "GET" });
      expect(data.at(-1)).toMatchObject(figures);
    }
    w.pass(DAY_MS);
    await spin(mia);
    const { data } = await mia.call("/member/reportSeries", { by: "day" }, { method: "GET" });
    expect(data.slice(-2)).toMatchObject([figures, { play_money: "10.00", win_money: "4.00" }]);
  });

  it("is refused where the balance does not cover it", async () => {
    await bet(w, mia, 91);
    expect(await reasonOf()).toBe("balance.insufficient");
  });

  it("is refused beyond the member's limit on stakes, which bets and spins share", async () => {
    await mia.call("/member/limits", { stake_day: "25" });
    await bet(w, mia, 5);
    for (let i = 0; i < 2; i++) expect((await spin(mia)).code).toBe(200);
    expect(await reasonOf()).toBe("limit.reached");
    expect((await bet(w, mia, 1)).reason).toBe("limit.reached");
    w.pass(DAY_MS);
    expect((await spin(mia)).code).toBe(200);
  });

  it("is refused beyond the loss limit, for which points won make room", async () => {
    await mia.call("/member/limits", { loss_week: "12" });
    expect((await spin(mia)).code).toBe(200);
    expect(await reasonOf()).toBe("limit.reached");
    await set(w, "spin_daily", "1");
    await offer(w, points("one", 800), points("two", 800));
    expect((await spin(mia)).data.spins_left).toBe(0);
    expect((await spin(mia)).code).toBe(200);
    expect(await reasonOf()).toBe("limit.reached");
  });

  it("is not offered while no price is set", async () => {
    await set(w, "spin_price", "0");
    expect(await reasonOf()).toBe("spins.none");
  });
});

describe("points won with a free spin", () => {
  it("make room for losses on a day without a stake so far", async () => {
    await set(w, "spin_daily", "1");
    await mia.call("/member/limits", { loss_day: "10" });
    await bet(w, mia, 1);
    w.pass(DAY_MS);
    await w.settle();
    await offer(w, points("one", 500), points("two", 500));
    await spin(mia);
    expect((await bet(w, mia, 16)).reason).toBe("limit.reached");
    expect((await bet(w, mia, 15)).code).toBe(200);
  });
});
