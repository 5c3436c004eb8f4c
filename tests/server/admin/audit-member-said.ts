import { Erasures } from "#server/admin/audit/erasures.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { MemberFacts } from "#server/admin/audit/member-facts.ts";
import type { SaidLeaf } from "#server/admin/audit/said-leaf.ts";
import type { Keys } from "#server/config/keys.ts";
import { contentKey, type ChainedKind, type Content } from "#shared/log/salted.ts";
import { CONTENT, hashFor } from "../../log/leaves.ts";
import { type Put, type Rows } from "./audit-rows.ts";

let count = 0;
/** A member's leaf as it stands in the tables. Its hash follows from a word. */
export function says<K extends ChainedKind>(
  kind: K,
  change: Partial<Content<K>> = {},
  { memberId = 1, word = `leaf ${++count}` } = {},
): SaidLeaf {
  const content = { ...CONTENT[kind], ...change } as unknown as SaidLeaf["content"];
  const row = { memberId, number: content.number, key: contentKey(content), content: "", hash: hashFor(word) };
  return { row: { ...row, id: ++count, salt: null }, content };
}

/** How the audit names such a leaf. */
export const named = ({ row, content }: SaidLeaf): string =>
  `the log's ${content.kind}, leaf ${row.number} of member ${row.memberId},`;

interface Asked {
  /** Leaves whose content is gone. */
  emptied?: SaidLeaf[];
  keys?: Keys | null;
}

/** The problems of these leaves, one page after the other, where these rows are. */
export const problemsOf = (rows: Rows, put: Put, pages: SaidLeaf[][], { emptied = [], keys = null }: Asked = {}) =>
  rows.within(async (tx, run) => {
    await put(tx, run);
    const found = new Findings();
    const facts = new MemberFacts(tx, keys, await Erasures.read(tx, found), found);
    const gone = emptied.map(({ row }) => row);
    for (const [i, page] of pages.entries()) await facts.check(page, i === 0 ? gone : []);
    return found.problems;
  });

/** What is found at the end besides, once all leaves were checked. */
export const problemsAtEnd = (rows: Rows, put: Put, said: SaidLeaf[], keys: Keys | null = null) =>
  rows.within(async (tx, run) => {
    await put(tx, run);
    const found = new Findings();
    const erasures = await Erasures.read(tx, found);
    const facts = new MemberFacts(tx, keys, erasures, found);
    await facts.check(said, []);
    const before = found.problems.length;
    await facts.finish();
    await erasures.finish();
    return found.problems.slice(before);
  });
