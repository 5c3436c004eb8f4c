import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { comments } from "#db/schema/index.ts";
import { CommentFacts } from "#server/admin/audit/member-comments.ts";
import type { SaidLeaf } from "#server/admin/audit/said-leaf.ts";
import type { Content } from "#shared/log/salted.ts";
import { add, addMany, AT_BORDER, BORDERS, emptyRows, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Said = Content<"comment">;
type Comment = typeof comments.$inferInsert;

const comment = (id: number, more: Partial<Comment> = {}): Comment => ({
  id,
  listingId: 10 + id,
  memberId: 1,
  text: "Nice",
  hearts: 5,
  shown: null,
  createdAt: 1,
  ...more,
});
const leaf = (id: number, state: Said["state"], number: number, more: Partial<Said> = {}): Said => ({
  kind: "comment",
  member: "1",
  number,
  before: "",
  at: 1,
  id: `cmt_${id}`,
  listing: `lst_${10 + id}`,
  state,
  text: "Nice",
  hearts: 5,
  ...more,
});
/** The audit reads what leaves say, not their rows. */
const saidOf = (contents: object[]) => contents.map((content) => ({ content })) as SaidLeaf[];

const problemsOf = (said: object[], ...some: Comment[]) =>
  rows.problemsOf(
    async (read, found) => {
      const facts = new CommentFacts(found);
      facts.note(saidOf(said.slice(0, 1)));
      facts.note(saidOf(said.slice(1)));
      await facts.finish(read);
    },
    (tx) => add(tx, comments, ...some),
  );
const named = (number: number, id: number, says: string) =>
  `the log's comment, leaf ${number} of member 1, of cmt_${id} ${says}`;
const DIFFERS = "differs from its comment";

describe("the audit of comments", () => {
  it.each<[string, Said["state"][], boolean | null]>([
    ["waits", ["waiting"], null],
    ["is shown", ["waiting", "shown"], true],
    ["was never shown", ["waiting", "hidden"], false],
    ["is hidden again", ["waiting", "shown", "hidden"], false],
    ["is shown again", ["waiting", "hidden", "shown"], true],
    ["is another under the number of one that was removed", ["waiting", "removed", "waiting"], null],
  ])("takes one that %s", async (_, states, shown) => {
    const said = states.map((state, i) => leaf(3, state, i + 1));
    expect(await problemsOf(said, comment(3, { shown }))).toEqual([]);
  });

  it.each<Said["state"]>(["waiting", "shown", "hidden"])("takes one that was removed after it was %s", async (last) => {
    const states: Said["state"][] = last === "waiting" ? [last, "removed"] : ["waiting", last, "removed"];
    expect(await problemsOf(states.map((state, i) => leaf(3, state, i + 1)))).toEqual([]);
  });

  it.each<[Said["state"], Said["state"], boolean | null]>([
    ["waiting", "waiting", null],
    ["shown", "shown", true],
    ["shown", "waiting", null],
    ["hidden", "hidden", false],
    ["hidden", "waiting", null],
  ])("names one that was %s and is then %s", async (before, state, shown) => {
    const said = [leaf(3, "waiting", 1), ...(before === "waiting" ? [] : [leaf(3, before, 2)]), leaf(3, state, 9)];
    expect(await problemsOf(said, comment(3, { shown }))).toEqual([named(9, 3, `says ${state} after ${before}`)]);
  });

  it.each<Said["state"]>(["shown", "hidden", "removed"])("names one that was removed and is then %s", async (state) => {
    const said = [leaf(3, "waiting", 1), leaf(3, "removed", 2), leaf(3, state, 9)];
    const some = state === "removed" ? [] : [comment(3, { shown: state === "shown" })];
    expect(await problemsOf(said, ...some)).toEqual([named(9, 3, `says ${state} after removed`)]);
  });

  const CHANGES: Partial<Said>[] = [{ member: "2" }, { listing: "lst_9" }, { text: "Bad" }, { hearts: 4 }];
  it.each(CHANGES)("names a leaf that says %o after another", async (change) => {
    const said = [leaf(3, "waiting", 1), leaf(3, "shown", 2, change), leaf(3, "removed", 4, change)];
    const member = change.member ?? "1";
    expect(await problemsOf(said)).toEqual([
      named(2, 3, "differs from the leaf before").replace("member 1", `member ${member}`),
    ]);
  });

  it.each(CHANGES)("takes %o for another comment after one was removed", async (change) => {
    const said = [leaf(3, "waiting", 1), leaf(3, "removed", 2), leaf(3, "waiting", 3, change)];
    const { member = "1", listing = "lst_13", text = "Nice", hearts = 5 } = change;
    const row = { memberId: Number(member), listingId: Number(listing.slice(4)), text, hearts };
    expect(await problemsOf(said, comment(3, row))).toEqual([]);
  });

  it.each<Partial<Comment>>([{ memberId: 2 }, { listingId: 9 }, { text: "Bad" }, { hearts: 4 }, { shown: true }])(
    "names a comment that says %o and its leaf does not",
    async (change) => {
      expect(await problemsOf([leaf(3, "waiting", 1)], comment(3, change))).toEqual([named(1, 3, DIFFERS)]);
    },
  );

  it("names a comment that its newest leaf says was removed", async () => {
    expect(await problemsOf([leaf(3, "waiting", 1), leaf(3, "removed", 2)], comment(3))).toEqual([
      named(2, 3, DIFFERS),
    ]);
  });

  it("names leaves whose comments are gone, in the order of their first", async () => {
    const said = [leaf(4, "waiting", 1), leaf(3, "waiting", 2), leaf(5, "waiting", 3), leaf(4, "shown", 4)];
    expect(await problemsOf(said, comment(5))).toEqual([
      named(4, 4, "has no comment in the tables"),
      named(2, 3, "has no comment in the tables"),
    ]);
  });

  it("asks for a leaf from the first on that was stated as it was written", async () => {
    const unstated = (id: number) => `the log does not state comment cmt_${id}`;
    expect(await problemsOf([], comment(1), comment(2))).toEqual([]);
    expect(await problemsOf([leaf(9, "shown", 1)], comment(9, { shown: true }), comment(10))).toEqual([]);
    const said = [leaf(6, "waiting", 1), leaf(3, "waiting", 2), leaf(8, "waiting", 3)];
    const some = [2, 3, 4, 6, 7, 8, 9].map((id) => comment(id));
    expect(await problemsOf(said, ...some)).toEqual([unstated(4), unstated(7), unstated(9)]);
  });

  it("leaves other leaves alone", async () => {
    const other = { kind: "limit", id: "cmt_3", state: "waiting" };
    expect(await problemsOf([other, other], comment(9))).toEqual([]);
  });

  it("asks many comments, each once", async () => {
    const problems = await rows.problemsOf(
      async (read, found) => {
        const facts = new CommentFacts(found);
        facts.note(saidOf(BORDERS.map((id) => leaf(id, "removed", id))));
        await facts.finish(read);
      },
      () => {
        const columns = { id: "i", listing_id: "10 + i", member_id: "1", text: "'Nice'", hearts: "5", created_at: "1" };
        return addMany(rows, "comments", { ...columns, shown: `case when ${AT_BORDER} then true end` });
      },
    );
    expect(problems).toEqual(BORDERS.map((id) => named(id, id, DIFFERS)));
  });
});
