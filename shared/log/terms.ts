import type { Leaf } from "./leaf.ts";
import type { Content } from "./salted.ts";

/** What a bet's receipt and the opening of its round both say, by their names in each. */
const TERMS = { commit: "commit", odds: "odds", odds_hash: "odds_hash", rule: "beacon_rule", unit: "unit" } as const;
export type TermFault = keyof typeof TERMS | "rules" | "open";

/** Whether a leaf is the opening of a bet's round. */
export const isOpening = (leaf: Leaf, { game, round }: Pick<Content<"bet">, "game" | "round">): leaf is Leaf<"open"> =>
  leaf.kind === "open" && leaf.game === game && leaf.round === round;

/**
 * What a bet's receipt says otherwise than the opening of its round, which is the same for everybody. `kind`: the rules that
 * the board showed, where that is known. No receipt names them, and without them nobody can tell what a bet wins.
 */
export function termsFaults(bet: Content<"bet">, leaf: Leaf, kind = "rules" in leaf ? leaf.rules : ""): TermFault[] {
  if (!isOpening(leaf, bet)) return ["open"];
  const names = Object.keys(TERMS) as (keyof typeof TERMS)[];
  const faults: TermFault[] = names.filter((name) => bet[name] !== leaf[TERMS[name]]);
  return leaf.rules === kind ? faults : [...faults, "rules"];
}
