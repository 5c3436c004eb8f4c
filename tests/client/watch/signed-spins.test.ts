import { describe, expect, it } from "vitest";
import { House, MEMBER } from "./house.ts";
import { watching } from "./owned.ts";
import { Phone } from "./phone.ts";

const TABLE = "cd".repeat(32);

describe("what the house signed about the spins of a pair", () => {
  const spinOf = (pair: number, nonce: number) => {
    const from = { words: "mine", words_by: "member", table_hash: TABLE } as const;
    const won = { prize: `p-${nonce}`, prize_kind: "points", amount: 100, price: 0, unit: "point" };
    return { kind: "spin", pair, nonce, ...from, ...won } as const;
  };
  const asked = (phone: Phone, pair = 3) => phone.watcher.answer("spins", { member: MEMBER, pair });
  const spun = async () => {
    const all = await watching(1);
    for (const [pair, nonce] of [
      [2, 0],
      [3, 0],
      [3, 1],
      [4, 0],
    ] as const)
      all.house.own<"spin">(spinOf(pair, nonce));
    return all;
  };

  it("is asked for at once, and all of it is known then", async () => {
    const { phone } = await spun();
    const { spins, isWhole } = await asked(phone);
    expect(spins).toMatchObject([0, 1].map((nonce) => ({ nonce, prize: `p-${nonce}`, words: "mine" })));
    expect([isWhole, (await asked(phone, 9)).spins, await phone.found()]).toEqual([true, [], []]);
  });

  it("is not all known where the house does not answer, or answers in part", async () => {
    const { house, phone } = await spun();
    phone.instead.mine = () => {
      throw new Error("away");
    };
    expect(await asked(phone)).toEqual({ spins: [], isWhole: false });
    phone.instead.mine = ({ from }) => {
      if (from !== "1") throw new Error("away");
      return { ...house.mine(), leaves: house.mine().leaves.slice(0, 3) };
    };
    expect(await asked(phone)).toMatchObject({ spins: [{ nonce: 0 }], isWhole: false });
    phone.instead = {};
    expect(await asked(phone)).toMatchObject({ spins: [{ nonce: 0 }, { nonce: 1 }], isWhole: true });
  });

  it("is not all known by an end that was signed long before the newest head", async () => {
    const { house, phone } = await spun();
    house.chainTime = phone.now - 11 * 60_000;
    phone.hasFiles = false;
    expect(await asked(phone)).toMatchObject({ spins: [{}, {}], isWhole: false });
    house.chainTime = phone.now;
    expect((await asked(phone)).isWhole).toBe(true);
  });

  it("is not known before a log is", async () => {
    const phone = new Phone(new House());
    phone.instead.head = () => null;
    expect(await asked(phone)).toEqual({ spins: [], isWhole: false });
  });
});
