import { describe, expect, it } from "vitest";
import { comments } from "#db/schema/index.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { inPages, isAfter, pagesOf } from "#server/admin/audit/pages.ts";
import { add, emptyRows } from "./audit-rows.ts";

/** Reads of a table with these numbers. */
const tableOf = (ids: number[]) => async (after: number, limit: number) =>
  ids
    .filter((id) => id > after)
    .slice(0, limit)
    .map((id) => ({ id }));
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe("a table in pages", () => {
  it.each<[number, number[]]>([
    [0, []],
    [1, [1]],
    [4_999, [4_999]],
    [5_000, [5_000]],
    [5_001, [5_000, 1]],
    [10_000, [5_000, 5_000]],
  ])("is read whole: %d rows", async (count, sizes) => {
    const [pages, ids]: [number[], number[]] = [[], []];
    for await (const page of pagesOf(tableOf(numbers(count)))) {
      pages.push(page.length);
      ids.push(...page.map(({ id }) => id));
    }
    expect([pages, ids]).toEqual([sizes, numbers(count)]);
    const one: number[] = [];
    for await (const { id } of inPages(tableOf(numbers(count)))) one.push(id);
    expect(one).toEqual(numbers(count));
  });

  it("has also the rows that somebody gave a number below 1", async () => {
    const ids: number[] = [];
    for await (const { id } of inPages(tableOf([-9_000_000_000_000, -1, 0, 1]))) ids.push(id);
    expect(ids).toEqual([-9_000_000_000_000, -1, 0, 1]);
  });

  it("goes on after a place in the order of two columns", async () => {
    const rows = await emptyRows();
    const { listingId, memberId } = comments;
    const places = [
      [1, 9],
      [2, 1],
      [2, 2],
      [2, 3],
      [3, 1],
    ] as const;
    const found = await rows.during(
      (tx) => {
        const comment = { text: "", hearts: 1, createdAt: 1 };
        return add(
          tx,
          comments,
          ...places.map(([listing, member]) => ({ listingId: listing, memberId: member, ...comment })),
        );
      },
      (tx) =>
        Promise.resolve(
          tx
            .select()
            .from(comments)
            .where(isAfter([listingId, memberId], [2, 2]))
            .orderBy(comments.id),
        ),
    );
    await rows.close();
    expect(found.map((row) => [row.listingId, row.memberId])).toEqual([
      [2, 3],
      [3, 1],
    ]);
  });
});

describe("what the audit found", () => {
  it("is what does not agree, and what is to know", () => {
    const found = new Findings();
    found.check(true, () => "agrees");
    found.check(false, () => "differs");
    found.note(() => "to know");
    expect([found.problems, found.notes]).toEqual([["differs"], ["to know"]]);
  });

  it.each([1_000, 1_001, 1_002, 2_000])("ends after a thousand sentences each, of %d", (count) => {
    const found = new Findings();
    for (const id of numbers(count)) {
      found.check(false, () => `problem ${id}`);
      found.note(() => `note ${id}`);
    }
    const more = count > 1_000 ? ["…and more"] : [];
    expect(found.problems).toEqual([...numbers(1_000).map((id) => `problem ${id}`), ...more]);
    expect(found.notes).toEqual([...numbers(1_000).map((id) => `note ${id}`), ...more]);
  });
});
