import { describe, expect, it } from "vitest";
import { storeDemoPictures, readDemoListings, seedListings, type DemoListings } from "#server/demo/listings.ts";
import { indexWords } from "#server/domains/listing/index-words.ts";
import { filesOf } from "#server/pictures/store.ts";
import { world } from "../../support/world.ts";
import { allListings, read } from "./listing-world.ts";

const made: DemoListings = {
  cities: [{ name: "Hanoi" }, { name: "Seoul" }],
  listings: Array.from({ length: 12 }, (_, i) => ({
    code: `demo-${i}`,
    city: i % 2,
    name: { en_us: `Ann ${i}` },
    headline: "Hosts",
    district: "Old town",
    birthday: "1999-12-31",
    height: 170,
    chest: null,
    price: 500,
    address: "1 Street",
    contact: "demo@example.org",
    service: ["Hosting"],
    pictures: [],
  })),
};

describe("the listings of the demo", () => {
  it("are in their cities, can be found, and have comments and hearts marked as demo", async () => {
    const w = await world();
    await w.deps.db.transact((tx) => seedListings(tx, w.deps, made));
    await indexWords(w.deps);
    await w.site.relay.wake();
    expect((await read(w, "/nHomeList", { city: "cty_2", q: "ann" })).count).toBe(6);
    for (const { id, commentCount, heartsSum, heartsMean } of await allListings(w)) {
      const { list, count } = await read(w, "/xuanfei/commentlist", { id: `lst_${id}` });
      const sum = (list as { hearts: number }[]).reduce((all, { hearts }) => all + hearts, 0);
      expect([commentCount, heartsSum]).toEqual([count, sum]);
      expect(heartsMean).toBe(count === 0 ? 0 : Math.round((sum * 100) / count));
      for (const answer of list) expect([answer.demo, answer.username.startsWith("d***")]).toEqual([1, true]);
    }
    expect((await read(w, "/xuanfei/xuanfeidata", { id: "lst_3" })).demo).toBe(1);
    const { code } = await w.call("/member/doLogin", { username: "demo_linh", password: "demo12345" });
    expect(code).toBe(422);
    await w.close();
  });

  it("have their pictures where the demo's picture files are", async () => {
    const w = await world();
    const demo = readDemoListings();
    await storeDemoPictures(w.deps, demo);
    // Some have a file in common, and each its own copy.
    const addresses = demo.listings.flatMap(({ code, pictures }) =>
      pictures.flatMap(({ widths }, i) => filesOf({ name: `/files/pictures/demo/${code}-${i + 1}`, widths })),
    );
    expect((await w.deps.storage.list("pictures/demo")).sort()).toEqual(addresses.toSorted());
    for (const name of addresses.filter((_, i) => i % 72 < 2)) {
      expect([name, await w.deps.storage.find(name)]).not.toEqual([name, null]);
    }
    await w.close();
  });
});
