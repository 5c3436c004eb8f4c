import type { Leaf, LeafKind } from "#shared/log/leaf.ts";

type Change = (leaf: Leaf) => Leaf | Leaf[] | null;
type Fits<K extends LeafKind> = Partial<Leaf<K>>;

const fits = <K extends LeafKind>(leaf: Leaf, kind: K, place: Fits<K>): leaf is Leaf<K> & Leaf =>
  leaf.kind === kind && Object.entries(place).every(([name, value]) => leaf[name as keyof Leaf] === value);

/** Leaves of that kind and place say something else. */
export const edited =
  <K extends LeafKind>(kind: K, place: Fits<K>, change: Partial<Leaf<K>>): Change =>
  (leaf) =>
    fits(leaf, kind, place) ? ({ ...(leaf as object), ...change } as unknown as Leaf) : leaf;

export const dropped =
  <K extends LeafKind>(kind: K, place: Fits<K> = {}): Change =>
  (leaf) =>
    fits(leaf, kind, place) ? null : leaf;

/** Further leaves behind the one of that kind and place. */
export const followed =
  <K extends LeafKind>(kind: K, place: Fits<K>, further: (leaf: Leaf<K>) => Leaf): Change =>
  (leaf) =>
    fits(leaf, kind, place) ? [leaf, further(leaf)] : leaf;

/** A leaf is held back until another one is there. */
export function delayed<K extends LeafKind, L extends LeafKind>(
  kind: K,
  place: Fits<K>,
  until: L,
  there: Fits<L>,
): Change {
  let held: Leaf | null = null;
  return (leaf) => {
    if (fits(leaf, kind, place)) {
      held = leaf;
      return null;
    }
    if (!held || !fits(leaf, until, there)) return leaf;
    const late = held;
    held = null;
    return [leaf, late];
  };
}
