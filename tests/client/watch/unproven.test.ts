import { describe, expect, it } from "vitest";
import { House, MEMBER } from "./house.ts";
import { Phone } from "./phone.ts";

describe("a phone takes for checked", () => {
  it("no round whose closing stands in a fork, while the house proves nothing", async () => {
    const [house, liar] = [new House(), new House()];
    const phone = new Phone(house);
    house.close(1);
    await phone.hear({ type: "head", head: house.note() });
    liar.close(1, { stake: 700 });
    await phone.hear(liar.open(2));
    await phone.wait();
    phone.instead.consistency = () => {
      throw new Error("no answer");
    };
    liar.close(2);
    phone.house = liar;
    await phone.hears(liar.tell(2));
    await phone.hear(liar.result(2));
    await phone.wait();
    expect(await phone.report()).toMatchObject({ rounds: 0, untold: 0, findings: [] });
  });

  it("a round nothing until the house proves the head of its closing, also at a later visit", async () => {
    for (const isLater of [false, true]) {
      const house = new House();
      const phone = new Phone(house);
      await phone.hear({ type: "head", head: house.note() });
      phone.instead.consistency = () => {
        throw new Error("no answer");
      };
      await phone.round(1);
      await phone.wait();
      expect(await phone.report()).toMatchObject({ rounds: 0, untold: 0, findings: [] });
      const visit = isLater ? new Phone(house, phone.shelf) : phone;
      if (isLater) await visit.watcher.begin(null);
      visit.instead = {};
      await visit.round(2);
      await visit.wait();
      await visit.wait();
      expect(await visit.report()).toMatchObject({ rounds: 2, untold: 0, findings: [] });
    }
  });

  it("no bet by a closing that the log does not hold", async () => {
    const [house, alone] = [new House(), new House()];
    const phone = new Phone(house);
    await phone.hear({ type: "head", head: house.note() }, house.open(1));
    await phone.wait();
    const { placed, receipt } = house.bet("bet_1", 1);
    expect(await phone.watcher.answer("take", { placed, receipt })).toBe("right");
    house.bet("bet_2", 1);
    house.close(1);
    alone.bet("bet_1", 1);
    alone.close(1);
    const { number } = house.proof("bet_1").close!;
    phone.instead.proof = () => {
      const proof = alone.proof("bet_1");
      return { ...proof, close: { ...proof.close!, number } };
    };
    const settled = { type: "settled", orders: [{ member: MEMBER, order: "bet_1", win: "0.00" }] } as const;
    await phone.hear(house.result(1), { ...settled, orders: [...settled.orders] });
    await phone.wait();
    expect((await phone.kept.newestReceipt(MEMBER, "bet_1"))!.state).toBe("taken");
    expect(await phone.found()).not.toContain("notCounted");
  });
});
