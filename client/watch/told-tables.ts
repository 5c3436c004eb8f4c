import { parseLeaf } from "#shared/log/leaf.ts";
import { isIncluded } from "#shared/log/tree.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import { rowsOf, tableHash, type Winnable } from "#shared/wheel.ts";
import { hashesOf } from "./check-head.ts";
import type { Heads } from "./heads.ts";
import type { Kept } from "./kept.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Whether a table of prizes stands in a head that this device keeps. The house has to show the leaf: what nobody can read
 * there, words are not made for. What was shown is kept.
 */
export async function isTableTold(hash: string, kept: Kept, heads: Heads, { ask }: Surroundings): Promise<boolean> {
  const log = await heads.today();
  if (!log) return false;
  const { origin } = log;
  if (await kept.table(origin, hash)) return true;
  const shown = await ask("table", { hash }).catch(() => null);
  const head = shown && (await heads.hold(shown.head));
  const path = shown && hashesOf(shown.path);
  if (!shown || !head || !path || head.checkpoint.origin !== origin || hashIn(shown.leaf) !== hash) return false;
  if (!isIncluded(merkleLeaf(shown.leaf), shown.index, head.checkpoint, path)) return false;
  await kept.keepTable({ ...shown, origin, hash, head: head.text });
  return true;
}

/** The hash that binds words to the table of a leaf. Null if that states none. */
function hashIn(text: string): string | null {
  const leaf = parseLeaf(text);
  return leaf?.kind === "table" ? tableHash(rowsOf(leaf.prizes as Winnable[])) : null;
}
