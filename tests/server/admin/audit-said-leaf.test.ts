import { afterAll, beforeAll, expect, it } from "vitest";
import { memberLeaves } from "#db/schema/log.ts";
import { ownersOf } from "#server/admin/audit/said-leaf.ts";
import { contentText } from "#shared/log/salted.ts";
import { CONTENT } from "../../log/leaves.ts";
import { emptyRows, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

/** A member's leaves as rows, each by its hash. */
const row = (number: number, hash: string, content: string) => ({
  memberId: 1,
  number,
  key: `bank:1:${number}`,
  content,
  hash,
});

it("the audit looks salted leaves up by their hashes: what they say, or their kind alone where that is gone", () =>
  rows.within(async (tx) => {
    const said = [
      row(1, "a", contentText(CONTENT.credit)),
      row(2, "b", ""),
      row(3, "c", "unreadable"),
      row(4, "d", contentText(CONTENT.debit)),
    ];
    await tx.insert(memberLeaves).values(said);
    expect(await ownersOf(tx, ["a", "b", "c"])).toEqual(
      new Map([
        ["a", { kind: "credit", content: CONTENT.credit }],
        ["b", { kind: "bank", content: null }],
      ]),
    );
    expect(await ownersOf(tx, [])).toEqual(new Map());
  }));
