import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { erasedMembers, operatorActs, type SealedAct } from "#db/schema/index.ts";
import { auditActs } from "#server/admin/audit/acts.ts";
import { contentOf } from "#server/domains/ledger/act-seals.ts";
import { SEALED, sha256 } from "#server/domains/ledger/seal-leaves.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import { add, emptyRows, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Act = typeof operatorActs.$inferSelect;

/** An act as a seal covers it. Without a content of its own it has that of its words. */
function act(id: number, more: Partial<Act> = {}): Act {
  const row = {
    id,
    at: 1,
    who: "anna",
    host: "desk",
    operatorId: null,
    command: "member:lock",
    words: "mia_1",
    reason: "A reason",
    outcome: "done" as const,
    why: null,
    memberId: 1,
    salt: `salt ${id}`,
    ...more,
  };
  return { content: contentOf(row, `salt ${id}`), ...row };
}
const sealed = (row: Act): SealedAct => [row.id, Buffer.from(merkleLeaf(SEALED.act.leaf(row), sha256)).toString("hex")];

/** What is said of these acts beside a seal of others, from one number up to another. Member 1 was erased. */
const problemsOf = (some: Act[], acts: SealedAct[], [after, actsTo]: [number, number] = [0, 9]) =>
  rows.problemsOf(
    (read, found) => auditActs(read, after, { actsTo, acts }, found),
    async (tx) => {
      await add(tx, erasedMembers, { memberId: 1, mark: "", reason: "", erasedAt: 1 });
      await add(tx, operatorActs, ...some);
    },
  );
const changed = (id: number) => `act ${id} of an operator was changed after it was sealed`;
const added = (id: number) => `act ${id} of an operator was added after its time was sealed`;
const gone = (id: number) => `act ${id} of an operator is gone, and was sealed`;

describe("the audit of acts under a seal", () => {
  it("finds them as they were sealed", async () => {
    const some = [act(1), act(2, { reason: null, why: "Nobody knows", memberId: null })];
    expect(await problemsOf(some, some.map(sealed))).toEqual([]);
    expect(await problemsOf([], [])).toEqual([]);
  });

  it("names those that were added, changed or dropped", async () => {
    const acts = [1, 2, 3, 5].map((id) => sealed(act(id)));
    const some = [act(4), act(3, { who: "ben" }), act(1)];
    expect(await problemsOf(some, acts)).toEqual([changed(3), added(4), gone(2), gone(5)]);
  });

  it("looks from the seal before on up to this one", async () => {
    const some = [1, 2, 3, 4, 5].map((id) => act(id));
    const acts = some.slice(1, 4).map(sealed);
    expect(await problemsOf(some, acts, [1, 4])).toEqual([]);
    expect(await problemsOf(some, [], [1, 4])).toEqual([2, 3, 4].map(added));
    expect(await problemsOf(some, [], [0, 2])).toEqual([1, 2].map(added));
  });

  it("finds under the first seal those that somebody gave a number below 1", async () => {
    const some = [act(-7), act(0), act(1), act(2)];
    expect(await problemsOf(some, [sealed(act(1))], [0, 1])).toEqual([added(-7), added(0)]);
    expect(await problemsOf(some, [sealed(act(2))], [1, 2])).toEqual([]);
  });

  it.each<[string, Partial<Act>]>([
    ["words", { words: "nils_2" }],
    ["reason", { reason: "Another" }],
    ["refusal", { why: "Nobody knows" }],
    ["salt", { salt: "salt" }],
    ["lost salt", { salt: null }],
  ])("names one of another %s under the same leaf", async (_, change) => {
    const content = act(1).content;
    expect(await problemsOf([act(1, { ...change, content })], [sealed(act(1))])).toEqual([changed(1)]);
  });

  it("names one without a salt and without a content", async () => {
    const bare = act(1, { salt: null, content: null });
    expect(await problemsOf([bare], [sealed(bare)])).toEqual([changed(1)]);
  });
});

describe("the audit of acts that an erasure emptied", () => {
  const content = act(1).content;
  const emptied = { content, words: "erased 1", reason: null, why: null, salt: null };
  it.each<[string, Partial<Act>, string[]]>([
    ["takes what it leaves", {}, []],
    ["names what has a reason", { reason: "A reason" }, [changed(1)]],
    ["names what was refused", { why: "Nobody knows" }, [changed(1)]],
    ["names a number with a zero before it", { words: "erased 01" }, [changed(1)]],
    ["names other words", { words: "mia_1" }, [changed(1)]],
    ["names more words", { words: "erased 1 too" }, [changed(1)]],
    ["names no words", { words: "" }, [changed(1)]],
  ])("%s", async (_, change, problems) => {
    expect(await problemsOf([act(1, { ...emptied, ...change })], [sealed(act(1))])).toEqual(problems);
  });

  it("names what names another member than it was sealed with", async () => {
    const other = act(1, { memberId: 2 });
    const change = { ...emptied, content: other.content, memberId: 2 };
    expect(await problemsOf([act(1, change)], [sealed(other)])).toEqual([changed(1)]);
  });

  it("names what names a member who was not erased", async () => {
    const other = act(1, { memberId: 2 });
    const change = { ...emptied, content: other.content, words: "erased 2", memberId: 2 };
    expect(await problemsOf([act(1, change)], [sealed(other)])).toEqual([changed(1)]);
  });
});
