import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endingsOf } from "#server/domains/listing/words.ts";
import { foldWords } from "#shared/fold-words.ts";
import { world, type World } from "../../support/world.ts";
import { city, listing, read, save } from "./listing-world.ts";

let w: World;

beforeAll(async () => {
  w = await world();
  await city(w, "Hanoi");
  await city(w, "Seoul");
  await save(
    w,
    listing("a", { name: { vn_vn: "Nguyễn Đỗ Ánh", ko_kr: "응우옌 안", en_us: "Anh Nguyen" } }),
    listing("b", { name: { vn_vn: "Trần Ánh", ja_ja: "ガブリエラ", ru_ru: "Андрей" } }),
    listing("c", { name: { th_th: "น้ำฝน", zh_cn: "李小明", en_us: "JOSÉ-Maria O'Neil" }, cityId: 2 }),
  );
});
afterAll(() => w.close());

const found = async (q: string, over: Record<string, string> = {}) => {
  const { list } = await read(w, "/nHomeList", { q, sort: "price", ...over });
  return (list as { id: string }[]).map(({ id }) => "abc"[Number(id.slice(4)) - 1]).join("");
};

describe("a search", () => {
  it.each([
    ["nguyen", "a"],
    ["NGUYỄN", "a"],
    ["guy", "a"],
    ["do", "a"],
    ["ĐỖ", "a"],
    ["anh", "ab"],
    ["ánh", "ab"],
    ["anh nguyen", "a"],
    ["nguyen anh", "a"],
    ["anh tran", "b"],
    ["jose", "c"],
    ["José", "c"],
    ["ｍａｒｉａ", "c"],
    ["neil", "c"],
    ["응우", "a"],
    ["우옌", "a"],
    ["ブリ", "b"],
    ["ｶﾞﾌﾞﾘ", "b"],
    ["андр", "b"],
    ["ฝน", "c"],
    ["小明", "c"],
    ["明", "c"],
  ])("for %s finds %s: any part of any word, in any language, width, case or marks", async (q, who) => {
    expect(await found(q)).toBe(who);
  });

  it.each(["zzz", "anh zzz", "nguyen tran", "カブ", "anhnguyen"])("for %s finds nothing", async (q) => {
    expect(await found(q)).toBe("");
  });

  it.each(["%", "_", "' or 1=1 --", "a*", "\\", '"'])("takes %s literally", async (q) => {
    expect(["", "abc", "a", "ab", "c"]).toContain(await found(q));
    expect(["%", "_", "\\", '"'].includes(q) ? await found(q) : "abc").toBe("abc");
  });

  it("combines with a city and ranges", async () => {
    expect(await found("a", { city: "cty_2" })).toBe("c");
    expect(await found("a", { height_min: "171" })).toBe("");
  });

  it("finds a new name and no longer the old one", async () => {
    await save(w, listing("b", { name: { vn_vn: "Lê Hoa" } }));
    expect([await found("hoa"), await found("tran"), await found("anh")]).toEqual(["b", "", "a"]);
  });

  it("requested by many at once is computed for each", async () => {
    const asked = Array.from({ length: 40 }, (_, i) => found("nguyen", { height_min: String(100 + i) }));
    expect(new Set(await Promise.all(asked))).toEqual(new Set(["a"]));
  });
});

describe("words", () => {
  it("are folded: width, case and Latin marks", () => {
    expect(foldWords("Đặng  ＴＨị-Mỹ, İstanbul")).toEqual(["dang", "thi", "my", "istanbul"]);
    expect(foldWords("ガ Й ё น้ำ 각")).toEqual(["ガ", "й", "ё", "น้ํา".normalize("NFC"), "각"]);
    expect(foldWords("!!! …")).toEqual([]);
  });

  it("have their suffixes indexed, by letters and not by halves of them", () => {
    expect(endingsOf({ en_us: "Ann", vn_vn: "ann" })).toEqual(["ann", "nn", "n"]);
    expect(endingsOf("𠮷田")).toEqual(["𠮷田", "田"]);
  });
});
