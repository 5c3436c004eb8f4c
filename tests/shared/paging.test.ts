import { describe, expect, it } from "vitest";
import { pageOf } from "#shared/paging.ts";

describe("a page of a list", () => {
  it("has 20 rows by default, and pages are counted from 1", () => {
    expect(pageOf({})).toEqual({ limit: 20, offset: 0 });
    expect(pageOf({ page: 1 }, 10)).toEqual({ limit: 10, offset: 0 });
    expect(pageOf({ page: 3 }, 10)).toEqual({ limit: 10, offset: 20 });
    expect(pageOf({ page: 3, limit: 50 }, 10)).toEqual({ limit: 50, offset: 100 });
  });

  it("is at a safe integer however far beyond the end it is", () => {
    expect(pageOf({ page: Number.MAX_SAFE_INTEGER, limit: 50 }).offset).toBe(Number.MAX_SAFE_INTEGER);
  });
});
