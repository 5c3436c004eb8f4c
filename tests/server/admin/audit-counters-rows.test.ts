import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { comments, listings, members, wallets } from "#db/schema/index.ts";
import { auditCounters } from "#server/admin/audit/counters.ts";
import { ENGINE } from "../../support/databases.ts";
import { add, addMany, AT_BORDER, BORDERS, emptyRows, listed, person, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Counts = [many: number, sum: number, mean: number];

const listing = (id: number, [commentCount, heartsSum, heartsMean]: Counts) =>
  listed(id, { commentCount, heartsSum, heartsMean });
const says = (id: number, says: Counts, is: Counts) =>
  `listing ${id}: its counters of comments, hearts and their mean are ${says.join()}, the comments give ${is.join()}`;

/** Listings with what they count, and the hearts of the comments that are shown of each. */
const problemsOf = (...some: { counts: Counts; hearts: number[] }[]) =>
  rows.problemsOf(auditCounters, async (tx) => {
    await add(tx, listings, ...some.map(({ counts }, i) => listing(i + 1, counts)));
    const comment = { text: "", createdAt: 1 };
    const shown = some.flatMap(({ hearts }, i) =>
      hearts.map((count, memberId) => ({ ...comment, listingId: i + 1, memberId, hearts: count, shown: true })),
    );
    const others = [null, false].map((is, i) => ({
      ...comment,
      listingId: 1,
      memberId: 900 + i,
      hearts: 6,
      shown: is,
    }));
    await add(tx, comments, ...shown, ...others);
  });

describe("the audit of what is counted of comments", () => {
  it.each<[Counts, number[]]>([
    [[0, 0, 0], []],
    [[1, 6, 600], [6]],
    [
      [2, 9, 450],
      [4, 5],
    ],
    [
      [3, 10, 333],
      [3, 3, 4],
    ],
    [
      [3, 11, 367],
      [3, 4, 4],
    ],
    [
      [8, 9, 113],
      [1, 1, 1, 1, 1, 1, 1, 2],
    ],
  ])("takes %j", async (counts, hearts) => {
    const [many, sum, mean] = counts;
    expect(await problemsOf({ counts, hearts })).toEqual([]);
    for (const wrong of [
      [many + 1, sum, mean],
      [many, sum + 1, mean],
      [many, sum, mean + 1],
    ] satisfies Counts[])
      expect(await problemsOf({ counts: wrong, hearts })).toEqual([says(1, wrong, counts)]);
  });

  it("counts each listing's own", async () => {
    const of = (counts: Counts, hearts: number[]) => ({ counts, hearts });
    expect(await problemsOf(of([1, 6, 600], [6]), of([2, 4, 200], [1, 3]), of([0, 0, 0], []))).toEqual([]);
    expect(await problemsOf(of([2, 4, 200], [6]), of([1, 6, 600], [1, 3]))).toEqual([
      says(1, [2, 4, 200], [1, 6, 600]),
      says(2, [1, 6, 600], [2, 4, 200]),
    ]);
  });

  it("asks many listings, each once", async () => {
    const problems = await rows.problemsOf(auditCounters, () => {
      const text = (value: string) => (ENGINE === "postgres" ? `${value}::json` : value);
      const [none, list] = [text("'{}'"), text("'[]'")];
      const words = { name: none, headline: none, district: none, address: none, service: list, pictures: list };
      const facts = { city_id: "1", birthday: "''", height_cm: "1", price: "1", contact: "''", created_at: "1" };
      const counted = { comment_count: `case when ${AT_BORDER} then 1 else 0 end` };
      return addMany(rows, "listings", { id: "i", code: "'elf-' || i", ...words, ...facts, ...counted });
    });
    expect(problems).toEqual(BORDERS.map((id) => says(id, [1, 0, 0], [0, 0, 0])));
  });
});

it("the audit names members without a wallet, and wallets without a member", async () => {
  const problems = await rows.problemsOf(auditCounters, async (tx) => {
    await add(tx, members, ...[1, 2, 3].map((id) => person(id)));
    await add(tx, wallets, ...[2, 4, 5].map((memberId) => ({ memberId })));
  });
  expect(problems).toEqual([
    "member 1 has no wallet",
    "member 3 has no wallet",
    "wallet of member 4: there is no such member",
    "wallet of member 5: there is no such member",
  ]);
});
