import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { houseEntries } from "#db/schema/ledger.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { HouseRanges } from "#server/admin/audit/house-ranges.ts";
import { emptyRows, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
beforeEach(() => rows.begin());
afterEach(() => rows.forget());
afterAll(() => rows.close());

type Kind = "bets" | "payouts";
const entry = (id: number, fromId: number, toId: number, amount: number, kind: Kind = "bets") =>
  rows.read.insert(houseEntries).values({ id, kind, fromId, toId, amount, createdAt: 1 });

/** What the audit finds when these bets have a stake of 10 each. */
async function problemsOf(...bets: number[]): Promise<string[]> {
  const found = new Findings();
  const ranges = new HouseRanges(rows.read, found);
  for (const id of bets) await ranges.add({ id, total: 10 });
  await ranges.end();
  return found.problems;
}

describe("the audit of the house's entries of bets", () => {
  it("finds nothing where each sums its own bets, and where there are neither", async () => {
    expect(await problemsOf()).toEqual([]);
    await entry(1, 1, 2, 20);
    await entry(2, 1, 9, -20, "payouts");
    await entry(3, 3, 3, 10);
    await entry(4, 4, 6, 20);
    expect(await problemsOf(1, 2, 3, 4, 6)).toEqual([]);
  });

  it("takes entries by their bets, in whatever order they were written", async () => {
    await entry(1, 3, 4, 20);
    await entry(2, 1, 2, 20);
    expect(await problemsOf(1, 2, 3, 4)).toEqual([]);
  });

  it("names bets before, between and behind the entries", async () => {
    await entry(1, 2, 3, 20);
    await entry(2, 5, 5, 10);
    const lost = (id: number) => `bet ${id} is in no house entry`;
    expect(await problemsOf(1, 2, 3, 4, 5, 6, 7)).toEqual([1, 4, 6, 7].map(lost));
    await rows.run("delete from house_entries where kind = 'bets'");
    expect(await problemsOf(1)).toEqual([lost(1)]);
  });

  it("takes an entry of payouts for none that covers bets", async () => {
    await entry(1, 1, 2, 20, "payouts");
    expect(await problemsOf(1)).toEqual(["bet 1 is in no house entry"]);
  });

  it("names an entry that is not the sum of its bets, whether bets follow it or not, or it has none", async () => {
    await entry(11, 1, 2, 21);
    await entry(12, 3, 4, 19);
    await entry(13, 5, 6, 10);
    await entry(14, 7, 9, 1);
    expect(await problemsOf(1, 2, 3, 4)).toEqual([
      "house entry 11 is 21, its bets 1 to 2 are 20",
      "house entry 12 is 19, its bets 3 to 4 are 20",
      "house entry 13 is 10, its bets 5 to 6 are 0",
      "house entry 14 is 1, its bets 7 to 9 are 0",
    ]);
  });

  it("reads all of more entries than are read at once", async () => {
    const many = 5_001;
    await rows.run(`insert into house_entries (id, kind, amount, from_id, to_id, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${many})
      select i, 'bets', 10, i, i, 1 from n`);
    expect(await problemsOf(...Array.from({ length: many }, (_, i) => i + 1))).toEqual([]);
  });
});
