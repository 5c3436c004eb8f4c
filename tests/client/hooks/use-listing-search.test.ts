// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { useListingSearch } from "#client/screens/listing/use-listing-search.ts";
import { setStage, stand, whereNow } from "../../support/Stage.tsx";

setStage();

const begin = (query: string) => stand(useListingSearch, ["/Home", `/nHomeList${query}`]);

describe("a search in the address", () => {
  it("has every supported filter", () => {
    const query = "?city=cty_2&q=mia&sort=price_desc&price_min=100&price_max=900&height_min=160&height_max=180";
    expect(begin(query).current.search).toEqual({
      city: "cty_2",
      q: "mia",
      sort: "price_desc",
      price_min: "100",
      price_max: "900",
      height_min: "160",
      height_max: "180",
    });
  });

  it.each([
    ["", {}],
    ["?sort=newest", {}],
    ["?sort=oldest&city=%00&q=%20&price_min=-1&price_max=1e3&height_min=tall", {}],
    ["?price_min=007", { price_min: "7" }],
    ["?price_max=9999999999&height_max=9999", { price_max: "2000000000", height_max: "300" }],
    ["?price_min=900&price_max=100", { price_min: "100", price_max: "900" }],
    [`?q=${"a".repeat(100)}`, { q: "a".repeat(64) }],
    ["?id=lst_1", {}],
  ])("drops invalid ones: %s", (query, search) => {
    expect(begin(query).current.search).toEqual(search);
  });

  it("is written there when it changes, without empty ones", () => {
    const result = begin("?q=mia");
    act(() => result.current.look({ city: "cty_1", q: "", sort: "hearts", price_min: "" }));
    expect(whereNow()).toBe("/nHomeList?city=cty_1&sort=hearts");
    expect(result.current.search).toEqual({ city: "cty_1", sort: "hearts" });
  });
});
