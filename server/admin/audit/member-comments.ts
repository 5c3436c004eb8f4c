import { asc, gt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { comments } from "#db/schema/index.ts";
import { stateOf } from "#server/domains/listing/state-comment.ts";
import { wireId } from "#server/domains/listing/wire-ids.ts";
import type { Content } from "#shared/log/salted.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";
import type { SaidLeaf } from "./said-leaf.ts";

type Said = Content<"comment">;
type Row = typeof comments.$inferSelect;

/** What may become of a comment. */
const STEPS: Record<Said["state"], Said["state"][]> = {
  waiting: ["shown", "hidden", "removed"],
  shown: ["hidden", "removed"],
  hidden: ["shown", "removed"],
  // SQLite gives the number of the last row again once that row is gone.
  removed: ["waiting"],
};

/** Compares comments with what their members' leaves say of them, both ways. */
export class CommentFacts {
  readonly #found: Findings;
  readonly #newest = new Map<string, Said>();
  /** The first comment that was stated as it was written. Earlier ones are from before the log said them. */
  #first = Infinity;

  constructor(found: Findings) {
    this.#found = found;
  }

  /** Takes in leaves in the order in which they were written. */
  note(said: readonly SaidLeaf[]): void {
    for (const { content } of said) {
      if (content.kind !== "comment") continue;
      const before = this.#newest.get(content.id);
      const isStep = before ? STEPS[before.state].includes(content.state) : true;
      this.#found.check(isStep, () => `${nameOf(content)} says ${content.state} after ${before!.state}`);
      const isOther = !before || before.state === "removed";
      this.#found.check(isOther || isSame(before, content), () => `${nameOf(content)} differs from the leaf before`);
      if (content.state === "waiting") this.#first = Math.min(this.#first, Number(content.id.slice("cmt_".length)));
      this.#newest.set(content.id, content);
    }
  }

  async finish(read: Tx): Promise<void> {
    const left = new Map([...this.#newest].filter(([, { state }]) => state !== "removed"));
    const page = (after: number, limit: number) =>
      read.select().from(comments).where(gt(comments.id, after)).orderBy(asc(comments.id)).limit(limit);
    for await (const row of inPages(page)) {
      const id = wireId("comment", row.id);
      const said = this.#newest.get(id);
      left.delete(id);
      if (!said) this.#found.check(row.id < this.#first, () => `the log does not state comment ${id}`);
      else this.#found.check(agrees(said, row), () => `${nameOf(said)} differs from its comment`);
    }
    for (const said of left.values()) this.#found.check(false, () => `${nameOf(said)} has no comment in the tables`);
  }
}

const nameOf = ({ number, member, id }: Said) => `the log's comment, leaf ${number} of member ${member}, of ${id}`;

const isSame = (one: Said, other: Said) =>
  one.member === other.member &&
  one.listing === other.listing &&
  one.text === other.text &&
  one.hearts === other.hearts;

const agrees = (said: Said, row: Row) =>
  said.member === String(row.memberId) &&
  said.listing === wireId("listing", row.listingId) &&
  said.text === row.text &&
  said.hearts === row.hearts &&
  said.state === stateOf(row);
