import { oddsLeaf } from "#server/domains/log/odds-leaf.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import type { LocalText } from "#shared/locales.ts";
import type { Findings } from "./findings.ts";

/** A leaf by what it is about, as sentences name it. */
export function nameOf(leaf: Leaf): string {
  switch (leaf.kind) {
    case "anchor":
      return `anchor of ${leaf.game} ${leaf.day}`;
    case "app":
      return `app since ${leaf.from}`;
    case "table":
      return `table ${leaf.id}`;
    case "odds":
      return `odds ${leaf.id} of ${leaf.game}`;
    case "open":
    case "close":
    case "draw":
    case "settle":
    case "refund":
      return `${leaf.kind} of round ${leaf.game} ${leaf.round}`;
    case "gap":
    case "pause":
    case "resume":
    case "beacon":
    case "skipped":
      return `${leaf.kind} of ${leaf.game} from ${leaf.from}`;
    case "key":
      return `change to the key ${leaf.next}`;
    case "seal":
      return `seal ${leaf.number}`;
    case "time":
      return `time ${leaf.time}`;
    default:
      return leaf.kind;
  }
}

/** Compares what the log says with what the rows give, field by field. */
export function compareLeaf(said: Leaf, given: Leaf, found: Findings): void {
  for (const field of differences(said, given)) {
    const [one, other] = [said, given].map((leaf) => valueOf(leaf, field));
    found.check(false, () => `the log's ${nameOf(said)}: ${field} is ${one}, the rows give ${other}`);
  }
}

/** The fields in which two leaves of a kind differ. */
export const differences = (said: Leaf, given: Leaf): string[] =>
  Object.keys(given).filter((field) => valueOf(said, field) !== valueOf(given, field));

function valueOf(leaf: Leaf, field: string): string {
  const value: unknown = leaf[field as keyof Leaf];
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A reason with its languages in the order of the canonical text, as whoever reads a leaf gets them. */
export function sortedReason(reason: LocalText | null): string | Record<string, string> {
  if (reason === null) return "";
  if (typeof reason === "string") return reason;
  const texts = new Map(Object.entries(reason));
  return Object.fromEntries([...texts.keys()].sort().map((locale) => [locale, texts.get(locale)!]));
}

/** Odds as a leaf says them. Null for a row that no leaf can state, such as rates beyond counting. */
export function statedOdds(...[game, row]: Parameters<typeof oddsLeaf>): Leaf<"odds"> | null {
  try {
    return oddsLeaf(game, row);
  } catch {
    return null;
  }
}
