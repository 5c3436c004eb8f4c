import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pauseListing } from "#server/domains/listing/take-down.ts";
import { fromUnits } from "#shared/money.ts";
import { world, type World } from "../../support/world.ts";
import { activePlayer, change, city, listing, read, save } from "./listing-world.ts";

const PICTURE = { name: "/files/pictures/ab", widths: [320, 640, 1080], ratio: 1.5, blur: "abcd" };

let w: World;

beforeAll(async () => {
  w = await world();
  await city(w, { en_us: "Hanoi", vn_vn: "Hà Nội" });
  await city(w, "Seoul");
  await save(
    w,
    listing("a", { price: fromUnits(300), heightCm: 160, pictures: [PICTURE] }),
    listing("b", { price: fromUnits(100), heightCm: 175, cityId: 2 }),
    listing("c", { price: fromUnits(200), heightCm: 168 }),
    listing("d", { price: fromUnits(200), heightCm: 181 }),
  );
  await change(w, "b", { heartsMean: 450, commentCount: 2, heartsSum: 9 });
  await change(w, "a", { heartsMean: 333, commentCount: 3, heartsSum: 10 });
});
afterAll(() => w.close());

const names = async (input: Record<string, string> = {}) => {
  const { list, count } = await read(w, "/nHomeList", input);
  expect(count).toBe(list.length);
  return (list as { name: string }[]).map(({ name }) => name.replace("Model ", "")).join("");
};

describe("the cities", () => {
  it("are listed in the reader's language, the newest last", async () => {
    expect(await read(w, "/xuanfei/address")).toEqual([
      { id: "cty_1", name: "Hanoi", count: 3, cover: "", cover_shape: null },
      { id: "cty_2", name: "Seoul", count: 1, cover: "", cover_shape: null },
    ]);
    expect((await w.call("/xuanfei/address", undefined, { lang: "vn_vn" })).data[0]!.name).toBe("Hà Nội");
  });
});

describe("the list of listings", () => {
  it("is in the requested order, newest first by default, and breaks ties by the newer or the later", async () => {
    expect(await names()).toBe("dcba");
    expect(await names({ sort: "newest" })).toBe("dcba");
    expect(await names({ sort: "price" })).toBe("bcda");
    expect(await names({ sort: "price_desc" })).toBe("adcb");
    expect(await names({ sort: "hearts" })).toBe("badc");
  });

  it("can be filtered by city, price and height, all at once", async () => {
    expect(await names({ city: "cty_1" })).toBe("dca");
    expect(await names({ price_min: "200" })).toBe("dca");
    expect(await names({ price_max: "200" })).toBe("dcb");
    expect(await names({ price_min: "150", price_max: "299", sort: "price" })).toBe("cd");
    expect(await names({ price_min: "150", price_max: "299", sort: "price_desc" })).toBe("dc");
    expect(await names({ height_min: "168", height_max: "175" })).toBe("cb");
    expect(await names({ city: "cty_1", height_min: "161", price_max: "250", sort: "hearts" })).toBe("dc");
    expect(await names({ price_min: "300", price_max: "100" })).toBe("");
  });

  it("shows of each what a card needs, and nothing private", async () => {
    const { list } = await read(w, "/nHomeList", { sort: "hearts" });
    expect(list[1]).toEqual({
      id: "lst_1",
      name: "Model a",
      img: "/files/pictures/ab-640.webp",
      img_shape: { widths: [320, 640, 1080], ratio: 1.5, blur: "abcd" },
      address: "Old town",
      hearts: 3.3,
      comment_total: 3,
      city_name: "Hanoi",
      price: "300.00",
      height: 160,
    });
    expect([list[0]!.img, list[0]!.img_shape, list[0]!.hearts]).toEqual(["", null, 4.5]);
  });

  it("has ten rows a page by default, and none beyond its end", async () => {
    const page = async (page: string, limit?: string) =>
      read(w, "/nHomeList", { page, sort: "price", ...(limit !== undefined && { limit }) });
    expect((await page("1", "3")).list.map(({ id }: { id: string }) => id)).toEqual(["lst_2", "lst_3", "lst_4"]);
    expect((await page("2", "3")).list.map(({ id }: { id: string }) => id)).toEqual(["lst_1"]);
    for (const far of ["2", "1000000000", "9007199254740991"]) expect(await page(far)).toEqual({ list: [], count: 4 });
  });

  it("leaves a paused listing out, and shows it again once it is resumed", async () => {
    const pause = async (paused: boolean) => {
      await w.deps.db.transact((tx) => pauseListing(tx, w.deps, "c", paused));
      await w.site.relay.wake();
    };
    await pause(true);
    expect(await names()).toBe("dba");
    expect(await names({ q: "model" })).toBe("dba");
    expect((await w.call("/xuanfei/xuanfeidata", { id: "lst_3" }, { method: "GET" })).code).toBe(404);
    expect((await w.call("/xuanfei/picshow", { id: "lst_3" }, { method: "GET" })).code).toBe(404);
    expect((await w.call("/xuanfei/commentlist", { id: "lst_3" }, { method: "GET" })).code).toBe(404);
    await pause(false);
    expect(await names()).toBe("dcba");
  });
});

describe("the list of profiles", () => {
  it("is of a city or of all, newest first, and names services to active members alone", async () => {
    const ids = (data: { list: { id: string }[] }) => data.list.map(({ id }) => id);
    expect(ids(await read(w, "/xuanfei/xuanfeilist"))).toEqual(["lst_4", "lst_3", "lst_2", "lst_1"]);
    const { list, count } = await read(w, "/xuanfei/xuanfeilist", { id: "cty_2" });
    expect([list.length, count]).toEqual([1, 1]);
    expect(list[0]).toEqual({
      id: "lst_2",
      img_url: "",
      img_shape: null,
      xuanfei_name: "Model b",
      height: 175,
      one: 88,
      address: "Old town",
      service_data: [],
      vo_title: "Hosts your event",
    });
    const mia = await activePlayer(w, "mia_1");
    const answer = await read(w, "/xuanfei/xuanfeilist", { id: "cty_2" }, mia.token);
    expect(answer.list[0]!.service_data).toEqual(["Hosting"]);
    expect((await read(w, "/xuanfei/xuanfeilist", { id: "cty_2" })).list[0]!.service_data).toEqual([]);
  });
});

describe("the pictures", () => {
  it("are listed for those who have some, and shown one by one", async () => {
    const shape = { widths: [320, 640, 1080], ratio: 1.5, blur: "abcd" };
    const set = { id: "lst_1", title: "Model a", cover: "/files/pictures/ab-640.webp", cover_shape: shape, total: 1 };
    expect(await read(w, "/xuanfei/piclist")).toEqual({ list: [set], count: 1 });
    expect(await read(w, "/xuanfei/picshow", { id: "lst_1" })).toEqual({
      id: "lst_1",
      title: "Model a",
      images: ["/files/pictures/ab-640.webp"],
      image_shapes: [shape],
    });
  });
});

describe("a wrong request", () => {
  it.each([
    ["/nHomeList", "page", ["0", "-1", "x", "1.5", "01"]],
    ["/nHomeList", "limit", ["0", "51", "x"]],
    ["/nHomeList", "sort", ["cheap", "id; drop table listings"]],
    ["/nHomeList", "city", ["a b", "ü", "x".repeat(65)]],
    ["/nHomeList", "q", ["x".repeat(65), "a\u0000b"]],
    ["/nHomeList", "price_min", ["-1", "1.5", "x", "2000000001"]],
    ["/nHomeList", "height_max", ["-1", "301", "tall"]],
    ["/xuanfei/xuanfeilist", "page", ["0", "-1", "x"]],
    ["/xuanfei/xuanfeilist", "id", ["a b"]],
    ["/xuanfei/piclist", "page", ["0", "-1", "x"]],
    ["/xuanfei/xuanfeidata", "id", ["", "-1 ", "a b", "x".repeat(65)]],
    ["/xuanfei/picshow", "id", ["", "a/b"]],
    ["/xuanfei/commentlist", "id", ["", "a/b"]],
  ])("in %s, %s, is refused with the field", async (path, field, texts) => {
    for (const text of texts) {
      const { code, fields } = await w.call(path, { id: "lst_1", [field]: text }, { method: "GET" });
      expect([text, code, Object.keys(fields!)]).toEqual([text, 400, [field]]);
    }
  });

  it.each(["lst_99", "lst_0", "lst_01", "cty_1", "1", "-1", "lst_999999999999999", "lst_1x", "__proto__"])(
    "for listing %s finds none",
    async (id) => {
      for (const path of ["/xuanfei/xuanfeidata", "/xuanfei/picshow", "/xuanfei/commentlist"]) {
        expect((await w.call(path, { id }, { method: "GET" })).data).toEqual({ reason: "object.unknown" });
      }
    },
  );

  it.each(["cty_99", "lst_1", "1", "cty_0"])("for city %s finds none", async (id) => {
    expect((await w.call("/nHomeList", { city: id }, { method: "GET" })).code).toBe(404);
    expect((await w.call("/xuanfei/xuanfeilist", { id }, { method: "GET" })).code).toBe(404);
  });
});
